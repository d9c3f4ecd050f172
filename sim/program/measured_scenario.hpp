// A scenario whose owners' or links' parameters were measured (measured_owner.hpp): which replications see the same.
#pragma once

#include <cstdint>

#include "sim/program/scenario.hpp"

namespace nowsim {

/// How many successive replications see the same draw of measured parameters; 0 where all are known.
std::uint64_t replications_per_draw(const Scenario& scenario);

/// Successive replications that are not independent of one another: those of a draw, or antithetic pairs; else 1.
std::uint64_t dependent_replications(const Scenario& scenario);

/// The scenario as the replications of one draw see it. The owners' paths are the same as with measured ones, but an
/// engine can follow many of them side by side.
Scenario as_drawn(const Scenario& scenario, std::uint64_t draw);

}  // namespace nowsim
