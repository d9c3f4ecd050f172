// Declares the workload `stochastic-time` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo stochastic_time();
}
