// Platforms from a short description.
#pragma once

#include <string>
#include <vector>

#include "sim/platform/platform.hpp"

namespace nowsim {

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
/// SimGrid's XML of one zone with these machines, and what joins them.
std::string platform_xml(const std::vector<Workstation>& machines, const std::string& routing,
                         const std::string& network);
/// Makes machines and links, and the XML where there is a network. @throws InputError for sizes that differ, names
/// given twice or with characters that XML cannot hold, speeds and bandwidths that are not positive, a negative
/// latency.
Platform generate_platform(const GeneratedPlatform& description);

}  // namespace nowsim
