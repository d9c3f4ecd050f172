// How long a share takes on its machine under its owner alone, whatever program it belongs to.
#pragma once

#include "sim/program/scenario.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// T_i of a share [flop] on workstation i in these replications: when the integral of availability times speed reaches
/// it, from t = 0 and without a pause (HL 1, 2). What a program adds, such as waiting at barriers, has no part in it.
/// The paths are those that a run of the replications sees.
/// The owner must have paths: not those with jobs().
Moments computing_time(const Scenario& scenario, std::size_t i, double share_flop, const Batch& replications);

}  // namespace nowsim
