// A rank of a recorded MPI program: it does what its trace says, one action after another.
#pragma once

#include <vector>

#include "sim/program/process.hpp"
#include "workloads/mpi/compiled_mpi_trace.hpp"
#include "workloads/mpi/mpi_collectives.hpp"
#include "workloads/mpi/mpi_endpoint.hpp"

namespace nowsim {

/// How a trace is replayed.
struct MpiReplaySettings {
  MpiMessages messages;
  double scale = 1;  ///< of all computing
  std::vector<Task<> (*)(MpiEndpoint&, MpiCollective)> collectives;  ///< by collective_number()
};

/// All of them outlive it. A message that is longer than its receive takes ends it. @throws InputError then, with the
/// file and line.
Process replay_mpi(Rank& self, const MpiTrace& trace, const MpiReplaySettings& settings);

}  // namespace nowsim
