// Plain scalars that could mean two things.
#pragma once

#include <string>

namespace nowsim {

/// The sentence against a plain scalar that YAML 1.1 reads as a number or a date and YAML 1.2 as text, or "".
std::string objection_to(const std::string& text);

}  // namespace nowsim
