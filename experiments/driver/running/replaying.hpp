// What is worth saying where jobs take longer than a recorded series of their owners or links: it is replayed.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"

namespace nowsim {

/// Before anything is run, by the expected times; "" where no series is replayed.
std::string replaying_expected(const Experiment& experiment);
/// By the longest replications of the points that ran.
std::string replaying_met(const Experiment& experiment, const std::vector<PointOutcome>& outcomes);

}  // namespace nowsim
