// Points that would take too long are left out, and say so.
#pragma once

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// The experiment without the points whose replications, with those of what they are compared with, would take longer
/// than this on one core, as cost_estimate.hpp has it: they are infeasible, the reason says how long, and claims that
/// need them miss them. Points whose size is still to be found stay as they are.
Experiment without_costly_points(Experiment experiment, double most_s);

}  // namespace nowsim
