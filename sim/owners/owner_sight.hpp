// How a job that is under way finds a workstation.
#pragma once

#include <optional>

namespace nowsim {

struct OwnerSight {
  double elapsed_s = 0;  ///< since the job began: owners by a clock, or by a series from its beginning, are so much further
  std::optional<double> availability = std::nullopt;  ///< what the owner leaves at the moment, where somebody looked
};

}  // namespace nowsim
