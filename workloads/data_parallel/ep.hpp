// Declares the workload `ep` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo ep();
}
