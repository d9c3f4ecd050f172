// What a run would refuse once it has begun, as far as that can be told before.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// Sentences, each once.
struct RunRefusals {
  std::vector<std::string> certain;   ///< what `run` would say, with the point where there are several
  std::vector<std::string> possible;  ///< ways that are missing, of jobs that take long to ask whether they need them
};

/// Of all points that can be run: an engine that cannot run them, ranks that share cores with owners' jobs, and what
/// lies between machines that have ranks. Where a way is missing, not every program needs it: one replication, of those
/// that take no longer than a second, tells whether this one does. Programs with code of the user's are not run.
RunRefusals run_refusals(const Experiment& experiment);

}  // namespace nowsim
