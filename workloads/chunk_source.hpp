// Where a farm's server gets the next chunk from: the tasks' costs, cut up by a technique.
#pragma once

#include <optional>
#include <span>

#include "sim/rank.hpp"
#include "sim/self_scheduling.hpp"
#include "workloads/farm_messages.hpp"
#include "workloads/farm_parameters.hpp"

namespace nowsim {

/// Cuts one replication's tasks into chunks. Clients are ranks from 1 on.
class ChunkSource {
 public:
  /// The server, whose streams the costs are drawn from, and the farm; both outlive it.
  ChunkSource(const Rank& server, const FarmParameters& farm);
  /// The next one for a client; none when there are no more tasks.
  std::optional<FarmChunk> next(int client);
  /// What a client has measured.
  void learn(int client, const ChunkReport& report);

 private:
  const Technique& technique_;
  TaskCosts costs_;
  LoopState state_;
};

/// A chunk with what its tasks cost.
FarmChunk make_chunk(const TaskCosts& costs, std::int64_t number, std::int64_t first, std::int64_t tasks);
/// The message's size: the request's and the inputs'.
double bytes_of(const FarmParameters& farm, const FarmChunk& chunk);

}  // namespace nowsim
