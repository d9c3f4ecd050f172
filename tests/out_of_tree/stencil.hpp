// Declares the workload `stencil`.
#pragma once

#include "workloads/registry.hpp"

nowsim::WorkloadInfo stencil();
