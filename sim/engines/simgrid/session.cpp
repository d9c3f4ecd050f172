// Settings that make SimGrid's results exact, and loading a platform from memory; platforms as SimGrid's parser makes
// them, and routes as it computes them, in child processes that it may end; and what the program finds in the module.
#include "sim/engines/simgrid/session.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xbt/log.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <simgrid_module_stamp.hpp>
#include <vector>
#include <xbt/parse_units.hpp>

#include "sim/base/error.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/routes.hpp"
#include "sim/platform/worker_process.hpp"

namespace nowsim {

namespace s4u = simgrid::s4u;

namespace {

/// Stacks dominate an actor's cost. The sanitizers do not know SimGrid's own stacks, only threads'.
std::string contexts_flag([[maybe_unused]] int stack_kib) {
#if defined(__SANITIZE_ADDRESS__)
  return "--cfg=contexts/factory:thread";
#else
  return "--cfg=contexts/stack-size:" + std::to_string(stack_kib);
#endif
}

/// A path under which `text` can be read as a file, without leaving one behind.
std::string in_memory_file(const std::string& text) {
  const int fd = memfd_create("platform.xml", 0);
  if (fd < 0) throw RunError("cannot hold the platform in memory");
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n <= 0) throw RunError("cannot hold the platform in memory");
    at += static_cast<std::size_t>(n);
  }
  return "/proc/self/fd/" + std::to_string(fd);
}

/// SimGrid's "Parse error at /proc/self/fd/5:12: ..." becomes a place in the user's file. Other messages have no line;
/// they come where the parser stands.
[[noreturn]] void rethrow_as_input_error(const std::string& what, const std::string& path, Place place) {
  std::string sentence = what;
  if (const auto at = what.find(path + ":"); at != std::string::npos) {
    char* rest = nullptr;
    place.line = static_cast<int>(std::strtol(what.c_str() + at + path.size() + 1, &rest, 10));
    sentence = std::string(rest).substr(std::strspn(rest, ": \n"));
  }
  for (std::size_t at; (at = sentence.find(path)) != std::string::npos;) sentence.replace(at, path.size(), place.file);
  throw InputError(place, "SimGrid does not accept the platform: " + in_users_words(sentence).sentence);
}

}  // namespace

s4u::Engine& open_simgrid(const std::string& xml, const std::string& name, double precision_s, int stack_kib) {
  xbt_log_control_set("root.thres:critical");
  static char program[] = "nowsim";
  static std::string contexts = contexts_flag(stack_kib);  // read only when the engine is made
  static char* arguments[] = {program, contexts.data(), nullptr};
  static int count = 2;
  static s4u::Engine engine(&count, arguments);
  using s4u::Engine;
  char precision[40];
  std::snprintf(precision, sizeof precision, "surf/precision:%.17g", precision_s);
  Engine::set_config(precision);
  // A message of m bytes takes lambda + m/beta: no TCP corrections, no window, no reverse traffic.
  Engine::set_config("network/model:CM02");
  Engine::set_config("network/crosstraffic:0");
  Engine::set_config("network/TCP-gamma:1e300");
  // All flows' rates at every event: with SimGrid 3.32's lazy updates some flows over several links end per cents off.
  Engine::set_config("network/optim:Full");
  // Of a link of which less is left than this part SimGrid takes all to be used up, and gives its other flows what they
  // may have elsewhere. Finer than 1e-7 its own rounding ends it (sim/engines/simgrid/README.md).
  Engine::set_config("maxmin/precision:1e-7");
  // What is the default: said all the same, or the platform's own <config> would choose models that are not exact.
  for (const char* setting : {"host/model:default", "cpu/model:Cas01", "cpu/optim:Lazy",
                              "network/latency-factor:1", "network/bandwidth-factor:1", "network/weight-S:0"})
    Engine::set_config(setting);
  const std::string path = in_memory_file(canonical_xml(xml, simgrid_version::kLoneCluster));
  bool is_parsing = true;
  try {
    engine.load_platform(path);
    is_parsing = false;  // what is wrong with the whole has no line
    engine.seal_platform();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    rethrow_as_input_error(e.what(), path, {name, is_parsing ? simgrid_version::parser_line() : 0, ""});
  }
  return engine;
}

void open_fat_pipes(const Platform& platform) {
  const auto varies = [&](const std::string& link) {
    return std::ranges::any_of(platform.link_profiles, [&](const LinkProfile& p) {
      return p.link == link && p.quantity == ProfileQuantity::bandwidth;
    });
  };
  // SimGrid bounds a flow by the least bandwidth on its way anyway. A capacity that no flows exhaust leaves it at that.
  const auto beyond_bounds = [](double, int) { return 1e300; };
  for (s4u::Link* link : s4u::Engine::get_instance()->get_all_links())
    if (link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE && !varies(link->get_name()))
      link->set_sharing_policy(s4u::Link::SharingPolicy::NONLINEAR, beyond_bounds);
}

namespace {

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
std::vector<Route> ask_routes(const Platform& platform, Pairs pairs, int& probes) {
  constexpr int kMostProbes = 5000;
  if (++probes > kMostProbes)
    throw InputError(Place{platform.source, 0, ""}, "SimGrid cannot compute most routes of this platform");
  const ChildOutcome outcome = run_forked([&] {
    open_no_more_files();
    try {
      return packed(routes_between(platform, pairs));
    } catch (const std::bad_alloc&) {  // a sentence of this platform, as ask_simgrid.cpp has it of others
      throw InputError(Place{platform.source, 0, ""}, "this platform needs more memory than this machine has free");
    }
  });
  std::vector<Route> routes(1);
  routes.front().no_route_reason = kNoRoute;
  if (!outcome.has_crashed) {
    Deserializer(outcome.get()).get_into(routes);
  } else if (pairs.size() > 1) {
    routes = ask_routes(platform, pairs.first(pairs.size() / 2), probes);
    const std::vector<Route> others = ask_routes(platform, pairs.subspan(pairs.size() / 2), probes);
    routes.insert(routes.end(), others.begin(), others.end());
  }
  return routes;
}

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
  int probes = 0;
  return packed(FoundRoutes{hangs_on_one_star(platform), ask_routes(platform, pairs, probes)});
}

}  // namespace nowsim

extern "C" const nowsim::SimGridModule nowsim_simgrid_module{nowsim::kSimGridModuleStamp, nowsim::describe_platform,
                                                             nowsim::routes_of_simgrid, nowsim::run_in_simgrid,
                                                             nowsim::simgrid_version::release};
