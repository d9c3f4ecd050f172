// The process's one SimGrid engine with nowsim's settings, and a platform loaded into it, whose fat pipes are what
// their name says; its clock, where the replications of a batch follow one another; and what the program calls of this
// room. For files that talk to SimGrid.
#pragma once

#include <cstdint>
#include <functional>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>

#include "sim/engines/simgrid/engine.hpp"
#include "sim/engines/simgrid/simgrid_version.hpp"
#include "sim/platform/platform.hpp"
#include "sim/platform/simgrid_module.hpp"

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

/// Makes the engine (once per process) and loads XML text; `name` is the file that messages name.
/// @param precision_s the smallest time difference SimGrid tells apart (surf/precision).
/// @param stack_kib of each actor.
/// @throws InputError for XML that SimGrid does not accept, with the file and line.
simgrid::s4u::Engine& open_simgrid(const std::string& xml, const std::string& name, double precision_s,
                                    int stack_kib = 64);

/// Makes of each fat pipe (FATPIPE) of the platform that SimGrid has loaded what its name says: a flow has at most the
/// pipe's bandwidth, and takes nothing from others. SimGrid 3.32 by itself stops all flows on a fat pipe where the first
/// has all of it, so that one of twice the latency gets half, or else, by the last place of bandwidth times latency, all
/// (maxmin.cpp: a flow's own bound, which is the same number, is tried before or after the pipe). Pipes whose bandwidth
/// varies by a profile stay SimGrid's.
void open_fat_pipes(const Platform& platform);

/// SimGridModule::run. Computes replications of a batch, at most until the simulated clock gets too large for its
/// precision. To be called in a child process. Returns the results, packed as a BatchPart. @throws RunError for a
/// deadlock or a program that throws; InputError for what SimGrid rejects.
std::string run_in_simgrid(const Scenario& scenario, const Batch& batch, double typical_time_s);

/// SimGridModule::describe: what SimGrid makes of the XML; hosts in the file's order.
std::string describe_platform(const std::string& xml, const std::string& name);
/// SimGridModule::routes: however many children it asks, they end with this one.
std::string routes_of_simgrid(const Platform& platform, SimGridModule::Pairs pairs);

}  // namespace nowsim
