// Cutting one replication's tasks into chunks, as many as the technique says, or into the parts of a static split.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/program/rank.hpp"
#include "workloads/farm/farm_parameters.hpp"
#include "workloads/farm/farm_server.hpp"

namespace nowsim {

/// Chunks on demand. Clients are ranks, from FarmParameters::first_client() on.
class ChunkSource {
 public:
  /// @param rank any of the job's: all share the stream that the costs are drawn from. The farm outlives it.
  ChunkSource(const Rank& rank, const FarmParameters& farm);
  /// The next one for a client that asks now [s]; none when there are no more tasks.
  std::optional<FarmChunk> next(int client, double now_s);
  [[nodiscard]] bool has_more() const { return technique_.next && state_.remaining > 0; }
  /// What a client has measured.
  void learn(int client, const ChunkReport& report);
  [[nodiscard]] const TaskCosts& costs() const { return costs_; }

 private:
  [[nodiscard]] std::size_t worker_of(int client) const { return index_of(client - first_client_); }

  int first_client_;
  const Technique& technique_;
  TaskCosts costs_;
  LoopState state_;
};

/// The parts of a static split, one per client in the order of ranks, in proportion to the shares; some without tasks.
/// Those with tasks are numbered from 0.
std::vector<FarmChunk> static_parts(const Rank& rank, const FarmParameters& farm, const TaskCosts& costs);

}  // namespace nowsim
