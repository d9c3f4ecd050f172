// A task farm's clients.
#pragma once

#include "sim/process.hpp"
#include "sim/rank.hpp"
#include "workloads/farm_messages.hpp"
#include "workloads/farm_parameters.hpp"

namespace nowsim {

/// Asks the server (rank 0) for chunks and computes them until there are no more. All refer to what outlives them.
Process farm_client(Rank& self, const FarmParameters& farm);

/// Computes a chunk, and reports how long it took.
Process compute_chunk(Rank& self, const FarmChunk& chunk, ChunkReport& report);

}  // namespace nowsim
