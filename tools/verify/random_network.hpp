// Random networks that can be taken apart: links, and the way between each two machines.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/platform/platform.hpp"
#include "tools/verify/random_draws.hpp"

namespace nowsim {

/// Machines, links, and which links lie between which machines.
struct RandomNetwork {
  struct Wire {
    double bandwidth_Bps, latency_s;
    bool shared = true;         ///< else a fat pipe
    std::string profile = {};   ///< of its bandwidth, in SimGrid's grammar; none: it does not vary
  };
  std::vector<double> speeds_flops;  ///< a machine each
  std::vector<Wire> links;
  std::map<std::pair<int, int>, std::vector<std::size_t>> ways;  ///< also of machines to themselves, where they have one

  [[nodiscard]] bool has_own_paths() const { return ways.contains({0, 0}); }
  /// Without a machine, or a link; nothing changes where a way would have no link left.
  [[nodiscard]] RandomNetwork without_machine(int machine) const;
  [[nodiscard]] RandomNetwork without_link(std::size_t link) const;
};

/// "bus", "crossbar", "tree", ...
const std::vector<std::string>& random_network_kinds();
/// A network of a kind, of two to eight machines. @param kind 0 .. random_network_kinds().size() - 1.
RandomNetwork random_network(std::size_t kind, RandomDraws& draws);

/// The same for the engines: one zone with a route for each way.
std::shared_ptr<const Platform> platform_of(const RandomNetwork& network);

}  // namespace nowsim
