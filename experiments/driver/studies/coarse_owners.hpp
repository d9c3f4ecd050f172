// Owners in fewer intervals, where a plan's job is far longer than what they have.
#pragma once

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// The scenario with owners coarsened() for the time that its work takes all machines together, between two moments at
/// which they wait for one another; the same where none can be. However the work is split, owners are the same.
std::shared_ptr<const Scenario> with_coarse_owners(const std::shared_ptr<const Scenario>& scenario);

/// All points' scenarios so, and a remark that says it.
Experiment with_coarse_owners(Experiment experiment);

}  // namespace nowsim
