// A task farm that deals all tasks out at once.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "workloads/farm/farm_parameters.hpp"

namespace nowsim {

/// To be run by all ranks: rank 0 sends each client its part of the tasks, in proportion to the shares, in the order of
/// ranks, and takes the results as they come. Clients without a share get and send nothing.
Process static_farm(Rank& self, const FarmParameters& farm);

}  // namespace nowsim
