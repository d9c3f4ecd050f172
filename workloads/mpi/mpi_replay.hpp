// A rank of a recorded MPI program: it does what its trace says, one action after another.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/program/process.hpp"
#include "workloads/mpi/compiled_mpi_trace.hpp"
#include "workloads/mpi/mpi_collectives.hpp"

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

/// Which machines its ranks are on, as `job.placement` and `job.ranks_per_machine` say it.
struct MpiPlacement {
  int ranks = 1;
  std::vector<std::string> machines = {};  ///< names or patterns of names (fast-[0-3]); none: all, in their order
  int per_machine = 1;                     ///< so many ranks in a row on each, before the next one's; then from the first on
  /// One workstation per rank. @throws InputError for a name that no workstation has.
  [[nodiscard]] std::vector<int> on(std::span<const Workstation> workstations) const;
};

}  // namespace nowsim
