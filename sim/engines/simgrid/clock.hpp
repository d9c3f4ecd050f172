// Where a batch stands on SimGrid's clock, and how fine that clock is.
#pragma once

#include <simgrid/s4u.hpp>

#include <cstdint>
#include <functional>
#include <utility>

#include "sim/engines/simgrid/simgrid_version.hpp"
#include "sim/program/scenario.hpp"

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

/// The slowest rank's mean computing time, as a first idea of T; 0 where there is no work.
double expected_time(const Scenario& scenario);

/// surf/precision [s] for makespans like this one: 1e-9 s is exact to the bit as long as it stays well above the clock's
/// last place; short jobs need it smaller, jobs of weeks larger.
double clock_precision(double typical_s);
/// Up to where the clock may go with a precision; at least 45 typical makespans.
double clock_limit(double precision_s);

}  // namespace nowsim
