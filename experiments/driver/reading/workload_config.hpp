// Reading the `job:` block, and what a workload asks of the owners it runs beside.
#pragma once

#include "experiments/driver/reading/reader.hpp"
#include "sim/program/scenario.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

/// The key that every job has; the chosen workload has its own.
KeyTable job_keys(const WorkloadRegistry& workloads);

/// The block's workload, for this platform. None after a problem.
IdentifiedWorkload read_workload(Reading& reading, const Platform& platform, const WorkloadRegistry& workloads);

/// Owners of a program that prescribes its times would be there for nothing, or slow it down once more. @throws
/// InfeasibleError where the workload refuses a share.
void check_own_times(Reading& reading, const Scenario& scenario);

}  // namespace nowsim
