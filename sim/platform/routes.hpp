// What lies between workstations: as the kind of network says of a generated platform, as SimGrid computes it of a file.
#pragma once

#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

/// Routes, each with what is in its way, if anything is: there is none, or it passes a wireless link.
struct FoundRoutes {
  bool hang_on_one_star = true;  ///< any route is its sender's links up and its receiver's links down, each link once
  std::vector<Route> routes;
  template <class All>
  void fields(All& all) {
    all(hang_on_one_star, routes);
  }
};

/// The routes between pairs of workstations, and the shape of the network that they are of. SimGrid is not loaded for
/// generated networks. @throws InputError where SimGrid fails over too many of them, RunError where it takes longer
/// than so many seconds.
FoundRoutes look_for_routes(const Platform& platform, const WorkstationPairs& pairs, double limit_s = kInfinity);

/// Routes without obstacles. @throws InputError for the first that has one.
std::vector<Route> find_routes(const Platform& platform, const WorkstationPairs& pairs, double limit_s = kInfinity);

}  // namespace nowsim
