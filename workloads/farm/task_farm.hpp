// Declares the workload `task-farm` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo task_farm();
}
