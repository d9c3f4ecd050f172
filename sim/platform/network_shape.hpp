// What routes tell of a platform's network: whether any two workstations are alike in it, which is what closed forms
// and supersteps computed at once need to know, and whether each has a link of its own, whose bandwidth can vary by
// itself.
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

/// The links of a workstation's own path (its route to itself, Rank::transfer) are to vary together, and with nothing
/// else. @throws InputError, a sentence for the user, where a workstation has no path of its own, or where one of its
/// links is another workstation's too, gives every flow its whole bandwidth (FATPIPE: such a link cannot change while a
/// flow is on its way), or has a bandwidth profile in the platform's file.
/// RunError where SimGrid takes longer than so many seconds to tell the paths.
void check_own_links(const Platform& platform, double limit_s = kInfinity);

}  // namespace nowsim
