// A program of supersteps computed in one go: who begins when follows from the tree, and from the step's latest end.
#pragma once

#include <vector>

#include "sim/engines/direct/availability_lanes.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/supersteps.hpp"

namespace nowsim {

/// Whether machines and network are such that supersteps can be computed in one go. Machines and links that change,
/// owners that feel the job, and jobs that end before all ranks have, are cases for events.
bool can_go_at_once(const Scenario& scenario);

/// What ranks have done in a program of supersteps, which all began at the same time; an element per rank.
struct SuperstepOutcome {
  std::vector<double> work_flop, active_s, messages, sent_bytes;  ///< as Quantity's
  /// Where each stands [s]: all at the program's end. Where an owner leaves its rank nothing for ever: that rank at the
  /// begin of its compute, others where they wait.
  std::vector<double> now_s;
  std::vector<bool> is_stuck;  ///< ranks that compute for ever; none where the program has ended
};

/// Runs the program on a scenario's dedicated machines and uniform network. Within rounding, which does not grow with
/// the number of steps, it is what its messages, computes and barriers come to one by one. Steps that repeat cost the
/// same for any number of ranks.
/// @throws std::invalid_argument for roots that do not exist, and bytes that cannot be sent.
SuperstepOutcome run_on_dedicated(const Scenario& scenario, const Supersteps& program, double begin_s);

/// The same where owners' availability runs along lanes, of which this replication's begin at first_lane: to the bit
/// what messages, computes and barriers come to one by one on the direct engine.
SuperstepOutcome run_on_lanes(const Scenario& scenario, const Supersteps& program, double begin_s,
                              AvailabilityLanes& lanes, std::size_t first_lane);

}  // namespace nowsim
