// Asking SimGrid for routes, in child processes that it may end.
#include "sim/platform/routes.hpp"

#include <simgrid/s4u.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <span>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/child_process.hpp"
#include "sim/platform/simgrid_session.hpp"

namespace nowsim {
namespace {

namespace s4u = simgrid::s4u;
using Pairs = std::span<const std::pair<std::size_t, std::size_t>>;

/// In a child with the platform: the route, or why there is none.
void put_route(Serializer& out, const s4u::Host* from, const s4u::Host* to) {
  std::vector<s4u::Link*> links;
  double latency = 0;
  std::string obstacle;
  try {
    from->route_to(to, links, &latency);
    if (links.empty() && latency <= 0) obstacle = kNoRoute;
  } catch (const std::exception&) {  // some zones say so
    links.clear();
    obstacle = kNoRoute;
  }
  for (const auto* link : links)
    if (link->get_sharing_policy() == s4u::Link::SharingPolicy::WIFI)
      obstacle = "the link " + quoted(link->get_name()) +
                 " is wireless (WIFI); messages over such are not simulated";
  out.put(obstacle);
  out.put(latency);
  out.put(links.size());
  for (const auto* link : links) {
    out.put(link->get_name());
    out.put(link->get_bandwidth());
  }
}

std::string routes_in_child(const Platform& platform, Pairs pairs) {
  Serializer out;
  for (const auto& [from, to] : pairs)
    put_route(out, s4u::Host::by_name(platform.workstations.at(from).name),
              s4u::Host::by_name(platform.workstations.at(to).name));
  return out.take();
}

/// Before it ends the process SimGrid looks up who called whom in the files of all libraries, for a tenth of a second.
void open_no_more_files() {
#ifndef __SANITIZE_ADDRESS__  // the sanitizers look at memory through pipes
  const rlimit none{0, 0};
  setrlimit(RLIMIT_NOFILE, &none);
#endif
}

/// SimGrid ends the process over some routes that there are not (by coordinates, for one), so the question is asked in
/// a child of its own: of all pairs, and where that ends, of either half.
class RouteProbe {
 public:
  explicit RouteProbe(const Platform& platform) : platform_(platform) {}

  std::string ask(Pairs pairs) {
    constexpr int kMostProbes = 5000;
    if (++probes_ > kMostProbes)
      throw InputError(Place{platform_.source, 0, ""}, "SimGrid cannot compute most routes of this platform");
    const ChildOutcome outcome = ChildProcess([&] {
                                   open_no_more_files();
                                   return routes_in_child(platform_, pairs);
                                 }).wait();
    if (!outcome.has_crashed) return outcome.get();
    if (pairs.size() > 1) {
      const std::string first = ask(pairs.first(pairs.size() / 2));
      return first + ask(pairs.subspan(pairs.size() / 2));
    }
    Serializer none;
    none.put(std::string(kNoRoute));
    none.put(0.0);
    none.put(std::size_t{0});
    return none.take();
  }

 private:
  const Platform& platform_;
  int probes_ = 0;
};

Route get_route(Deserializer& in) {
  Route route;
  route.obstacle = in.get_text();
  route.latency_s = in.get<double>();
  for (auto left = in.get<std::size_t>(); left > 0; --left) {
    route.links.push_back(in.get_text());
    const auto bandwidth = in.get<double>();
    route.bandwidth_Bps = route.links.size() == 1 ? bandwidth : std::min(route.bandwidth_Bps, bandwidth);
  }
  return route;
}

}  // namespace

std::vector<Route> look_for_routes(const Platform& platform,
                                   const std::vector<std::pair<std::size_t, std::size_t>>& pairs, double limit_s) {
  const auto probe = [&] {
    open_simgrid(platform.simgrid_xml(), platform.source, kPlatformPrecision);
    return RouteProbe(platform).ask(pairs);  // however many children it asks: they end with this one
  };
  const std::string answer = ask_child(platform, probe, limit_s);
  Deserializer in(answer);
  std::vector<Route> routes;
  for (std::size_t k = 0; k < pairs.size(); ++k) routes.push_back(get_route(in));
  return routes;
}

std::vector<Route> find_routes(const Platform& platform,
                               const std::vector<std::pair<std::size_t, std::size_t>>& pairs, double limit_s) {
  std::vector<Route> routes = look_for_routes(platform, pairs, limit_s);
  const auto bad = std::ranges::find_if(routes, [](const Route& route) { return !route.obstacle.empty(); });
  if (bad == routes.end()) return routes;
  const auto& [from, to] = pairs[static_cast<std::size_t>(bad - routes.begin())];
  const std::string &a = platform.workstations.at(from).name, &b = platform.workstations.at(to).name;
  if (bad->obstacle == kNoRoute) refuse_without_route(platform, a, b);
  throw InputError(Place{platform.source, 0, ""}, "no message can go from " + quoted(a) + " to " +
                                                      quoted(b) + ": " + bad->obstacle);
}

}  // namespace nowsim
