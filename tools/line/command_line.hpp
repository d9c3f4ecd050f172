// The command line `nowsim`, as a function: a program with things of its own gets all commands by calling it.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "tools/line/session.hpp"

namespace nowsim {

/// What nowsim's commands know, and a program's own things besides. @throws InputError where an addition has a name
/// that is taken.
Registries registries_with(const Additions& additions);
/// Runs `nowsim WORDS`. Returns the exit status of what ended as it should, or was told already: 0 success, 1 a run
/// failed. @throws UsageError (tools/line/arguments.hpp), InputError, RunError and whatever else goes wrong.
int carry_out_words(const std::vector<std::string>& words, Session& session);
/// The same with messages instead: errors are sentences on the error stream. Returns the exit status: 2 for bad usage or
/// bad input besides.
int command_line(int argc, const char* const* argv, const Additions& additions = {});

}  // namespace nowsim
