// The task farm as a workload: its server and its clients.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/farm/farm_parameters.hpp"
#include "workloads/farm/self_scheduling.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

/// Whose `technique` is any of these; it keeps them.
WorkloadInfo task_farm(const Registry<Technique>& techniques);

/// Rank 0: hands chunks out to clients as they ask, until all tasks are done. Of a static split it sends each client its
/// part, in proportion to the shares, in the order of ranks, and takes the results as they come; clients without a share
/// get and send nothing. In a farm that recovers clients' machines may switch off and on again, or be too slow: what is
/// overdue is handed out again, until the results of all tasks are there, every task's counted once; it ends although
/// clients may still be off, or compute what somebody else has done. All refer to what outlives them.
Process farm_server(Rank& self, const FarmParameters& farm);

/// Any rank but 0, which is the server: computes chunks until there are no more. Of a static split it gets one, and asks
/// for nothing. In a farm that recovers one whose machine comes back begins anew, and what fails with the network is
/// said again. All refer to what outlives them.
Process farm_client(Rank& self, const FarmParameters& farm);

}  // namespace nowsim
