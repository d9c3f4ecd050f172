// Declares the workload `all-to-all` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo all_to_all();
}
