// A command whose first word is a command of its own, such as `nowsim trace fit`: its parts, listed and found.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "tools/line/command.hpp"

namespace nowsim {

/// A line for each part and one for its usage.
void print_parts(std::span<const Command> parts, std::ostream& out);
/// The part that the first of the words names. @pre there is one. @throws UsageError where no part has its name.
const Command& part_named(const Command& command, const std::vector<std::string>& words);

}  // namespace nowsim
