// Self-scheduling techniques: how many of a loop's remaining tasks a worker gets that asks for some.
#pragma once

#include <any>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/keys.hpp"
#include "sim/base/registry.hpp"
#include "sim/program/workload.hpp"
#include "workloads/farm/worker_records.hpp"

namespace nowsim {

/// What techniques are told: what was read at their own keys, and of the loop.
struct TechniqueParameters : KeyValues {
  /// The least that is handed out while there is as much; 0: half of mFSC's size, rounded down, but 1 at least.
  std::int64_t min_chunk = 1;
  double cv = 0;               ///< sigma/mu of the tasks' times
  std::string as = {};         ///< the version's name, of techniques that have some
  double mean_flop = 1;   ///< mean work of a task
  double overhead_s = 0;  ///< h, the server's time per chunk
};

/// A loop of which parts have been handed out: R tasks remain of N, for P workers, counted from 0.
struct LoopState {
  /// `weights` are any numbers in proportion to the workers' speeds; where none is positive all are the same. Without
  /// nominal speeds a task takes 1 s in the mean.
  LoopState(std::int64_t tasks, std::span<const double> weights, const TechniqueParameters& parameters,
            std::vector<double> speeds_flops = {});

  TechniqueParameters parameters;
  std::int64_t tasks;             ///< N
  std::int64_t remaining;         ///< R, not handed out yet
  std::int64_t chunks = 0;        ///< handed out
  std::vector<double> weights;    ///< w_i, of mean 1: as given
  std::vector<double> speeds_flops;  ///< nominal, of the workers' machines
  double mean_speed_flops;           ///< of them
  double now_s = 0;                  ///< simulated time
  WorkerRecords records;          ///< what workers have reported
  std::int64_t batches = 0;       ///< begun, by techniques that have batches
  std::int64_t batch_chunk = 0;   ///< of the batch at hand: K_j
  std::int64_t batch_left = 0;    ///< and what is left: chunks of FAC, FAC2, tasks of the others
  double batch_tasks = 0;         ///< of the batch at hand all tasks, of a formula's
  std::any memory;                ///< what else a technique keeps for itself; empty before the first chunk
  [[nodiscard]] std::int64_t workers() const { return static_cast<std::int64_t>(weights.size()); }
};

/// A technique: a line of `nowsim list techniques`.
struct Technique {
  std::string name;
  std::string summary = {};
  std::string citation = {};
  /// The next chunk for a worker, before it is limited to what remains and from below to min_chunk; it updates what the
  /// technique keeps of batches. Null: nothing is handed out on demand (static).
  std::function<std::int64_t(LoopState&, std::size_t worker)> next = {};
  /// From what workers report: the times of chunks, those with what precedes them since they were asked for, or the
  /// times of tasks too, one by one.
  enum class Learns { nothing, chunk_times, whole_times, task_times } learns = Learns::nothing;
  bool has_least = true;         ///< reads min_chunk
  std::int64_t usual_least = 1;  ///< what counts where that is not given (TechniqueParameters::min_chunk)
  bool uses_shares = false;  ///< as weights to begin with; static: as they are
  /// Where nothing is said at `split:`, the weights are the mean speeds that owners are expected to leave, not all alike.
  bool weighs_speeds = false;
  /// What it alone reads: numbers of any kind, words, formulas.
  KeyTable keys = {};
  std::function<void(const TechniqueParameters&)> check = {};  ///< @throws InputError where its keys do not go together
  UserCode user_code = {};   ///< that the server calls
  /// The technique as each of its sources has it, where they differ: words of the key `as`, the first of which counts
  /// unless another one is said. Of these only what become() takes is looked at.
  std::vector<Technique> versions = {};
  /// Takes from a version what sources differ in: next, learns, has_least and usual_least.
  void become(const Technique& version);
  /// The names of all that it reads, for people.
  [[nodiscard]] std::string parameters() const;
};

/// nowsim's own. To add one: `auto t = builtin_techniques(); t.add(mine());`
Registry<Technique> builtin_techniques();
/// How many tasks a worker that asks gets, 0 when all have been handed out; notes them as handed out. At least
/// min_chunk of the technique's parameters, but never more than remain.
std::int64_t next_chunk(const Technique& technique, LoopState& state, std::size_t worker);
/// About how many chunks a technique makes of a loop, for estimates of what a simulation costs: those of workers that ask
/// in turn, who report tasks of one time that vary by the parameters' cv. Of a technique that hands out on demand; after
/// a hundred thousand chunks the others are taken for as large as the last.
double about_chunks(const Technique& technique, const TechniqueParameters& parameters, std::int64_t tasks, int workers);

/// mFSC's size: with chunks of it there are about as many as FAC2 makes of so many tasks for so many workers.
std::int64_t size_for_chunks_of_factoring(std::int64_t tasks, std::int64_t workers);
inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
/// To the nearest task, halves up.
inline std::int64_t rounded_tasks(double x) { return static_cast<std::int64_t>(std::floor(x + 0.5)); }

}  // namespace nowsim
