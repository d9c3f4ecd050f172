// Words of commands that are shown or written for a shell.
#pragma once

#include <string>

namespace nowsim {

/// A word of a command as a shell reads it back: in quotes where it would take it apart.
std::string shell_word(const std::string& word);

}  // namespace nowsim
