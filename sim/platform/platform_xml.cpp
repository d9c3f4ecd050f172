// Reading platform XML: profiles taken out of the text, values checked, and SimGrid's own parser asked for the rest.
#include "sim/platform/platform_xml.hpp"

#include <simgrid/s4u.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <pugixml.hpp>
#include <set>
#include <span>
#include <xbt/parse_units.hpp>

#include "sim/base/error.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/child_process.hpp"
#include "sim/platform/platform_rules.hpp"
#include "sim/platform/platform_sets.hpp"
#include "sim/platform/simgrid_session.hpp"

namespace nowsim {

bool Platform::has_state_profiles() const {
  return std::any_of(workstations.begin(), workstations.end(), [](const auto& w) { return w.state_profile != nullptr; });
}

const Link* Platform::link_on_route(const std::string& name) const {
  auto link = std::ranges::find(links, name, &Link::name);
  const auto has_direction = [&](const Link& l) { return l.name + "_UP" == name || l.name + "_DOWN" == name; };
  if (link == links.end()) link = std::ranges::find_if(links, has_direction);
  return link == links.end() ? nullptr : &*link;
}

Platform Platform::with(const std::vector<std::size_t>& chosen) const {
  Platform out = *this;
  out.workstations.clear();
  for (std::size_t i : chosen) out.workstations.push_back(workstations.at(i));
  return out;
}

namespace {

namespace fs = std::filesystem;
namespace s4u = simgrid::s4u;

/// What kind of profile an attribute, or a <trace_connect> of SimGrid's older grammar, attaches.
struct ProfileRole {
  const char* element;    ///< host (and peer) or link
  const char* attribute;
  const char* connect;    ///< the kind in <trace_connect>
  ProfileQuantity quantity;
};
constexpr ProfileRole kProfileRoles[] = {
    {"host", "speed_file", "SPEED", ProfileQuantity::fraction},
    {"host", "availability_file", "SPEED", ProfileQuantity::fraction},
    {"host", "state_file", "HOST_AVAIL", ProfileQuantity::state},
    {"link", "bandwidth_file", "BANDWIDTH", ProfileQuantity::bandwidth},
    {"link", "latency_file", "LATENCY", ProfileQuantity::latency},
    {"link", "state_file", "LINK_AVAIL", ProfileQuantity::state},
};

bool is_host(const std::string& element) { return element == "host" || element == "peer"; }

/// Reads one platform's text into what must not reach SimGrid, and the text that may.
class ProfileExtraction {
 public:
  ProfileExtraction(std::string text, const std::string& file) : text_(std::move(text)), file_(file) {
    pugi::xml_document document;
    // Taken as UTF-8 whatever it says, so that nothing is converted and offsets are those of the text.
    const auto parsed = document.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!parsed)
      throw InputError(place(static_cast<std::size_t>(parsed.offset)),
                       std::string("this is not well-formed XML: ") + parsed.description());
    if (!document.child("platform"))
      throw InputError(Place{file_, 1, ""}, "a SimGrid platform begins with the element <platform>");
    if (text_.find("<!DOCTYPE") == std::string::npos)
      throw InputError(Place{file_, 1, ""}, "SimGrid wants the line <!DOCTYPE platform SYSTEM "
                                            "\"https://simgrid.org/simgrid.dtd\"> before <platform>");
    source_ = text_;
    remarks_ = check_rules({document, source_, file_});
    if (!document.select_node("//host | //peer | //cluster | //cabinet"))  // SimGrid fails over no zone at all
      throw InputError(Place{file_, 0, ""}, "the platform has no hosts");
    require_memory(platform_bytes(document), file_ + ": this platform");
    visit(document);
    resolve_connections();
    check_what_is_left();
  }

  struct Attached {
    std::string element, name;
    ProfileQuantity quantity;
    std::shared_ptr<const Profile> profile;
    Place place;
  };
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<Attached>& attached() const { return attached_; }
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  [[nodiscard]] Place place(std::size_t offset, const std::string& key = "") const {
    return {file_, line_at(source_.empty() ? text_ : source_, offset), key};
  }
  [[nodiscard]] Place place(const pugi::xml_node& node, const std::string& key = "") const {
    return place(static_cast<std::size_t>(node.offset_debug()), key);
  }

  void visit(const pugi::xml_node& parent) {
    for (const auto& node : parent.children()) {
      if (node.type() != pugi::node_element) continue;
      const std::string element = node.name();
      if (element == "trace") take_trace(node);
      else if (element == "trace_connect") take_connection(node);
      else take_profiles(node);
      visit(node);
    }
  }

  [[nodiscard]] static std::string name_of(const pugi::xml_node& node) {
    return std::string(node.name()) + " " + node.attribute("id").value();
  }

  void take_profiles(const pugi::xml_node& node) {
    const std::string element = is_host(node.name()) ? "host" : node.name();
    for (const auto& role : kProfileRoles) {
      const auto attribute = node.attribute(role.attribute);
      if (element != role.element || !attribute) continue;
      if (std::string(attribute.value()).empty()) continue;
      attached_.push_back({element, node.attribute("id").value(), role.quantity,
                           profile_from(attribute.value(), role.quantity, node), place(node)});
      blank_attribute(node, role.attribute);
    }
  }

  std::shared_ptr<const Profile> profile_from(const std::string& name, ProfileQuantity quantity,
                                              const pugi::xml_node& node) const {
    const fs::path path = fs::path(name).is_absolute() ? fs::path(name) : fs::path(file_).parent_path() / name;
    std::error_code error;
    const auto kind = fs::status(path, error).type();
    if (kind == fs::file_type::not_found || error)
      throw InputError(place(node, name_of(node)), "there is no profile file '" + path.string() + "'");
    if (kind != fs::file_type::regular)  // a pipe might never be written to, a device never end
      throw InputError(place(node, name_of(node)), "the profile '" + path.string() + "' is no ordinary file");
    return std::make_shared<Profile>(read_profile(path.string(), quantity));
  }

  // SimGrid's older grammar: a named <trace>, connected to a resource by a <trace_connect>.
  struct Trace {
    std::string text, file;
    pugi::xml_node node;
  };
  struct Connection {
    std::string kind, trace, element;
    pugi::xml_node node;
  };
  void take_trace(const pugi::xml_node& node) {
    // Behind as many empty lines as stand before it in the file, so that its errors name the file's lines.
    const auto text = node.first_child();
    std::string before(text ? static_cast<std::size_t>(place(text).line - 1) : 0, '\n');
    const std::string period = node.attribute("periodicity").value();
    if (takes_effect(period, node)) before.insert(0, "PERIODICITY " + period + (before.empty() ? "\n" : ""));
    traces_[node.attribute("id").value()] = {before + node.text().get(), node.attribute("file").value(), node};
    blank_element(node);
  }
  /// A period of 0 or less means that the trace does not repeat.
  bool takes_effect(const std::string& period, const pugi::xml_node& node) const {
    if (period.empty()) return false;
    if (const auto seconds = to_number(period)) return *seconds > 0;
    throw InputError(place(node, name_of(node)), "periodicity=" + quoted(period) + " is not a number of seconds");
  }
  void take_connection(const pugi::xml_node& node) {
    connections_.push_back({node.attribute("kind") ? node.attribute("kind").value() : "HOST_AVAIL",
                            node.attribute("trace").value(), node.attribute("element").value(), node});
    blank_element(node);
  }
  void resolve_connections() {
    for (const auto& c : connections_) {
      const auto role = std::find_if(std::begin(kProfileRoles), std::end(kProfileRoles),
                                     [&](const ProfileRole& r) { return c.kind == r.connect; });
      if (role == std::end(kProfileRoles)) throw InputError(place(c.node), "unknown kind \"" + c.kind + "\" of trace");
      const auto trace = traces_.find(c.trace);
      if (trace == traces_.end()) throw InputError(place(c.node), "there is no trace \"" + c.trace + "\"");
      const auto& t = trace->second;
      attached_.push_back({role->element, c.element, role->quantity,
                           t.file.empty() ? std::make_shared<Profile>(parse_profile(t.text, file_, role->quantity))
                                          : profile_from(t.file, role->quantity, t.node),
                           place(c.node)});
    }
  }

  /// What stood in a comment may be an element now.
  void check_what_is_left() const {
    pugi::xml_document document;
    const auto parsed = document.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!parsed)
      throw InputError(place(static_cast<std::size_t>(parsed.offset)),
                       "a <trace> or a profile's attribute cannot be told from a comment here");
    check_rules({document, text_, file_});
  }

  void blank(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      if (text_[i] != '\n') text_[i] = ' ';  // line numbers stay those of the user's file
  }
  /// Finds name="value" inside the start tag at the node and blanks it.
  void blank_attribute(const pugi::xml_node& node, const std::string& name) {
    std::size_t i = static_cast<std::size_t>(node.offset_debug()) + std::string(node.name()).size();
    while (i < source_.size() && source_[i] != '>') {
      const std::size_t begin = source_.find_first_not_of(" \t\r\n/", i);
      const std::size_t equals = source_.find('=', begin);
      const std::size_t open = source_.find_first_of("\"'", equals);
      const std::size_t close = source_.find(source_[open], open + 1);
      const std::string found = source_.substr(begin, source_.find_first_of(" \t\r\n=", begin) - begin);
      if (found == name) return blank(begin, close + 1);
      i = close + 1;
    }
  }
  void blank_element(const pugi::xml_node& node) {
    const auto begin = static_cast<std::size_t>(node.offset_debug()) - 1;
    std::size_t end = source_.find('>', begin) + 1;
    if (source_[end - 2] != '/') end = source_.find('>', source_.find("</" + std::string(node.name()), end)) + 1;
    blank(begin, end);
  }

  std::string text_;
  std::string source_;  // as it was, for places
  std::string file_;
  std::vector<Attached> attached_;
  std::vector<std::string> remarks_;
  std::map<std::string, Trace> traces_;
  std::vector<Connection> connections_;
};

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

/// In a child: what SimGrid makes of the XML; hosts in the file's order.
std::string describe_in_child(const std::string& xml, const std::string& file) {
  std::vector<s4u::Host*> hosts;
  // SimGrid 3.32 signals the creation of a host a second time when it is sealed.
  s4u::Host::on_creation_cb([&hosts, known = std::set<s4u::Host*>()](s4u::Host& host) mutable {
    if (known.insert(&host).second) hosts.push_back(&host);
  });
  const auto& engine = open_simgrid(xml, file, kPlatformPrecision);
  Serializer out;
  out.put(hosts.size());
  for (const auto* host : hosts) put_host(out, *host, file);
  std::vector<s4u::Link*> links = engine.get_all_links();
  std::erase_if(links, [](const s4u::Link* l) { return l->get_name() == "__loopback__"; });
  out.put(links.size());
  for (const auto* link : links) put_link(out, *link);
  return out.take();
}

Workstation get_workstation(Deserializer& in) {
  Workstation w;
  w.name = in.get_text();
  w.speed_flops = in.get<double>();
  w.cores = in.get<int>();
  const auto memory = in.get<double>();
  if (memory >= 0) w.memory_bytes = memory;
  for (auto left = in.get<std::size_t>(); left > 0; --left) {
    std::string key = in.get_text();
    w.properties[key] = in.get_text();
  }
  return w;
}

Link get_link(Deserializer& in) {
  Link link;
  link.name = in.get_text();
  link.bandwidth_Bps = in.get<double>();
  link.latency_s = in.get<double>();
  link.shared = in.get<bool>();
  return link;
}

void ask_simgrid(Platform& platform, double limit_s) {
  const std::string answer =
      ask_child(platform, [&] { return describe_in_child(platform.xml, platform.source); }, limit_s);
  Deserializer in(answer);
  for (auto left = in.get<std::size_t>(); left > 0; --left) platform.workstations.push_back(get_workstation(in));
  for (auto left = in.get<std::size_t>(); left > 0; --left) platform.links.push_back(get_link(in));
}

bool has_link(const Platform& platform, const std::string& name) {
  return std::any_of(platform.links.begin(), platform.links.end(),
                     [&](const Link& l) { return l.name == name || l.name == name + "_UP"; });
}

void attach(Platform& platform, const ProfileExtraction::Attached& a) {
  auto& all = platform.workstations;
  const auto w = std::find_if(all.begin(), all.end(), [&](const Workstation& x) { return x.name == a.name; });
  const bool is_link = a.element == "link";
  if (is_link ? !has_link(platform, a.name) : w == all.end())
    throw InputError(a.place, "there is no " + a.element + " " + quoted(a.name) + " for this profile");
  if (is_link) platform.link_profiles.push_back({a.name, a.quantity, a.profile});
  else (a.quantity == ProfileQuantity::state ? w->state_profile : w->speed_profile) = a.profile;
}

}  // namespace

Platform platform_from(const std::string& xml, const std::string& source, double limit_s) {
  Platform platform;
  platform.source = source;
  platform.xml = xml;
  ask_simgrid(platform, limit_s);
  return platform;
}

Platform load_platform(const std::string& file, double limit_s) {
  const ProfileExtraction extraction(read_user_file(file, kMostPlatformBytes), file);
  Platform platform = platform_from(extraction.text(), file, limit_s);
  if (platform.workstations.empty()) throw InputError(Place{file, 0, ""}, "the platform has no hosts");
  for (const auto& a : extraction.attached()) attach(platform, a);
  platform.sets = host_sets(platform.xml, file);
  platform.remarks = extraction.remarks();
  return platform;
}

// ---- generated platforms ----------------------------------------------------------------------------------------

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
  std::set<std::string> seen;
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
  if (how.sharing == nullptr) return {name + "_link", 1e30, 0, false};
  return {name + "_link", d.bandwidth_Bps, d.latency_s / 2, true};
}

}  // namespace

Platform generate_platform(const GeneratedPlatform& d) {
  check(d);
  const NetworkXml how = network_xml(d.network);
  Platform platform;
  platform.source = std::to_string(d.names.size()) + " generated workstations";
  platform.is_generated = true;
  std::string hosts, links, ends;
  for (std::size_t i = 0; i < d.names.size(); ++i) {
    Workstation w;
    w.name = d.names[i];
    w.speed_flops = d.speed_flops[i];
    w.cores = d.cores;
    hosts += "<host id=\"" + w.name + "\" speed=\"" + number_text(w.speed_flops) + "f\" core=\"" + std::to_string(d.cores) +
             "\"/>\n";
    platform.workstations.push_back(std::move(w));
    if (d.network == NetworkKind::none) continue;
    const Link link = own_link(d, how, d.names[i]);
    const bool duplex = how.sharing != nullptr && std::string(how.sharing) == "SPLITDUPLEX";
    links += "<link id=\"" + link.name + "\" bandwidth=\"" + number_text(link.bandwidth_Bps) + "Bps\" latency=\"" +
             number_text(link.latency_s) + "s\" sharing_policy=\"" + (how.sharing ? how.sharing : "FATPIPE") + "\"/>\n";
    ends += "<host_link id=\"" + d.names[i] + "\" up=\"" + link.name + (duplex ? "_UP" : "") + "\" down=\"" +
            link.name + (duplex ? "_DOWN" : "") + "\"/>\n";
    if (how.sharing != nullptr) platform.links.push_back(link);
  }
  if (how.backbone) {
    const Link bus{"bus", d.bandwidth_Bps, d.latency_s, true};
    ends += "<backbone id=\"bus\" bandwidth=\"" + number_text(bus.bandwidth_Bps) + "Bps\" latency=\"" +
            number_text(bus.latency_s) + "s\"/>\n";
    platform.links.push_back(bus);
  }
  platform.xml = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                 "<platform version=\"4.1\">\n<zone id=\"now\" routing=\"" +
                 std::string(d.network == NetworkKind::none ? "None" : "Cluster") + "\">\n" + hosts + links + ends +
                 "</zone>\n</platform>\n";
  return platform;
}

// ---- routes -----------------------------------------------------------------------------------------------------

namespace {

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
    open_simgrid(platform.xml, platform.source, kPlatformPrecision);
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
