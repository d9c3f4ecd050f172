// Declares the workload `stencil`.
#pragma once

#include "workloads/parts/registry.hpp"

nowsim::WorkloadInfo stencil();
