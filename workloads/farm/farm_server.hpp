// A task farm's server, where nobody fails.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/farm/farm_parameters.hpp"

namespace nowsim {

/// Rank 0: hands chunks out to clients as they ask, until all tasks are done. All refer to what outlives them.
Process farm_server(Rank& self, const FarmParameters& farm);

}  // namespace nowsim
