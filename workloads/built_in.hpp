// nowsim's own workloads.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {

/// The registry with all of nowsim's workloads. To add your own: `auto w = builtin_workloads(); w.add(mine());`
WorkloadRegistry builtin_workloads();

}  // namespace nowsim
