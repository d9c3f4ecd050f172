// Declares the workload `matrix-multiply` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo matrix_multiply();
}
