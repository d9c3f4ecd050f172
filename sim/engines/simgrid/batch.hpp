// Replications of a batch, in one SimGrid engine.
#pragma once

#include <string>

#include "sim/engines/simgrid/engine.hpp"

namespace nowsim {

/// SimGridModule::run. Computes replications of a batch, at most until the simulated clock gets too large for its
/// precision. To be called in a child process. Returns the results, packed for unpack_results(). @throws RunError for a
/// deadlock or a program that throws; InputError for what SimGrid rejects.
std::string run_in_simgrid(const Scenario& scenario, const Batch& batch, const BatchProgress& progress);

}  // namespace nowsim
