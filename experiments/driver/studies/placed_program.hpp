// A program whose ranks are on machines that are told, rank by rank, whatever it says itself.
#pragma once

#include "experiments/driver/studies/placement_search.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// The scenario with its program's ranks on these of its workstations: all workstations stay, and so do their random
/// numbers.
Scenario with_placement(const Scenario& scenario, const Placement& placement);

}  // namespace nowsim
