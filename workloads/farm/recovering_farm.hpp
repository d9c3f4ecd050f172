// A task farm whose clients' machines may switch off and on again, or be too slow: what is overdue is handed out again.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/farm/farm_parameters.hpp"

namespace nowsim {

/// Rank 0: hands chunks out until the results of all tasks are there, every task's counted once. Ends although clients
/// may still be off, or compute what somebody else has done.
Process recovering_server(Rank& self, const FarmParameters& farm);
/// The others. One whose machine comes back begins anew.
Process recovering_client(Rank& self, const FarmParameters& farm);

}  // namespace nowsim
