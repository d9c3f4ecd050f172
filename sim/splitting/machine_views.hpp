// What splitting policies and theory know of a scenario's workstations before anything runs; the same job on some of
// them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/program/scenario.hpp"
#include "sim/splitting/policies.hpp"

namespace nowsim {

/// Moments of T_i for a share [flop] on workstation i: those that the workload prescribes, else the renewal-reward ones
/// (closed_forms.hpp). None where the owner is no renewal process.
std::optional<TimeMoments> theoretical_time(const Scenario& scenario, std::size_t i, double share_flop);

/// The scenario's workstations as policies see them. sigma_s is that of theoretical_time(); what owners leave on
/// average is what is expected during the run (below).
std::vector<MachineView> machine_views(const Scenario& scenario);

/// Of owners that go by a clock, or are found in the middle of something, the mean availability that a split has to
/// know is that from the job's beginning until all machines that take part are expected to have done its work together:
/// found by iteration, since it depends on what they leave until then. Of others it is that of all times.
void expect_during_run(const Scenario& scenario, std::vector<MachineView>& machines);

/// The scenario with these of its workstations alone, in this order, each with its owner; the work split anew among
/// them. Since random streams are numbered by position, workstations that stand first in two such orders see the same
/// owners. The policy splits in closed form and reads no parameters.
/// @throws InputError, InfeasibleError where the policy refuses.
Scenario sub_scenario(const Scenario& scenario, const std::vector<std::size_t>& chosen, const Policy& policy);

/// Whether two of a scenario's workstations may stand for one another in a program that sends nothing: same speed,
/// cores and owner, and no state file.
bool are_alike(const Scenario& scenario, std::size_t a, std::size_t b);

}  // namespace nowsim
