// A scenario whose owners' or links' parameters were measured (measured_owner.hpp): which replications see the same.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/program/scenario.hpp"

namespace nowsim {

/// How many successive replications see the same draw of measured parameters; 0 where all are known.
std::uint64_t replications_per_draw(const Scenario& scenario);

/// Successive replications that are not independent of one another: those of a draw, or antithetic pairs; else 1.
std::uint64_t dependent_replications(const Scenario& scenario);

/// What its owners' and links' parameters were measured by, in order, each once.
std::vector<Measurement> measurements(const Scenario& scenario);

/// The scenario as the replications of one draw see it, or those that are run again a step to its side. The owners'
/// paths are the same as with measured ones, but an engine can follow many of them side by side.
Scenario as_drawn(const Scenario& scenario, const FitDraw& draw);

/// The places (parameter_steps.hpp) of the replications that are run again with a batch: its own, or none.
Batch stepped_places(const Scenario& scenario, const Batch& batch);

}  // namespace nowsim
