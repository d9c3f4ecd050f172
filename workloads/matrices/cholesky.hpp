// Declares the workload `cholesky` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo cholesky();
}
