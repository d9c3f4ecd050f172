// Declares the workload `augmented-task` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo augmented_task();
}
