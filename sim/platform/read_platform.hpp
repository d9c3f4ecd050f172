// Platforms from SimGrid XML files, and the same ones with other speeds of machines or other figures of links, for
// SimGrid and for nowsim.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

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

/// What is said of a link instead of what its file says; nothing: the file counts.
struct LinkFigures {
  std::optional<double> bandwidth_Bps;
  std::optional<double> latency_s;
};

struct PlatformChanges {
  std::map<std::string, double> speed_flops;  ///< of one core, by workstations' names
  std::map<std::string, LinkFigures> links;   ///< by names of changeable_links()
  [[nodiscard]] bool empty() const { return speed_flops.empty() && links.empty(); }
};

/// The links whose figures stand in the platform's XML, as they are called there: the cables that a <cluster> makes for
/// its machines have none of their own.
std::vector<std::string> changeable_links(const Platform& platform);

/// The platform with its XML rewritten, and described as SimGrid reads it then. Links by names that the XML does not
/// know stay as they are. @throws InputError where SimGrid does not accept it, and for a workstation that cannot have a
/// speed of its own, be it a new one or the one that it has: those of a <cluster> or <cabinet> have one in common.
Platform changed(const Platform& platform, const PlatformChanges& changes);

}  // namespace nowsim
