// Programs of supersteps on dedicated machines, where steps last as long whenever they are.
#pragma once

#include "sim/program/scenario.hpp"

namespace nowsim {

/// Runs a program whose steps have messages on a scenario's dedicated machines and uniform network: all replications
/// are the same. Within rounding, which does not grow with the number of steps, it is what its messages, computes and
/// barriers come to one by one. Steps that repeat cost the same for any number of ranks.
/// @param result columns of zeros; its number stays as it is.
/// @throws std::invalid_argument for roots that do not exist, and amounts that cannot be.
void run_on_dedicated(const Scenario& scenario, RunResult& result);

}  // namespace nowsim
