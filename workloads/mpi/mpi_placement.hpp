// Which machines the ranks of an MPI program are on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/platform/platform.hpp"

namespace nowsim {

/// As `job.placement` and `job.ranks_per_machine` say it.
struct MpiPlacement {
  int ranks = 1;
  std::vector<std::string> machines = {};  ///< names or patterns of names (fast-[0-3]); none: all, in their order
  int per_machine = 1;                     ///< so many ranks in a row on each, before the next one's; then from the first on
  /// One workstation per rank. @throws InputError for a name that no workstation has.
  [[nodiscard]] std::vector<int> on(std::span<const Workstation> workstations) const;
};

}  // namespace nowsim
