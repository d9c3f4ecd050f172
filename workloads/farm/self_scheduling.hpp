// Self-scheduling techniques: how many of a loop's remaining tasks a worker gets that asks for some.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workloads/farm/worker_records.hpp"

namespace nowsim {

/// What techniques are told by the user.
struct TechniqueParameters {
  std::int64_t chunk = 1;      ///< CSS: k
  std::int64_t min_chunk = 1;  ///< the least that is handed out while there is as much
  std::int64_t first = 0;      ///< TSS: the first chunk; 0: N/(2P)
  std::int64_t last = 1;       ///< TSS: the last
  double cv = 0;               ///< FAC: sigma/mu of the tasks' times
};

/// A loop of which parts have been handed out. Workers are counted from 0.
struct LoopState {
  /// `weights` are any numbers in proportion to the workers' speeds; where none is positive all are the same.
  LoopState(std::int64_t tasks, std::span<const double> weights, const TechniqueParameters& parameters);

  TechniqueParameters parameters;
  std::int64_t tasks;             ///< N
  std::int64_t remaining;         ///< R, not handed out yet
  std::int64_t chunks = 0;        ///< handed out
  std::vector<double> weights;    ///< w_i, of mean 1: as given
  WorkerRecords records;          ///< what workers have reported
  std::int64_t batches = 0;       ///< begun, by techniques that have batches
  std::int64_t batch_chunk = 0;   ///< of the batch at hand: K_j
  std::int64_t batch_left = 0;    ///< and what is left: chunks of FAC, FAC2, tasks of WF, AWF-B
  [[nodiscard]] std::int64_t workers() const { return static_cast<std::int64_t>(weights.size()); }
};

/// A technique: a line of `nowsim list techniques`.
struct Technique {
  std::string name;
  std::string summary;
  std::string citation;
  std::string parameters;
  /// The next chunk for a worker, before it is limited to what remains and from below to min_chunk; it updates what the
  /// technique keeps of batches. Null: nothing is handed out on demand (static).
  std::int64_t (*next)(LoopState&, std::size_t worker);
  enum class Learns { nothing, chunk_times, task_times } learns = Learns::nothing;  ///< from what workers report
  enum class Reads { nothing, chunk, min_chunk, ends } reads = Reads::min_chunk;    ///< ends: first, last, min_chunk
  [[nodiscard]] bool has_least() const { return reads == Reads::min_chunk || reads == Reads::ends; }
  bool uses_shares = false;  ///< as weights to begin with; static: as they are
};

/// SS, CSS, GSS, TSS, FAC, FAC2, WF, AWF-B, AWF-C, AF, static.
std::span<const Technique> techniques();
/// Null where there is none of that name.
const Technique* find_technique(const std::string& name);
/// How many tasks a worker that asks gets, 0 when all have been handed out; notes them as handed out. At least
/// min_chunk of the technique's parameters, but never more than remain.
std::int64_t next_chunk(const Technique& technique, LoopState& state, std::size_t worker);

}  // namespace nowsim
