// What can be typed next: one engine for all shells.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/completion/candidate.hpp"
#include "tools/line/command.hpp"

namespace nowsim {

/// `typed` are the words behind `nowsim`; the last one, which may be "", is at the cursor. Nothing is simulated, and
/// SimGrid not asked.
Completion complete(const std::vector<std::string>& typed, std::span<const Command> commands,
                    const Registries& registries);

}  // namespace nowsim
