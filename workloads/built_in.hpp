// nowsim's own workloads.
#pragma once

#include "workloads/farm/self_scheduling.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

/// The registry with all of nowsim's workloads. To add your own: `auto w = builtin_workloads(); w.add(mine());`
/// Its task farm has these techniques.
WorkloadRegistry builtin_workloads(const Registry<Technique>& techniques = builtin_techniques());

}  // namespace nowsim
