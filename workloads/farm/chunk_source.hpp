// Where a farm's server gets the next chunk from: the tasks' costs, cut up by a technique.
#pragma once

#include <optional>
#include <vector>

#include "sim/program/rank.hpp"
#include "workloads/farm/farm_messages.hpp"
#include "workloads/farm/farm_parameters.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// Cuts one replication's tasks into chunks. Clients are ranks from 1 on.
class ChunkSource {
 public:
  /// The server, whose streams the costs are drawn from, and the farm; both outlive it.
  ChunkSource(const Rank& server, const FarmParameters& farm);
  /// The next one for a client; none when there are no more tasks.
  std::optional<FarmChunk> next(int client);
  [[nodiscard]] bool has_more() const { return technique_.next && state_.remaining > 0; }
  /// What a client has measured.
  void learn(int client, const ChunkReport& report);
  [[nodiscard]] const TaskCosts& costs() const { return costs_; }

 private:
  const Rank& server_;
  const Technique& technique_;
  TaskCosts costs_;
  LoopState state_;
};

/// The parts of a static split, one per client in the order of ranks, in proportion to the shares; some without tasks.
/// Those with tasks are numbered from 0.
std::vector<FarmChunk> static_parts(const Rank& server, const FarmParameters& farm, const TaskCosts& costs);

}  // namespace nowsim
