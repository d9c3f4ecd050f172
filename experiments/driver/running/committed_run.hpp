// Running an execution plan so that what was simulated stays in the store, however the run ends.
#pragma once

#include "experiments/driver/running/runner.hpp"

namespace nowsim {

/// execute(), with what it kept committed to the options' store, if there is one; also where it is interrupted.
/// @throws what execute throws.
std::vector<PointOutcome> run_committed(const Experiment& experiment, const ExecutionPlan& execution, const RunOptions& options);

}  // namespace nowsim
