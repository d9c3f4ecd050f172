// Platforms as SimGrid's parser makes them, and routes as it computes them, in child processes that it may end.
#include "sim/engines/simgrid/module.hpp"

#include <simgrid/s4u.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <set>
#include <vector>
#include <xbt/parse_units.hpp>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/simgrid/session.hpp"
#include "sim/engines/simgrid/simgrid_version.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/child_process.hpp"

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

void put_host(Serializer& out, const s4u::Host& host, const std::string& file) {
  out.put(host.get_name());
  out.put(host.get_speed());
  out.put(host.get_core_count());
  const auto& properties = *host.get_properties();
  const auto memory = properties.find("memory");
  out.put(memory != properties.end() ? memory_size(memory->second, host.get_name(), file) : -1.0);
  out.put(properties.size());
  for (const auto& [key, value] : properties) {
    out.put(key);
    out.put(value);
  }
}

void put_link(Serializer& out, const s4u::Link& link) {
  out.put(link.get_name());
  out.put(link.get_bandwidth());
  out.put(link.get_latency());
  out.put(link.get_sharing_policy() != s4u::Link::SharingPolicy::FATPIPE);
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
void put_route(Serializer& out, const s4u::Host* from, const s4u::Host* to) {
  std::vector<s4u::Link*> links;
  double latency = 0;
  std::string no_route_reason;
  try {
    from->route_to(to, links, &latency);
    if (links.empty() && latency <= 0) no_route_reason = kNoRoute;
  } catch (const std::exception&) {  // some zones say so
    links.clear();
    no_route_reason = kNoRoute;
  }
  for (const auto* link : links)
    if (link->get_sharing_policy() == s4u::Link::SharingPolicy::WIFI)
      no_route_reason = "the link " + quoted(link->get_name()) +
                 " is wireless (WIFI); messages over such are not simulated";
  out.put(no_route_reason);
  out.put(latency);
  out.put(links.size());
  for (const auto* link : links) {
    out.put(link->get_name());
    out.put(link->get_bandwidth());
  }
}

std::string put_routes(const Platform& platform, Pairs pairs) {
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
                                   return put_routes(platform_, pairs);
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

}  // namespace

std::string describe_platform(const std::string& xml, const std::string& name) {
  std::vector<s4u::Host*> hosts;
  // SimGrid 3.32 signals the creation of a host a second time when it is sealed.
  s4u::Host::on_creation_cb([&hosts, known = std::set<s4u::Host*>()](s4u::Host& host) mutable {
    if (known.insert(&host).second) hosts.push_back(&host);
  });
  const auto& engine = open_simgrid(xml, name, kPlatformPrecision);
  Serializer out;
  out.put(hosts.size());
  for (const auto* host : hosts) put_host(out, *host, name);
  std::vector<s4u::Link*> links = engine.get_all_links();
  std::erase_if(links, [](const s4u::Link* l) { return l->get_name() == "__loopback__"; });
  out.put(links.size());
  for (const auto* link : links) put_link(out, *link);
  return out.take();
}

std::string routes_of_simgrid(const Platform& platform, Pairs pairs) {
  open_simgrid(platform.simgrid_xml(), platform.source, kPlatformPrecision);
  Serializer out;
  out.put(hangs_on_one_star(platform));
  out.put_bytes(RouteProbe(platform).ask(pairs));
  return out.take();
}

}  // namespace nowsim
