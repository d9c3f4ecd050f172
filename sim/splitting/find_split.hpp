// Finding a split by simulation: pilots for sigma, the guard of HL's second step, the search for the optimum.
#pragma once

#include "sim/splitting/split_report.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {

/// Does what a task asks for; the same answer whenever and wherever it is asked. Nothing is simulated twice that can be
/// had from one simulation; simulating takes seconds, on SimGrid minutes.
/// @throws InputError or InfeasibleError where the policy refuses; RunError where a simulation cannot be completed.
SplitReport find_split(const SplitTask& task);

}  // namespace nowsim
