// Platforms from SimGrid XML files and from a short description, and what SimGrid says of their routes.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/platform/platform.hpp"

namespace nowsim {

/// Reads any SimGrid platform file. SimGrid itself parses it (in a child process); before that, profiles are taken out
/// and read by nowsim, so that random ones are drawn from its streams, and what SimGrid would accept in silence or
/// abort on is checked.
/// @throws InputError naming file and line: missing file, malformed XML, profiles that are missing or malformed, what
/// the rules do not allow (platform_rules.hpp) or SimGrid does not accept; no host; more than there is memory for.
/// RunError where SimGrid takes longer than so many seconds: a million machines take it many.
Platform load_platform(const std::string& file, double limit_s = std::numeric_limits<double>::infinity());

/// The platform that SimGrid makes of XML that has no profiles. `source` stands for it in errors. @throws InputError
/// where SimGrid does not accept it.
Platform platform_from(const std::string& xml, const std::string& source,
                       double limit_s = std::numeric_limits<double>::infinity());

/// How generated workstations are joined.
enum class NetworkKind {
  none,    ///< no network: messages are an error
  bus,     ///< one shared medium: all messages share its bandwidth
  network_switch,  ///< a full-duplex link per workstation into a non-blocking switch
  links,   ///< a half-duplex link per workstation, shared by what it sends, receives and transfers over its own path
};

/// N workstations ws1..wsN, or of the given names, on one network.
struct GeneratedPlatform {
  std::vector<std::string> names;      ///< one per workstation
  std::vector<double> speed_flops;     ///< one per workstation
  int cores = 1;
  NetworkKind network = NetworkKind::none;
  double bandwidth_Bps = 1e9;
  double latency_s = 0;                ///< of the whole way between two workstations
};
/// Builds the XML and the description together. @throws InputError for sizes that differ, names given twice or with
/// characters that XML cannot hold, speeds and bandwidths that are not positive, a negative latency.
Platform generate_platform(const GeneratedPlatform& description);

/// The routes between pairs of workstations, as SimGrid computes them, each with what is in its way, if anything is:
/// there is none, or it passes a wireless link. @throws InputError where SimGrid fails over too many of them, RunError
/// where it takes longer than so many seconds.
std::vector<Route> look_for_routes(const Platform& platform,
                                   const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                                   double limit_s = std::numeric_limits<double>::infinity());

/// The same, without obstacles. @throws InputError for the first that has one.
std::vector<Route> find_routes(const Platform& platform, const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                               double limit_s = std::numeric_limits<double>::infinity());

}  // namespace nowsim
