// The task farm as a workload.
#pragma once

#include "workloads/farm/self_scheduling.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

/// Whose `technique` is any of these; it keeps them.
WorkloadInfo task_farm(const Registry<Technique>& techniques);

}  // namespace nowsim
