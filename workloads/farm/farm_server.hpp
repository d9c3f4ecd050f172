// A task farm's server.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/farm/farm_parameters.hpp"

namespace nowsim {

/// Rank 0: hands chunks out to clients as they ask, until all tasks are done. Of a static split it sends each client its
/// part, in proportion to the shares, in the order of ranks, and takes the results as they come; clients without a share
/// get and send nothing. In a farm that recovers clients' machines may switch off and on again, or be too slow: what is
/// overdue is handed out again, until the results of all tasks are there, every task's counted once; it ends although
/// clients may still be off, or compute what somebody else has done. All refer to what outlives them.
Process farm_server(Rank& self, const FarmParameters& farm);

}  // namespace nowsim
