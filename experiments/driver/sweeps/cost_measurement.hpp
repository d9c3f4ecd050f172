// Measuring what things cost on this machine, by small scenarios, once.
#pragma once

#include "experiments/driver/reading/registries.hpp"
#include "experiments/driver/running/cost_table.hpp"

namespace nowsim {

/// The costs of this machine: those rows that `work` needs are measured, for some milliseconds each, unless the user's
/// cache has them (cost_cache.hpp); where one cannot be measured, and where it is not needed, it is as shipped. `again`:
/// whatever the cache has.
CostTable machine_costs(const WorkCounts& work, const Registries& registries, bool again = false);

}  // namespace nowsim
