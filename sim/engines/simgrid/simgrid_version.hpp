// What depends on SimGrid's release, 3.32 (Debian 12) to 4.0 (Debian 13): other names, what of its kernel is used, and
// which release is there.
#pragma once

#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

#if SIMGRID_VERSION < 33200 || SIMGRID_VERSION >= 40100
#error "nowsim uses parts of SimGrid's kernel, which it knows of SimGrid 3.32 (Debian 12) to 4.0 (Debian 13)"
#endif
// Its public interface has no timers, takes profiles that only the kernel builds, and does not tell one kind of zone from
// another.
#include <simgrid/kernel/ProfileBuilder.hpp>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/routing/StarZone.hpp>

#include <functional>
#include <string>

#include "sim/platform/platform_text.hpp"

/// Where SimGrid's parser of platforms stands: by its name of 3.32, and by that of 4.0. Neither is in a header.
[[gnu::weak]] int surf_parse_get_lineno();
[[gnu::weak]] int simgrid_parse_get_lineno();

namespace nowsim::simgrid_version {

/// SimGrid 4.0 makes clusters of every topology but FLAT in the zone that holds them, and crashes where there is none.
inline constexpr LoneCluster kLoneCluster = SIMGRID_VERSION >= 40000 ? LoneCluster::in_a_zone : LoneCluster::as_it_is;

/// The line that is being read; 0 where SimGrid does not tell.
inline int parser_line() {
  if (surf_parse_get_lineno != nullptr) return surf_parse_get_lineno();
  return simgrid_parse_get_lineno != nullptr ? simgrid_parse_get_lineno() : 0;
}

/// That of the library that is loaded, as its packages write it: 3.32, 4.0 or, of a release that mends another, 4.0.1.
inline std::string release() {
  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  return std::to_string(major) + "." + std::to_string(minor) + (patch > 0 ? "." + std::to_string(patch) : "");
}

/// Calls back at a date of the simulated clock.
using Timer = simgrid::kernel::timer::Timer;

/// Makes what hosts and links take as their profiles.
using simgrid::kernel::profile::ProfileBuilder;
using simgrid::kernel::profile::DatedValue;
using simgrid::kernel::profile::Profile;

/// Whether routes in a zone are made of links up and links down.
inline bool is_star(const simgrid::s4u::NetZone& zone) {
  return dynamic_cast<const simgrid::kernel::routing::StarZone*>(zone.get_impl()) != nullptr;
}

/// Calls back after any host is switched on or off.
inline void on_host_switched(const std::function<void(const simgrid::s4u::Host&)>& callback) {
#if SIMGRID_VERSION >= 33400
  simgrid::s4u::Host::on_onoff_cb(callback);
#else
  simgrid::s4u::Host::on_state_change_cb(callback);
#endif
}

/// Starts an actor on a host.
inline simgrid::s4u::ActorPtr start_actor(const std::string& name, simgrid::s4u::Host* host,
                                          const std::function<void()>& code) {
#if SIMGRID_VERSION >= 40000
  return simgrid::s4u::Engine::add_actor(name, host, code);
#else
  return simgrid::s4u::Actor::create(name, host, code);
#endif
}

}  // namespace nowsim::simgrid_version
