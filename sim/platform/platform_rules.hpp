// What a platform's file may say: each element, attribute and number that nowsim relies on is checked before SimGrid,
// which ends the process over some mistakes and passes over others, sees any of it. Part of the platform loader
// (read_platform.hpp).
#pragma once

#include <string>
#include <vector>

#include "sim/platform/platform_text.hpp"

namespace nowsim {

/// Allowed is what is in a list: elements, their attributes, settings (<config>), values in their ranges. Zones are
/// nested 256 deep at most, and the machine has memory for what elements such as <cluster> make.
/// @return remarks: settings that have no effect. @throws InputError for the first that is wrong, with file, line,
/// attribute, what was found and what is wanted.
std::vector<std::string> check_rules(const PlatformText& platform);

}  // namespace nowsim
