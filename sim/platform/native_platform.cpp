// What SimGrid 3.32 makes of zones (kernel/xml/sg_platf, kernel/routing). Members of a zone are points, machines and
// routers, or else zones.
#include "sim/platform/simgrid_module.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <pugixml.hpp>
#include <unordered_map>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/platform_rules.hpp"
#include "sim/platform/routes.hpp"

namespace nowsim {
namespace {

using pugi::xml_node;
using LinkWay = std::vector<const Link*>;

/// From a member of a zone to another.
struct Joint {
  LinkWay links;
  std::string from_gateway, to_gateway;  ///< between zones: the points in them where it begins and ends
};

struct NativeZone {
  const NativeZone* parent;
  std::string name, routing;  ///< the latter in lower case
  std::vector<std::string> points{};
  bool holds_zones = false;
  std::map<std::string, Link> links{};  ///< in the order in which SimGrid lists them
  std::map<std::pair<std::string, std::string>, Joint> joints{};
  std::unordered_map<std::string, LinkWay> up{}, down{};  ///< of a star: from and to its points

  [[nodiscard]] bool is_star() const { return routing == "cluster"; }
};

class NativePlatform {
 public:
  NativePlatform(const std::string& xml, const std::string& source)
      : xml_(xml), source_(source), tree_(tree_of(xml, source)) {
    for (const auto& node : tree_.child("platform").children()) read(node, nullptr);
  }

  PlatformDescription description() && {
    for (const auto& zone : zones_)
      for (const auto& [name, link] : zone.links) description_.links.push_back(link);
    return std::move(description_);
  }

  [[nodiscard]] bool hang_on_one_star(const Platform& platform) const {
    const NativeZone* first = zone_of_.at(platform.workstations.front().name);
    const auto is_there = [&](const Workstation& w) { return zone_of_.at(w.name) == first; };
    return first->is_star() && std::ranges::all_of(platform.workstations, is_there);
  }

  [[nodiscard]] Route route(const std::string& from, const std::string& to) const {
    Route route;
    LinkWay links;
    if (!join(from, to, links, route.latency_s) || links.empty()) route.no_route_reason = kNoRoute;
    else
      for (const Link* link : links) route.add(*link);
    return route;
  }

 private:
  // ---- reading ----

  [[noreturn]] void need_simgrid(const xml_node& node, const std::string& for_what) const {
    throw InputError(Place{source_, line_at(xml_, static_cast<std::size_t>(node.offset_debug())), ""},
                     "SimGrid is needed to read this platform file, and there is none here: it has " + for_what);
  }
  static std::string text_of(const xml_node& node, const char* attribute, const std::string& otherwise = "") {
    const std::string text = node.attribute(attribute).value();
    return text.empty() ? otherwise : text;
  }

  /// An element of a zone, or of the platform itself (null).
  void read(const xml_node& node, NativeZone* zone) {
    const std::string element = node.name();
    if (element == "zone" || element == "AS") return read_zone(node, zone);
    if (element == "cluster") return read_cluster(node, zone);
    if (zone == nullptr && element == "config") return;
    if (zone == nullptr) need_simgrid(node, "a <" + element + "> beside the zones");
    if (element == "host") add_machine(*zone, node, text_of(node, "id"));
    else if (element == "router") add_point(*zone, node, text_of(node, "id"));
    else if (element == "link" || element == "backbone")
      add_links(*zone, node, text_of(node, "id"), "bandwidth", "latency", text_of(node, "sharing_policy"));
    else if (element == "route" || element == "zoneRoute" || element == "ASroute") add_joint(*zone, node);
    else if (element != "prop" && !(zone->is_star() && (element == "host_link" || element == "cabinet")))
      need_simgrid(node, "a <" + element + "> in a zone with routing=" + quoted(zone->routing));
  }

  NativeZone& new_zone(const xml_node& node, NativeZone* parent, const std::string& routing) {
    if (parent != nullptr && parent->routing != "full") need_simgrid(node, "a zone in one that is not Full");
    if (parent != nullptr) parent->holds_zones = true;
    return zones_.emplace_back(parent, text_of(node, "id"), lower_case(routing));
  }

  void read_zone(const xml_node& node, NativeZone* parent) {
    NativeZone& zone = new_zone(node, parent, text_of(node, "routing"));
    const bool has_joints = zone.routing == "full" || zone.routing == "floyd";
    if (!has_joints && !zone.is_star() && zone.routing != "none")
      need_simgrid(node, "routing=" + quoted(text_of(node, "routing")));
    for (const auto& element : node.children()) read(element, &zone);
    if (zone.holds_zones && !zone.points.empty()) need_simgrid(node, "machines beside zones in a zone");
    if (zone.is_star()) add_ends(zone, node);
    static const Link kLoopback{"__loopback__", 1e10, 0, false};
    for (const auto& point : zone.points)
      if (has_joints) zone.joints.try_emplace({point, point}, Joint{{&kLoopback}, "", ""});
    if (zone.routing == "floyd") close_by_floyd(zone);
  }

  void read_cluster(const xml_node& node, NativeZone* parent) {
    for (const char* attribute : {"loopback_bw", "loopback_lat", "limiter_link"})
      if (node.attribute(attribute)) need_simgrid(node, std::string("a cluster's ") + attribute);
    if (text_of(node, "topology", "FLAT") != "FLAT") need_simgrid(node, "a cluster that is not FLAT");
    NativeZone& zone = new_zone(node, parent, "cluster");
    LinkWay backbone;
    if (node.attribute("bb_bw"))
      backbone.push_back(
          add_links(zone, node, zone.name + "_backbone", "bb_bw", "bb_lat", text_of(node, "bb_sharing_policy")).first);
    add_row(zone, node, backbone);
    const std::string usual = text_of(node, "prefix") + zone.name + "_router" + text_of(node, "suffix");
    add_point(zone, node, text_of(node, "router_id", usual));
  }

  void add_point(NativeZone& zone, const xml_node& node, const std::string& name) {
    if (!text_of(node, "coordinates").empty()) need_simgrid(node, "coordinates");
    if (!zone_of_.emplace(name, &zone).second) need_simgrid(node, "two points called " + quoted(name));
    zone.points.push_back(name);
  }

  void add_machine(NativeZone& zone, const xml_node& node, const std::string& name) {
    add_point(zone, node, name);
    const auto states = platform_rules::parts_of(node.attribute("speed").value(), ",");
    const auto state = static_cast<std::size_t>(node.attribute("pstate").as_double(0));  // may be written as 1.0
    DescribedMachine machine{name, platform_rules::speed_in(states.at(state)), std::stoi(text_of(node, "core", "1"))};
    for (const auto& element : node.children()) {
      if (element.name() != std::string("prop")) need_simgrid(element, std::string("a machine's ") + element.name());
      const std::string key = text_of(element, "id"), value = text_of(element, "value");
      if (key == "memory") machine.memory_bytes = platform_rules::size_in(value);
      machine.properties.insert(machine.properties.end(), {key, value});
    }
    description_.machines.push_back(std::move(machine));
  }

  /// A link, or one for each direction.
  std::pair<const Link*, const Link*> add_links(NativeZone& zone, const xml_node& node, const std::string& name,
                                                const char* bandwidth, const char* latency,
                                                const std::string& sharing) {
    if (sharing == "WIFI") need_simgrid(node, "a wireless link");
    const Link link{name, platform_rules::bandwidth_in(node.attribute(bandwidth).value()),
                    platform_rules::latency_in(text_of(node, latency, "0")), sharing != "FATPIPE"};
    const auto add = [&](const char* direction) {
      const auto [added, is_new] = zone.links.emplace(name + direction, link);
      added->second.name = added->first;
      if (!is_new || !links_.emplace(added->first, &added->second).second)
        need_simgrid(node, "two links called " + quoted(added->first));
      return &added->second;
    };
    if (sharing == "SPLITDUPLEX" || sharing == "FULLDUPLEX") return {add("_UP"), add("_DOWN")};
    const Link* only = add("");
    return {only, only};
  }
  [[nodiscard]] const Link* link_called(const std::string& name, const xml_node& node) const {
    const auto link = links_.find(name);
    if (link == links_.end()) need_simgrid(node, "no link " + quoted(name) + " before this");
    return link->second;
  }

  /// What SimGrid makes at a star's end: the ways of its machines, then cabinets.
  void add_ends(NativeZone& zone, const xml_node& node) {
    LinkWay backbone;
    for (const auto& element : node.children("backbone")) backbone = {links_.at(text_of(element, "id"))};
    for (const auto& element : node.children("host_link"))
      add_end(zone, text_of(element, "id"), link_called(text_of(element, "up"), element),
              link_called(text_of(element, "down"), element), backbone);
    for (const auto& element : node.children("cabinet")) add_row(zone, element, backbone);
  }
  /// The machines of a cluster or cabinet.
  void add_row(NativeZone& zone, const xml_node& node, const LinkWay& backbone) {
    const bool is_cabinet = std::string_view(node.name()) == "cabinet";
    const bool is_duplex = text_of(node, "sharing_policy", "SPLITDUPLEX").ends_with("DUPLEX");
    const ClusterNames names(node);
    for (const int number : names.numbers()) {
      const std::string name = names.name(number),
                        link = is_cabinet ? "link_" + name : zone.name + "_link_" + std::to_string(number);
      add_machine(zone, node, name);
      const auto [up, down] = add_links(zone, node, link, "bw", "lat", is_duplex ? "SPLITDUPLEX" : "SHARED");
      add_end(zone, name, up, down, backbone);
    }
  }
  static void add_end(NativeZone& zone, const std::string& name, const Link* up, const Link* down, LinkWay backbone) {
    zone.down[name] = backbone;
    zone.down[name].push_back(down);
    backbone.insert(backbone.begin(), up);
    zone.up[name] = std::move(backbone);
  }

  void add_joint(NativeZone& zone, const xml_node& node) {
    if (zone.routing != "full" && zone.routing != "floyd") need_simgrid(node, "a route in such a zone");
    const std::string from = text_of(node, "src"), to = text_of(node, "dst");
    Joint way{{}, text_of(node, "gw_src"), text_of(node, "gw_dst")}, back{{}, way.to_gateway, way.from_gateway};
    for (const auto& element : node.children("link_ctn")) {
      const std::string name = text_of(element, "id"), direction = text_of(element, "direction", "NONE");
      const char* opposite = direction == "UP" ? "_DOWN" : "_UP";
      way.links.push_back(link_called(direction == "NONE" ? name : name + "_" + direction, element));
      back.links.insert(back.links.begin(), link_called(direction == "NONE" ? name : name + opposite, element));
    }
    for (const auto& gateway : {way.from_gateway, way.to_gateway})
      if (!gateway.empty() && !zone_of_.contains(gateway)) need_simgrid(node, "a gateway that is not there");
    if (from == to) {
      zone.joints[{from, to}] = std::move(way);  // in place of the loopback
      return;
    }
    bool is_new = zone.joints.try_emplace({from, to}, std::move(way)).second;
    if (lower_case(text_of(node, "symmetrical")) != "no")
      is_new &= zone.joints.try_emplace({to, from}, std::move(back)).second;
    if (!is_new) need_simgrid(node, "two routes between the same");
  }

  /// Ways of the fewest links.
  static void close_by_floyd(NativeZone& zone) {
    for (const auto& over : zone.points)
      for (const auto& from : zone.points)
        for (const auto& to : zone.points) {
          const auto first = zone.joints.find({from, over}), second = zone.joints.find({over, to});
          if (first == zone.joints.end() || second == zone.joints.end()) continue;
          LinkWay both = first->second.links;
          both.insert(both.end(), second->second.links.begin(), second->second.links.end());
          const auto [way, is_new] = zone.joints.try_emplace({from, to});
          if (is_new || both.size() < way->second.links.size()) way->second.links = std::move(both);
        }
  }

  // ---- routes ----

  /// Adds the way from one point to another; false where there is none. Latencies of what lies between zones are added
  /// before those of the ways in them, as SimGrid does.
  bool join(const std::string& from, const std::string& to, LinkWay& links, double& latency_s) const {
    const std::vector<const NativeZone*> of_from = zones_around(from), of_to = zones_around(to);
    const auto parting = std::ranges::mismatch(of_from, of_to);
    if (parting.in1 == of_from.begin()) return false;
    const NativeZone& common = **std::prev(parting.in1);
    const bool is_within = parting.in1 == of_from.end();
    if (is_within && common.is_star()) return join_in_star(common, from, to, links, latency_s);
    const auto joint = is_within ? common.joints.find({from, to})
                                 : common.joints.find({(*parting.in1)->name, (*parting.in2)->name});
    if (joint == common.joints.end()) return false;
    const auto& [between, begin, end] = joint->second;
    if (!is_within && (!is_in(**parting.in1, begin) || !is_in(**parting.in2, end))) return false;
    for (const Link* link : between) latency_s += link->latency_s;
    if (!is_within && from != begin && !join(from, begin, links, latency_s)) return false;
    links.insert(links.end(), between.begin(), between.end());
    return is_within || to == end || join(end, to, links, latency_s);
  }
  [[nodiscard]] bool is_in(const NativeZone& zone, const std::string& point) const {
    const auto around = zones_around(point);
    return std::ranges::find(around, &zone) != around.end();
  }
  /// The outermost first. Those of two points are the same or part before their ends: a zone with zones has no points.
  [[nodiscard]] std::vector<const NativeZone*> zones_around(const std::string& point) const {
    std::vector<const NativeZone*> all;
    for (const NativeZone* zone = zone_of_.at(point); zone != nullptr; zone = zone->parent) all.push_back(zone);
    std::ranges::reverse(all);
    return all;
  }
  /// The links up, then those down, each once. Who has none is in the middle.
  static bool join_in_star(const NativeZone& star, const std::string& from, const std::string& to, LinkWay& links,
                           double& latency_s) {
    const auto begin = static_cast<std::ptrdiff_t>(links.size());
    for (const auto& [ways, point] : {std::pair(&star.up, &from), {&star.down, &to}}) {
      const auto way = ways->find(*point);
      if (way == ways->end()) continue;
      for (const Link* link : way->second) {
        if (std::find(links.begin() + begin, links.end(), link) != links.end()) continue;
        links.push_back(link);
        latency_s += link->latency_s;
      }
    }
    return true;
  }

  const std::string &xml_, &source_;
  pugi::xml_document tree_;
  std::deque<NativeZone> zones_;  ///< each before those in it
  std::unordered_map<std::string, const NativeZone*> zone_of_;
  std::unordered_map<std::string, const Link*> links_;
  PlatformDescription description_;
};

template <class T>
std::string packed_answer(const T& answer) {
  Serializer out;
  out.put(answer);
  return out.take();
}

}  // namespace

std::string native_description(const std::string& xml, const std::string& source) {
  return packed_answer(NativePlatform(xml, source).description());
}

std::string native_routes(const Platform& platform, SimGridModule::Pairs pairs) {
  const NativePlatform native(platform.xml, platform.source);
  FoundRoutes found{native.hang_on_one_star(platform), {}};
  for (const auto& [from, to] : pairs)
    found.routes.push_back(native.route(platform.workstations.at(from).name, platform.workstations.at(to).name));
  return packed_answer(found);
}

}  // namespace nowsim
