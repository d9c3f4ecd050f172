// What is worth saying of how jobs meet the paths of owners and links: a recorded series that they take longer than is
// replayed, and what is left of the interval that they begin in may vary without bound.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"

namespace nowsim {

/// Before anything is run, by the expected times; "" where no series is replayed.
std::string replaying_expected(const Experiment& experiment);
/// Where a stationary process has intervals of which what is left at a random moment has no variance; "" where none has.
std::string endless_beginnings(const Experiment& experiment);
/// By the longest replications of the points that ran.
std::string replaying_met(const Experiment& experiment, const std::vector<PointOutcome>& outcomes);

}  // namespace nowsim
