// One rank of a trace by itself: its beginning and end, its requests, and what it adds to the facts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/mpi/mpi_channels.hpp"
#include "workloads/mpi/mpi_trace_checks.hpp"
#include "workloads/mpi/mpi_trace_facts.hpp"

namespace nowsim {

/// What waits leave open, of all ranks so far.
struct MpiRequestsLeftOpen {
  std::uint64_t narrow_waitalls = 0;  ///< those of fewer requests than are outstanding
  std::uint64_t unwaited = 0;         ///< requests that no wait, waitall or waitany is for
};

/// @throws InputError where the rank does not begin by init or end by finalize, or waits for what it did not ask for.
void check_mpi_rank(const MpiTraceView& trace, std::size_t rank, MpiTraceFacts& facts, MpiChannels& channels,
                    MpiRequestsLeftOpen& open);

}  // namespace nowsim
