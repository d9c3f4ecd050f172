// All ranks of a trace are in the same collectives, in the same order, with sizes that fit.
#pragma once

#include "workloads/mpi/mpi_trace_checks.hpp"

namespace nowsim {

/// @throws InputError naming the first collective in which a rank differs from rank 0, or from the root.
void check_mpi_collectives(const MpiTraceView& trace);

}  // namespace nowsim
