// Where a batch stands on SimGrid's clock.
#pragma once

#include <simgrid/s4u.hpp>

#include <cstdint>
#include <functional>
#include <utility>

#include "sim/engines/simgrid/simgrid_version.hpp"

namespace nowsim {

using SimGridTimer = simgrid_version::Timer;

inline double simgrid_clock_s() { return simgrid::s4u::Engine::get_clock(); }

/// Does something at this moment, but not in a dying actor, which must not call the kernel.
inline void do_later(std::function<void()> what) { SimGridTimer::set(simgrid_clock_s(), std::move(what)); }

/// A replication's beginning on the simulated clock.
struct ClockOrigin {
  std::uint64_t replication = 0;
  double date_s = 0;
};

/// Replications of a batch follow one another on one clock.
struct BatchClock {
  ClockOrigin origin;  ///< of the replication that is under way, or due
  bool ended = false;  ///< that replication; the next one may not have begun
  bool over = false;   ///< the batch

  /// Since the replication began [s].
  [[nodiscard]] double now() const { return simgrid_clock_s() - origin.date_s; }
  [[nodiscard]] bool is_running(std::uint64_t replication) const {
    return !over && !ended && replication == origin.replication;
  }
};

}  // namespace nowsim
