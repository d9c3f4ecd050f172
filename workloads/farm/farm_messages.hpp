// What a farm's server and clients send each other.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// Consecutive tasks for a client. A message without one tells the end.
struct FarmChunk {
  std::int64_t number = 0;  ///< of the chunk, as it was made
  std::int64_t first = 0;   ///< of its tasks, counted from 0
  std::int64_t tasks = 0;
  double flop = 0;                ///< of all together
  std::vector<double> each_flop;  ///< of each, where the technique wants to know how much their times vary
};

/// The results of a chunk. A client that asks for its first one sends none.
struct FarmResults {
  std::int64_t number = 0;  ///< of the chunk
  ChunkReport report;
};

}  // namespace nowsim
