// What has to be the same for all ranks, at all times.
#include "sim/engines/direct/supersteps_at_once.hpp"

#include <algorithm>
#include <set>

#include "sim/base/error.hpp"
#include "sim/program/supersteps.hpp"

namespace nowsim {

bool can_go_at_once(const Scenario& scenario) {
  const Supersteps* program = scenario.workload->program().supersteps.get();
  if (program == nullptr || scenario.workload->program().ends_with_first_rank ||
      scenario.platform->has_state_profiles())
    return false;
  const auto feels_the_job = [](const OwnerPtr& owner) { return owner->jobs() != nullptr; };
  if (std::ranges::any_of(scenario.owners, feels_the_job)) return false;
  if (program->broadcast_tree() && program->moves_own_bytes()) return false;  // they might meet on links
  if (program->broadcast_tree() && scenario.size() > 1) return scenario.network && scenario.bandwidth.empty();
  if (!program->moves_own_bytes()) return true;
  return scenario.platform->has_network() && scenario.platform->link_profiles.empty();
}

namespace {

/// @throws InputError where a workstation has none of its own.
std::optional<std::vector<OwnPath>> own_paths(const Scenario& scenario, RouteTable& routes) {
  std::vector<OwnPath> paths;
  std::set<std::uint32_t> taken;
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const RouteTable::Route& path = routes.find_own(i);
    std::vector<std::uint32_t> shared;
    for (const auto& [link, times] : path.crossings) {
      if (times > 1 || !taken.insert(link).second) return std::nullopt;
      shared.push_back(link);
    }
    const bool varies = !scenario.bandwidth.empty() && !scenario.bandwidth[i]->is_dedicated();
    if (varies && (shared.size() != 1 || routes.links()[shared[0]].bandwidth_Bps != path.bandwidth_Bps))
      return std::nullopt;
    paths.push_back({path.latency_s, path.bandwidth_Bps});
  }
  return paths;
}

}  // namespace

std::optional<std::vector<OwnPath>> paths_at_once(const Scenario& scenario, RouteTable& routes) {
  if (!can_go_at_once(scenario)) return std::nullopt;
  if (!scenario.workload->program().supersteps->moves_own_bytes()) return std::vector<OwnPath>();
  try {
    return own_paths(scenario, routes);
  } catch (const InputError&) {
    return std::nullopt;  // for the rank to tell that is about to use it
  }
}

}  // namespace nowsim
