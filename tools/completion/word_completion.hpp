// What the words and values of a command line stand for, and what there is of each kind.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/completion/candidate.hpp"
#include "tools/completion/shell_line.hpp"

namespace nowsim {

/// Of a command's own words, by its usage: SPEC.yaml, DIR, KEY, ...
Completion complete_word(const ShellLine& line, std::span<const Command> commands, const Registries& registries);
/// Whether such a word of a usage is known, or a file by its ending.
bool is_known_word(const std::string& word);
/// Of a flag's value.
Completion complete_flag_value(const ShellLine& line, const Registries& registries);

}  // namespace nowsim
