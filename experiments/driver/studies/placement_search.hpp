// Looking for machines on which the ranks of a program do best: what placements are tried, and in which order.
#pragma once

#include <cstddef>
#include <vector>

#include "experiments/driver/studies/first_placements.hpp"
#include "experiments/driver/studies/machine_search.hpp"

namespace nowsim {

/// How far a search may go.
struct PlacementEffort {
  std::size_t rounds = 12;
  std::size_t placements = 400;  ///< the most that are tried
};

/// What placements are judged by: at a risk by the time that is kept at it, with a deadline or without (where all miss the
/// deadline, who misses it least often may do so by a gamble); else by how often they miss the deadline, or by tau.
inline MachineField judged_by(const PlacementField& field) {
  return {.has_deadline = field.has_deadline && !field.has_risk, .has_risk = field.has_risk};
}

/// Tries these, and from the best of them on placements in which two ranks swap machines, or one moves to a machine that
/// has none or has room, as long as that helps. What it tried stands in the result by MachineSearch's rules, with
/// placements in the place of sets. `judge` may give fewer outcomes than it was asked for: the search ends then.
MachineSearch search_placements(const PlacementField& field, const std::vector<NamedPlacement>& first,
                                const JudgeSets& judge, const PlacementEffort& effort = {});

}  // namespace nowsim
