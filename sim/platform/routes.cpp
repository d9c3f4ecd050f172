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

FoundRoutes look_for_routes(const Platform& platform, const WorkstationPairs& pairs, double limit_s) {
  if (platform.generated_network != NetworkKind::none) return {true, generated_routes(platform, pairs)};
  const auto routes = simgrid_module().routes;
  const std::string answer = ask_child(platform, [&] { return routes(platform, pairs); }, limit_s);
  FoundRoutes found;
  Deserializer(answer).get_into(found);
  return found;
}

std::vector<Route> find_routes(const Platform& platform, const WorkstationPairs& pairs, double limit_s) {
  std::vector<Route> routes = look_for_routes(platform, pairs, limit_s).routes;
  const auto bad = std::ranges::find_if(routes, [](const Route& route) { return !route.no_route_reason.empty(); });
  if (bad == routes.end()) return routes;
  const auto& [from, to] = pairs[static_cast<std::size_t>(bad - routes.begin())];
  const std::string &a = platform.workstations.at(from).name, &b = platform.workstations.at(to).name;
  if (bad->no_route_reason == kNoRoute) refuse_without_route(platform, a, b);
  throw InputError(Place{platform.source, 0, ""}, "no message can go from " + quoted(a) + " to " +
                                                      quoted(b) + ": " + bad->no_route_reason);
}

}  // namespace nowsim
