// What there is of each kind of words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/completion/candidate.hpp"
#include "tools/completion/shell_line.hpp"
#include "tools/line/argument.hpp"

namespace nowsim {

/// Commands that begin like this, but for those for programs.
Candidates command_candidates(const std::string& begin, std::span<const Command> commands);
/// What can stand at the cursor, where an argument of any of these kinds does.
Completion complete_argument(const std::vector<Argument>& kinds, const ShellLine& line,
                             std::span<const Command> commands, const Registries& registries);

}  // namespace nowsim
