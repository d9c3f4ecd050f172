// What a farm's server and its clients send each other, and what the server does.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/farm/farm_parameters.hpp"

namespace nowsim {

/// Consecutive tasks for a client. A message without one tells the end.
struct FarmChunk {
  std::int64_t number = 0;  ///< of the chunk, as it was made
  std::int64_t tasks = 0;
  double flop = 0;                ///< of all together
  std::vector<double> each_flop;  ///< of each, where the technique wants to know how much their times vary
};

/// The results of a chunk. A client that asks for its first one sends none.
struct FarmResults {
  std::int64_t number = 0;  ///< of the chunk
  ChunkReport report;
};

/// Rank 0: hands chunks out to clients as they ask, until all tasks are done. Of a static split it sends each client its
/// part, in proportion to the shares, in the order of ranks, and takes the results as they come; clients without a share
/// get and send nothing. In a farm that recovers clients' machines may switch off and on again, or be too slow: what is
/// overdue is handed out again, until the results of all tasks are there, every task's counted once; it ends although
/// clients may still be off, or compute what somebody else has done. All refer to what outlives them.
Process farm_server(Rank& self, const FarmParameters& farm);

}  // namespace nowsim
