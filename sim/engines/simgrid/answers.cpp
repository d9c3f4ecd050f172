// Platforms as SimGrid's parser makes them, and routes as it computes them, in child processes that it may end.
#include "sim/engines/simgrid/module.hpp"

#include <simgrid/s4u.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <set>
#include <vector>
#include <xbt/parse_units.hpp>

#include "sim/base/error.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/simgrid/session.hpp"
#include "sim/engines/simgrid/simgrid_version.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/routes.hpp"
#include "sim/platform/worker_process.hpp"

namespace nowsim {
namespace {

namespace s4u = simgrid::s4u;

/// The precision with which platforms are loaded to be asked about (surf/precision): SimGrid's own.
constexpr double kPlatformPrecision = 1e-9;

// ---- machines and links ----

double memory_size(const std::string& text, const std::string& host, const std::string& file) {
  try {
    return xbt_parse_get_size(file, 0, text, "memory");
  } catch (const std::exception&) {
    throw InputError(Place{file, 0, "host " + host}, "memory=" + quoted(text) + " is not a size such as 16MiB");
  }
}

DescribedMachine described(const s4u::Host& host, const std::string& file) {
  DescribedMachine machine{host.get_name(), host.get_speed(), host.get_core_count()};
  const auto& properties = *host.get_properties();
  if (const auto memory = properties.find("memory"); memory != properties.end())
    machine.memory_bytes = memory_size(memory->second, host.get_name(), file);
  for (const auto& [key, value] : properties) machine.properties.insert(machine.properties.end(), {key, value});
  return machine;
}

Link described(const s4u::Link& link) {
  return {link.get_name(), link.get_bandwidth(), link.get_latency(),
          link.get_sharing_policy() != s4u::Link::SharingPolicy::FATPIPE};
}

template <class T>
std::string packed(const T& value) {
  Serializer out;
  out.put(value);
  return out.take();
}

// ---- routes ----

using Pairs = SimGridModule::Pairs;

/// Whether every route is made of its sender's links up and its receiver's links down. A bypass would be another.
bool hangs_on_one_star(const Platform& platform) {
  const auto zone_of = [](const Workstation& w) { return s4u::Host::by_name(w.name)->get_englobing_zone(); };
  const auto* zone = zone_of(platform.workstations.front());
  return std::ranges::all_of(platform.workstations, [&](const Workstation& w) { return zone_of(w) == zone; }) &&
         simgrid_version::is_star(*zone) &&
         platform.xml.find("<bypass") == std::string::npos;
}

/// The route, or why there is none.
Route route_between(const s4u::Host* from, const s4u::Host* to) {
  std::vector<s4u::Link*> links;
  Route route;
  try {
    from->route_to(to, links, &route.latency_s);
    if (links.empty() && route.latency_s <= 0) route.no_route_reason = kNoRoute;
  } catch (const std::exception&) {  // some zones say so
    links.clear();
    route.no_route_reason = kNoRoute;
  }
  for (const auto* link : links) {
    route.add(described(*link));
    if (link->get_sharing_policy() == s4u::Link::SharingPolicy::WIFI)
      route.no_route_reason = "the link " + quoted(link->get_name()) +
                       " is wireless (WIFI); messages over such are not simulated";
  }
  return route;
}

std::vector<Route> routes_between(const Platform& platform, Pairs pairs) {
  std::vector<Route> routes;
  for (const auto& [from, to] : pairs)
    routes.push_back(route_between(s4u::Host::by_name(platform.workstations.at(from).name),
                                   s4u::Host::by_name(platform.workstations.at(to).name)));
  return routes;
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

  std::vector<Route> ask(Pairs pairs) {
    constexpr int kMostProbes = 5000;
    if (++probes_ > kMostProbes)
      throw InputError(Place{platform_.source, 0, ""}, "SimGrid cannot compute most routes of this platform");
    const ChildOutcome outcome = run_forked([&] {
      open_no_more_files();
      return packed(routes_between(platform_, pairs));
    });
    std::vector<Route> routes(1);
    routes.front().no_route_reason = kNoRoute;
    if (!outcome.has_crashed) {
      Deserializer(outcome.get()).get_into(routes);
    } else if (pairs.size() > 1) {
      routes = ask(pairs.first(pairs.size() / 2));
      const std::vector<Route> others = ask(pairs.subspan(pairs.size() / 2));
      routes.insert(routes.end(), others.begin(), others.end());
    }
    return routes;
  }

 private:
  const Platform& platform_;
  int probes_ = 0;
};

}  // namespace

std::string describe_platform(const std::string& xml, const std::string& name) {
  limit_memory();
  std::vector<s4u::Host*> hosts;
  // SimGrid 3.32 signals the creation of a host a second time when it is sealed.
  s4u::Host::on_creation_cb([&hosts, known = std::set<s4u::Host*>()](s4u::Host& host) mutable {
    if (known.insert(&host).second) hosts.push_back(&host);
  });
  const auto& engine = open_simgrid(xml, name, kPlatformPrecision);
  PlatformDescription description;
  for (const auto* host : hosts) description.machines.push_back(described(*host, name));
  for (const auto* link : engine.get_all_links())
    if (link->get_name() != "__loopback__") description.links.push_back(described(*link));
  return packed(description);
}

std::string routes_of_simgrid(const Platform& platform, Pairs pairs) {
  limit_memory();
  open_simgrid(platform.simgrid_xml(), platform.source, kPlatformPrecision);
  return packed(FoundRoutes{hangs_on_one_star(platform), RouteProbe(platform).ask(pairs)});
}

}  // namespace nowsim
