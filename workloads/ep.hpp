// Declares the workload `ep` for the registry.
#pragma once

#include "workloads/registry.hpp"

namespace nowsim {
WorkloadInfo ep();
}
