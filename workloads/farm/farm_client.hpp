// A task farm's clients.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/farm/farm_parameters.hpp"

namespace nowsim {

/// Any rank but 0, which is the server: computes chunks until there are no more. Of a static split it gets one, and asks
/// for nothing. In a farm that recovers one whose machine comes back begins anew, and what fails with the network is
/// said again. All refer to what outlives them.
Process farm_client(Rank& self, const FarmParameters& farm);

}  // namespace nowsim
