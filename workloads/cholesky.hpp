// Declares the workload `cholesky` for the registry.
#pragma once

#include "workloads/registry.hpp"

namespace nowsim {
WorkloadInfo cholesky();
}
