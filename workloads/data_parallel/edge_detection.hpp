// Declares the workload `edge-detection` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo edge_detection();
}
