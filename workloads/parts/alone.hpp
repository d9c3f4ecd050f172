// A parallel program on one machine, without messages: what speedups are measured against.
#pragma once

#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "sim/program/workload.hpp"

namespace nowsim {

/// Computes the share of a rank that is alone, and waits for pages as long as the workload says that the whole job does
/// there, Workload::paging_alone_s(): however much of the share is operations that only splitting costs
/// (Workload::work_of()), the data are the job's.
Process compute_alone(Rank& self, const Workload& job);

}  // namespace nowsim
