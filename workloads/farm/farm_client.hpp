// What clients do with a chunk; and where the server is none of the job's machines, fetching chunks from its desk.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/farm/farm_parameters.hpp"
#include "workloads/farm/farm_server.hpp"

namespace nowsim {

/// What it takes to begin, and the chunk's work. `done` says then which chunk, and how long the work took.
Process compute_chunk(Rank& self, const FarmParameters& farm, const FarmChunk& chunk, FarmResults& done);

/// Every rank, where no rank is the server: fetches a chunk, computes it, and comes again, until there are no more; of a
/// static split its part. One waits while the server is at work on another's chunk. All refer to what outlives them.
Process fetch_chunks(Rank& self, const FarmParameters& farm);

}  // namespace nowsim
