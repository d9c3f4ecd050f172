// Declares the workload `merge-sort` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo merge_sort();
}
