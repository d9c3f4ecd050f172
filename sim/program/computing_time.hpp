// What an owner leaves of a machine, whatever program it is left to: how long a share takes, what is left in a time.
#pragma once

#include <vector>

#include "sim/program/scenario.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// T_i of a share [flop] on workstation i in these replications: when the integral of availability times speed reaches
/// it, from t = 0 and without a pause (HL 1, 2). What a program adds, such as waiting at barriers, has no part in it.
/// The paths are those that a run of the replications sees, of measured owners as their draws have them.
/// The owner must have paths: not those with jobs().
Moments computing_time(const Scenario& scenario, std::size_t i, double share_flop, const Batch& replications);

/// The integral of workstation i's availability over so many seconds from t = 0 [s], in each of these replications.
/// The owner must have paths: not those with jobs().
std::vector<double> available_time(const Scenario& scenario, std::size_t i, double seconds, const Batch& replications);

/// When all machines that work is for, from the first worker on, would have done the program's work together, each at
/// its full speed as far as its owner leaves it, in each of these replications [s]. No split among them is done before:
/// until T each does what is left of it at most. The owners must have paths.
/// `owners` remembers those of draws; may be null.
std::vector<double> times_together(const Scenario& scenario, const Batch& replications, DrawnOwners* owners = nullptr);

}  // namespace nowsim
