// Declares the workload `ping-pong` for the registry.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {
WorkloadInfo ping_pong();
}
