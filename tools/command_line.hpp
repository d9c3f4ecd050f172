// The command line `nowsim`, as a function: a program with workloads of its own gets all commands by calling it.
#pragma once

#include "workloads/parts/registry.hpp"

namespace nowsim {

/// Runs `nowsim ARGUMENTS`. Returns the exit status: 0 success, 1 a run failed, 2 bad usage or bad input.
int command_line(int argc, const char* const* argv, const WorkloadRegistry& workloads);

}  // namespace nowsim
