// The same job on some of a scenario's workstations.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/program/scenario.hpp"
#include "sim/splitting/policies.hpp"

namespace nowsim {

/// The scenario with these of its workstations alone, in this order, each with its owner; the work split anew among
/// them. Since random streams are numbered by position, workstations that stand first in two such orders see the same
/// owners. The policy splits in closed form and reads no parameters.
/// @throws InputError, InfeasibleError where the policy refuses.
Scenario sub_scenario(const Scenario& scenario, const std::vector<std::size_t>& chosen, const Policy& policy);

/// Whether two of a scenario's workstations may stand for one another in a program that sends nothing: same speed,
/// cores and owner, and no state file.
bool are_alike(const Scenario& scenario, std::size_t a, std::size_t b);

}  // namespace nowsim
