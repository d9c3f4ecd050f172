// A task farm's clients.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/farm/farm_messages.hpp"
#include "workloads/farm/farm_parameters.hpp"

namespace nowsim {

/// Asks the server (rank 0) for chunks and computes them until there are no more. All refer to what outlives them.
Process farm_client(Rank& self, const FarmParameters& farm);

/// Computes a chunk; `done` says then which, and how long it took.
Process compute_chunk(Rank& self, const FarmChunk& chunk, FarmResults& done);
/// The size of the message with a chunk's results: the request's and the results'.
double results_bytes(const FarmParameters& farm, const FarmChunk& chunk);

}  // namespace nowsim
