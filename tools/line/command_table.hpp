// The commands that there are.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tools/line/command.hpp"

namespace nowsim {

/// What nowsim is for, in a sentence.
inline constexpr const char* kWhatNowsimDoes =
    "nowsim simulates parallel jobs on machines that others use too: how long will it take,\n"
    "how should it be split, how sure can I be?";

/// All of them, in the order of `nowsim help`; those for programs come last.
const std::vector<Command>& commands();
/// Null where there is none.
const Command* find_command(const std::string& name);
/// Names of those that are for people.
std::vector<std::string> command_names();
/// A line for each command, and for each page of the manual.
void print_overview(std::ostream& out);

}  // namespace nowsim
