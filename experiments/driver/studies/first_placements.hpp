// Placements that are worth a try before anything is simulated.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/studies/placement_field.hpp"

namespace nowsim {

struct NamedPlacement {
  std::string name;
  Placement machines;
};

/// Where the search begins, each placement once: `in turn` (on the machines that take ranks, where it has
/// some on others), then ranks as they are numbered on the fastest machines and on the fastest cores, heavy ranks first
/// each where it would be through soonest, and those that exchange much near each other.
std::vector<NamedPlacement> first_placements(const PlacementField& field, const Placement& in_turn);

}  // namespace nowsim
