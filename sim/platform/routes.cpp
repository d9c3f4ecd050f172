// Routes of generated platforms, which their kind of network says, and those of files, for which SimGrid is asked.
#include "sim/platform/routes.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/generate_platform.hpp"
#include "sim/platform/simgrid_module.hpp"

namespace nowsim {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;

/// The links up from the sender, then those down to the receiver, each once, as SimGrid has them in a star.
std::vector<std::string> links_in_star(NetworkKind kind, const std::string& from, const std::string& to) {
  const std::string up = own_link_name(from), down = own_link_name(to);
  if (kind == NetworkKind::network_switch) return {up + "_UP", down + "_DOWN"};
  std::vector<std::string> names{up};
  if (kind == NetworkKind::bus) names.emplace_back(kBusName);
  if (from != to) names.push_back(down);
  return names;
}

Route generated_route(const Platform& platform, const std::unordered_map<std::string, const Link*>& links,
                      const Pair& pair) {
  Route route;
  route.links = links_in_star(platform.generated_network, platform.workstations.at(pair.first).name,
                              platform.workstations.at(pair.second).name);
  route.bandwidth_Bps = kUnlimitedBps;
  for (const auto& name : route.links)
    if (const auto link = links.find(name); link != links.end()) {
      route.latency_s += link->second->latency_s;
      route.bandwidth_Bps = std::min(route.bandwidth_Bps, link->second->bandwidth_Bps);
    }
  return route;
}

}  // namespace

FoundRoutes routes_and_shape(const Platform& platform, const std::vector<Pair>& pairs, double limit_s) {
  FoundRoutes found;
  if (platform.generated_network != NetworkKind::none) {
    const auto links = links_by_route_name(platform);
    for (const Pair& pair : pairs) found.routes.push_back(generated_route(platform, links, pair));
    return found;
  }
  const auto routes = simgrid_module().routes;
  const std::string answer = ask_child(platform, [&] { return routes(platform, pairs); }, limit_s);
  Deserializer(answer).get_into(found);
  return found;
}

std::vector<Route> look_for_routes(const Platform& platform, const std::vector<Pair>& pairs, double limit_s) {
  return routes_and_shape(platform, pairs, limit_s).routes;
}

std::vector<Route> find_routes(const Platform& platform,
                               const std::vector<std::pair<std::size_t, std::size_t>>& pairs, double limit_s) {
  std::vector<Route> routes = look_for_routes(platform, pairs, limit_s);
  const auto bad = std::ranges::find_if(routes, [](const Route& route) { return !route.no_route_reason.empty(); });
  if (bad == routes.end()) return routes;
  const auto& [from, to] = pairs[static_cast<std::size_t>(bad - routes.begin())];
  const std::string &a = platform.workstations.at(from).name, &b = platform.workstations.at(to).name;
  if (bad->no_route_reason == kNoRoute) refuse_without_route(platform, a, b);
  throw InputError(Place{platform.source, 0, ""}, "no message can go from " + quoted(a) + " to " +
                                                      quoted(b) + ": " + bad->no_route_reason);
}

}  // namespace nowsim
