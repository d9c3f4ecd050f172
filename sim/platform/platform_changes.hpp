// The same platform with other speeds of machines or other figures of links, for SimGrid and for nowsim: the part of
// the platform loader (read_platform.hpp) that edits a file's XML once it is read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/platform/platform.hpp"

namespace nowsim {

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
