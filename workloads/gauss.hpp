// Declares the workload `gauss` for the registry.
#pragma once

#include "workloads/registry.hpp"

namespace nowsim {
WorkloadInfo gauss();
}
