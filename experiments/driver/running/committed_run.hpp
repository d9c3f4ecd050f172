// Running a study so that what was simulated stays in the store, however the run ends.
#pragma once

#include "experiments/driver/running/runner.hpp"

namespace nowsim {

/// run_study(), with what it kept committed to the options' store, if there is one; also where it is interrupted.
/// @throws what run_study throws.
std::vector<PointOutcome> run_committed(const Experiment& experiment, const Study& study, const RunOptions& options);

}  // namespace nowsim
