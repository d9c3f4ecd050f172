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

/// SimGrid's XML of one zone with these machines, and what joins them.
std::string platform_xml(const std::vector<Workstation>& machines, const std::string& routing,
                         const std::string& network);
/// Makes machines and links, and the XML where there is a network. @throws InputError for sizes that differ, names
/// given twice or with characters that XML cannot hold, speeds and bandwidths that are not positive, a negative
/// latency.
Platform generate_platform(const GeneratedPlatform& description);
/// Machines of a file that has no network, joined by one that is generated; what the file says of them stays. @throws
/// InputError as generate_platform(). @pre the platform has no network.
Platform with_network(const Platform& platform, NetworkKind network, double bandwidth_Bps, double latency_s);
/// Routes between pairs of its workstations, as its kind of network says.
std::vector<Route> generated_routes(const Platform& platform, const WorkstationPairs& pairs);

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
