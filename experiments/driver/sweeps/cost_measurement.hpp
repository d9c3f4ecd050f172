// What things cost on this machine: as shipped, times how long a small scenario takes here.
#pragma once

#include "experiments/driver/reading/registries.hpp"
#include "experiments/driver/running/cost_table.hpp"

namespace nowsim {

/// The shipped costs, times this machine's share of them: some milliseconds of the direct engine are timed.
CostTable machine_costs(const Registries& registries);

}  // namespace nowsim
