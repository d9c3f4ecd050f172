// When programs of supersteps need no events: who begins when follows from the step, and from its latest end.
#pragma once

#include <optional>

#include "sim/engines/direct/route_table.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// Whether a scenario's program is one of supersteps, and machines and network such that these can be computed at once.
/// Machines that switch off and on, owners that feel the job, and jobs that end before all ranks have, are cases for
/// events.
bool can_go_at_once(const Scenario& scenario);

/// How bytes travel over a workstation's own path.
struct OwnPath {
  double latency_s, bandwidth_Bps;
};
/// The own paths of all workstations of a scenario that can go at once: none where its program moves no bytes over them.
/// Nothing where it cannot, or where some links are shared, or vary while they are not the whole path.
std::optional<std::vector<OwnPath>> paths_at_once(const Scenario& scenario, RouteTable& routes);

}  // namespace nowsim
