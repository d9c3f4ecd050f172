// Writing a description's XML, and checking it before.
#include "sim/platform/generate_platform.hpp"

#include <cmath>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

void require_rate(double value, const std::string& what) {
  if (!(value > 0) || !std::isfinite(value)) throw InputError(what + " must be more than 0, not " + number_text(value));
}

void check(const GeneratedPlatform& d) {
  if (d.names.empty()) throw InputError("a platform needs at least one workstation");
  if (d.names.size() != d.speed_flops.size())
    throw InputError(std::to_string(d.names.size()) + " workstations need as many speeds, not " +
                     std::to_string(d.speed_flops.size()));
  for (double speed : d.speed_flops) require_rate(speed, "a workstation's speed");
  require_rate(d.bandwidth_Bps, "the network's bandwidth");
  if (!(d.latency_s >= 0) || !std::isfinite(d.latency_s))
    throw InputError("the network's latency must not be negative, nor " + number_text(d.latency_s));
  if (d.cores < 1) throw InputError("a workstation has at least one core, not " + std::to_string(d.cores));
  std::unordered_set<std::string_view> seen(d.names.size());
  for (const auto& name : d.names) {
    if (name.empty() || name.find_first_of("<>&\"' \t\n") != std::string::npos)
      throw InputError("'" + name + "' cannot be a workstation's name: no blanks, quotes, <, > or &");
    if (!seen.insert(name).second) throw InputError("the workstation '" + name + "' is named twice");
  }
}

/// How each kind of network is written: the link that each workstation has, and the bus they share.
struct NetworkXml {
  const char* sharing;       ///< of a workstation's own link; null: it is only there because the grammar wants one
  bool backbone;
};
NetworkXml network_xml(NetworkKind kind) {
  switch (kind) {
    case NetworkKind::bus: return {nullptr, true};
    case NetworkKind::network_switch: return {"SPLITDUPLEX", false};
    case NetworkKind::links: return {"SHARED", false};
    case NetworkKind::none: break;
  }
  return {nullptr, false};
}

/// A link of a workstation's own, or one that never limits anything.
Link own_link(const GeneratedPlatform& d, const NetworkXml& how, const std::string& name) {
  if (how.sharing == nullptr) return {own_link_name(name), kUnlimitedBps, 0, false};
  return {own_link_name(name), d.bandwidth_Bps, d.latency_s / 2, true};
}

/// Lists each workstation's link, and the bus. Returns the XML of these and their ends.
std::string add_network(const GeneratedPlatform& d, Platform& platform) {
  const NetworkXml how = network_xml(d.network);
  const bool duplex = how.sharing != nullptr && std::string_view(how.sharing) == "SPLITDUPLEX";
  std::string links, ends;
  for (const std::string& name : d.names) {
    const Link link = own_link(d, how, name);
    links += "<link id=\"" + link.name + "\" bandwidth=\"" + number_text(link.bandwidth_Bps) + "Bps\" latency=\"" +
             number_text(link.latency_s) + "s\" sharing_policy=\"" + (how.sharing ? how.sharing : "FATPIPE") + "\"/>\n";
    ends += "<host_link id=\"" + name + "\" up=\"" + link.name + (duplex ? "_UP" : "") + "\" down=\"" + link.name +
            (duplex ? "_DOWN" : "") + "\"/>\n";
    if (how.sharing != nullptr) platform.links.push_back(link);
  }
  if (how.backbone) {
    const Link bus{kBusName, d.bandwidth_Bps, d.latency_s, true};
    ends += "<backbone id=\"" + bus.name + "\" bandwidth=\"" + number_text(bus.bandwidth_Bps) + "Bps\" latency=\"" +
            number_text(bus.latency_s) + "s\"/>\n";
    platform.links.push_back(bus);
  }
  return links + ends;
}

}  // namespace

std::string platform_xml(const std::vector<Workstation>& machines, const std::string& routing,
                         const std::string& network) {
  std::string xml = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                    "<platform version=\"4.1\">\n<zone id=\"now\" routing=\"" + routing + "\">\n";
  for (const Workstation& w : machines)
    xml += "<host id=\"" + w.name + "\" speed=\"" + number_text(w.speed_flops) + "f\" core=\"" +
           std::to_string(w.cores) + "\"/>\n";
  return xml + network + "</zone>\n</platform>\n";
}

Platform generate_platform(const GeneratedPlatform& d) {
  check(d);
  Platform platform;
  platform.source = std::to_string(d.names.size()) + " generated workstations";
  platform.is_generated = true;
  platform.generated_network = d.network;
  platform.workstations.reserve(d.names.size());
  for (std::size_t i = 0; i < d.names.size(); ++i)
    platform.workstations.push_back({d.names[i], d.speed_flops[i], d.cores, {}});
  if (d.network != NetworkKind::none)
    platform.xml = platform_xml(platform.workstations, "Cluster", add_network(d, platform));
  return platform;
}

}  // namespace nowsim
