// Declares the workload `base-task` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo base_task();
}
