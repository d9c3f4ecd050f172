// What lies between workstations, as SimGrid computes it.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

/// The routes between pairs of workstations, as SimGrid computes them, each with what is in its way, if anything is:
/// there is none, or it passes a wireless link. @throws InputError where SimGrid fails over too many of them, RunError
/// where it takes longer than so many seconds.
std::vector<Route> look_for_routes(const Platform& platform,
                                   const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                                   double limit_s = kInfinity);

/// Routes without obstacles. @throws InputError for the first that has one.
std::vector<Route> find_routes(const Platform& platform, const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                               double limit_s = kInfinity);

}  // namespace nowsim
