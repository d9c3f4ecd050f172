// Platforms from SimGrid XML files.
#pragma once

#include <string>

#include "sim/base/infinity.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

/// Reads any SimGrid platform file. SimGrid itself parses it (in a child process); before that, profiles are taken out
/// and read by nowsim, so that random ones are drawn from its streams, and what SimGrid would accept in silence or
/// abort on is checked.
/// @throws InputError naming file and line: missing file, malformed XML, profiles that are missing or malformed, what
/// the rules do not allow (platform_rules.hpp) or SimGrid does not accept; no host; more than there is memory for.
/// RunError where SimGrid takes longer than so many seconds: a million machines take it many.
Platform load_platform(const std::string& file, double limit_s = kInfinity);

/// The platform that SimGrid makes of XML that has no profiles. `source` stands for it in errors. @throws InputError
/// where SimGrid does not accept it.
Platform platform_from(const std::string& xml, const std::string& source,
                       double limit_s = kInfinity);

}  // namespace nowsim
