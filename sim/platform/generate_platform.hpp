// Platforms from a short description, and machines for them whose speeds are drawn at random, with a diversity, a
// fastest and a slowest one that are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/platform/platform.hpp"

namespace nowsim {

/// N workstations ws1..wsN, or of the given names, on one network.
struct GeneratedPlatform {
  std::vector<std::string> names;      ///< one per workstation
  std::vector<double> speed_flops;     ///< one per workstation
  int cores = 1;
  NetworkKind network = NetworkKind::none;
  double bandwidth_Bps = 1e9;
  double latency_s = 0;                ///< of the whole way between two workstations
};

/// The link that joins a generated workstation to the others; its directions, of a full-duplex one, end in _UP and _DOWN.
inline std::string own_link_name(const std::string& workstation) { return workstation + "_link"; }
/// The link that all generated workstations share on a bus.
inline constexpr const char* kBusName = "bus";
/// The bandwidth of links that limit nothing: on a bus, those of workstations, which the platform does not list.
inline constexpr double kUnlimitedBps = 1e30;

/// SimGrid's XML of one zone with these machines, and what joins them.
std::string platform_xml(const std::vector<Workstation>& machines, const std::string& routing,
                         const std::string& network);
/// Makes machines and links, and the XML where there is a network. @throws InputError for sizes that differ, names
/// given twice or with characters that XML cannot hold, speeds and bandwidths that are not positive, a negative
/// latency.
Platform generate_platform(const GeneratedPlatform& description);

/// What is asked of machines whose speeds are drawn.
struct DrawnSpeeds {
  std::size_t machines = 1;
  std::size_t distinct = 1;  ///< how many different speeds they have
  double fastest_flops = 1, slowest_flops = 1;
  double d_conf = 0;         ///< (max - mean) / mean (BZ 10)
  std::uint64_t number = 1;  ///< which draw; the same description gives the same machines
};

/// Speeds [flop/s], falling. How many machines have each is uniform among all ways to share them out that leave d_conf
/// possible; the speeds between the fastest and the slowest are uniform among all that have it. @throws InputError for
/// what no machines can have, and says what they could; for a diversity so extreme that hardly any way to share the machines
/// out has it; and for speeds so near one another that draw after draw some are the same number.
std::vector<double> draw_speeds(const DrawnSpeeds& asked);

}  // namespace nowsim
