// Networks in which any two workstations are alike: what closed forms, and supersteps computed at once, need to know.
#pragma once

#include <optional>

#include "sim/base/infinity.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

/// A message takes latency + bytes/bandwidth between any two workstations, whatever messages travel at the same time
/// between others: each workstation sends one and receives one at a time, on ways of their own.
struct UniformNetwork {
  double latency_s = 0;
  double bandwidth_Bps = 0;  ///< infinite without links

  /// T_M = lambda + m/beta of a message of m bytes (BO 3.1) [s].
  [[nodiscard]] double message_s(double bytes) const { return latency_s + bytes / bandwidth_Bps; }
};

/// The network among a platform's workstations (at least two), by its routes; nothing where it is not
/// of that kind, or not known to be. Links with profiles make it none. @throws InputError where there is no route,
/// RunError where SimGrid takes longer than so many seconds.
std::optional<UniformNetwork> uniform_network(const Platform& platform, double limit_s = kInfinity);

}  // namespace nowsim
