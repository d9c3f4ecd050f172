// What SimGrid's own parser makes of a platform, and the profiles joined to it again; editing a platform's XML as a
// tree, and asking SimGrid what it makes of it.
#include "sim/platform/read_platform.hpp"

#include <algorithm>
#include <functional>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "sim/base/utf8.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/platform_rules.hpp"
#include "sim/platform/platform_text.hpp"
#include "sim/platform/simgrid_module.hpp"

namespace nowsim {
namespace {

Workstation workstation_of(DescribedMachine& described) {
  Workstation w{std::move(described.name), described.speed_flops, described.cores, {}};
  if (described.memory_bytes >= 0) w.extras.edit().memory_bytes = described.memory_bytes;
  auto& properties = described.properties;
  for (std::size_t k = 0; k + 1 < properties.size(); k += 2)
    w.extras.edit().properties[properties[k]] = std::move(properties[k + 1]);
  return w;
}

void attach_to_link(Platform& platform, const AttachedProfile& a) {
  platform.link_profiles.push_back({a.name, a.quantity, a.profile});
  const Link* link = platform.link_on_route(a.name);
  if (link != nullptr && !link->shared && a.quantity == ProfileQuantity::bandwidth)
    platform.remarks.push_back("link '" + a.name + "' is a FATPIPE whose bandwidth varies: SimGrid has a transfer that is" +
                               " under way feel when it falls, not when it rises; a SHARED one feels both");
}

void attach(Platform& platform, const AttachedProfile& a) {
  auto& all = platform.workstations;
  const auto w = std::ranges::find(all, a.name, &Workstation::name);
  const auto is_it = [&](const Link& l) { return l.name == a.name || l.name == a.name + "_UP"; };
  const bool is_link = a.element == "link";
  if (!is_link && !about_idle_host(platform, a.name).empty()) return;
  if (is_link ? std::ranges::none_of(platform.links, is_it) : w == all.end())
    throw InputError(a.place, "there is no " + a.element + " " + quoted(a.name) + " for this profile" +
                                  lookalike_hint(a.name));
  if (is_link) attach_to_link(platform, a);
  else if (a.quantity == ProfileQuantity::state) w->extras.edit().state_profile = a.profile;
  else w->extras.edit().speed_profile = a.profile;
}

/// The first few by name.
std::string remark_on_idle(const Platform& platform) {
  constexpr std::size_t kMost = 3;
  const auto& all = platform.idle_hosts;
  std::string names;
  for (std::size_t k = 0; k < std::min(all.size(), kMost); ++k) names += (k == 0 ? "" : ", ") + quoted(all[k]);
  if (all.size() > kMost) names += " and " + std::to_string(all.size() - kMost) + " more";
  const bool is_one = all.size() == 1;
  return InputError(Place{platform.source, 0, ""},
                    names + (is_one ? " has" : " have") + " the speed 0: nothing computes there, and " +
                        (is_one ? "it is none" : "they are none") + " of the workstations; messages still pass")
      .what();
}

/// What a property of a set begins with: <prop id="set NAME" value="fast-[0-1] slow-3"/>. SimGrid wants properties before
/// everything else of a zone, and none in <platform>.
constexpr std::string_view kSetProperty = "set ";

/// The sets that properties of <zone>, <AS> and <cluster> define, by their names. @throws InputError, with file and line,
/// for a set without a name or without machines, and for a name given twice.
std::map<std::string, HostSet> host_sets(const std::string& xml, const std::string& file) {
  const pugi::xml_document tree = tree_of(xml, file);
  std::map<std::string, HostSet> sets;
  for (const auto& found : tree.select_nodes("//zone/prop | //AS/prop | //cluster/prop")) {
    const std::string id = found.node().attribute("id").value();
    if (!id.starts_with(kSetProperty)) continue;
    const std::string name(trimmed(id.substr(kSetProperty.size())));
    const std::string hosts(trimmed(found.node().attribute("value").value()));
    const Place place{file, line_at(xml, static_cast<std::size_t>(found.node().offset_debug())), "set " + name};
    if (name.empty()) throw InputError(place, "a set has a name, as in <prop id=\"set NAME\" value=\"host-1 host-2\"/>");
    if (hosts.empty()) throw InputError(place, "a set has at least one workstation");
    if (!sets.try_emplace(name, HostSet{hosts, place.line}).second) throw InputError(place, "this set is defined twice");
  }
  return sets;
}

}  // namespace

Platform platform_from(const std::string& xml, const std::string& source, double limit_s) {
  Platform platform;
  platform.source = source;
  platform.xml = xml;
  const auto describe = simgrid_module().describe;
  const std::string answer = ask_child(platform, [&] { return describe(platform.xml, platform.source); }, limit_s);
  PlatformDescription described;
  Deserializer(answer).get_into(described);
  for (auto& machine : described.machines)
    if (machine.speed_flops > 0) platform.workstations.push_back(workstation_of(machine));
    else platform.idle_hosts.push_back(std::move(machine.name));
  platform.links = std::move(described.links);
  return platform;
}

Platform load_platform(const std::string& file, double limit_s) {
  PlatformParts parts = take_profiles_out(read_user_file(file, kMostPlatformBytes), file);
  Platform platform = platform_from(parts.xml, file, limit_s);
  if (platform.workstations.empty())
    throw InputError(Place{file, 0, ""}, platform.idle_hosts.empty()
                                             ? "the platform has no hosts"
                                             : "nothing can compute on this platform: all its hosts have the speed 0");
  platform.remarks = std::move(parts.remarks);
  platform.settings = std::move(parts.settings);
  if (!platform.idle_hosts.empty()) platform.remarks.push_back(remark_on_idle(platform));
  for (const auto& profile : parts.profiles) attach(platform, profile);
  platform.sets = host_sets(platform.xml, file);
  return platform;
}

namespace {

/// An element that describes a link, what is appended to its id, and the attributes of the link's figures.
struct LinkElement {
  const char *name, *suffix, *bandwidth, *latency;
};
constexpr LinkElement kLinkElements[] = {
    {"link", "", "bandwidth", "latency"},
    {"backbone", "", "bandwidth", "latency"},
    {"cluster", "_backbone", "bb_bw", "bb_lat"},
};

/// SimGrid has accepted it; the bytes stay as they are, whatever encoding it says.
pugi::xml_document whole_tree_of(const Platform& platform) {
  return tree_of(platform.simgrid_xml(), platform.source,
                 pugi::parse_default | pugi::parse_declaration | pugi::parse_doctype | pugi::parse_pi);
}

/// Calls `see` with each link's name, element and the names of its attributes.
void for_each_link(const pugi::xml_node& tree,
                   const std::function<void(const std::string&, pugi::xml_node, const LinkElement&)>& see) {
  for (const auto& kind : kLinkElements)
    for (const auto& found : tree.select_nodes((std::string("//") + kind.name).c_str()))
      if (const auto node = found.node(); node.attribute(kind.bandwidth))
        see(std::string(node.attribute("id").value()) + kind.suffix, node, kind);
}

void set_number(pugi::xml_node node, const char* attribute, double value, const char* unit) {
  if (!node.attribute(attribute)) node.append_attribute(attribute);
  node.attribute(attribute).set_value((number_text(value) + unit).c_str());
}

void change_links(pugi::xml_node tree, const PlatformChanges& changes) {
  for_each_link(tree, [&](const std::string& name, pugi::xml_node node, const LinkElement& kind) {
    const auto change = changes.links.find(name);
    if (change == changes.links.end()) return;
    if (change->second.bandwidth_Bps) set_number(node, kind.bandwidth, *change->second.bandwidth_Bps, "Bps");
    if (change->second.latency_s) set_number(node, kind.latency, *change->second.latency_s, "s");
  });
}

/// The element's new speed; null: it stays. Of machines with a speed in common that of the first.
const double* speed_of(const pugi::xml_node& node, const PlatformChanges& changes) {
  const auto& speeds = changes.speed_flops;
  const auto of_cluster = [&] {
    return std::ranges::find_if(
        speeds, [names = ClusterNames(node)](const auto& entry) { return names.has(entry.first); });
  };
  const auto found = node.attribute("prefix") ? of_cluster() : speeds.find(node.attribute("id").value());
  return found == speeds.end() ? nullptr : &found->second;
}

void change_speeds(pugi::xml_node tree, const PlatformChanges& changes) {
  for (const auto& found : tree.select_nodes("//host | //peer | //cluster | //cabinet")) {
    auto attribute = found.node().attribute("speed");
    const double* speed = speed_of(found.node(), changes);
    if (!attribute || speed == nullptr) continue;
    const std::string before = attribute.value();
    std::string text = number_text(*speed) + "f";
    // A host has a speed per power state, and may begin in any.
    for (auto more = std::ranges::count(before, ','); more > 0; --more) text += "," + number_text(*speed) + "f";
    attribute.set_value(text.c_str());
  }
}

}  // namespace

std::vector<std::string> changeable_links(const Platform& platform) {
  std::vector<std::string> names;
  const auto tree = whole_tree_of(platform);
  for_each_link(tree, [&](const std::string& name, pugi::xml_node, const LinkElement&) { names.push_back(name); });
  return names;
}

Platform changed(const Platform& platform, const PlatformChanges& changes) {
  Platform out = platform;
  const auto tree = whole_tree_of(platform);
  change_links(tree, changes);
  change_speeds(tree, changes);
  std::ostringstream text;
  tree.save(text, " ", pugi::format_default, pugi::encoding_utf8);
  out.xml = text.str();
  Platform now = platform_from(out.xml, out.source);  // profiles stay
  std::map<std::string, double> speed_flops;
  for (const auto& w : now.workstations) speed_flops[w.name] = w.speed_flops;
  for (auto& w : out.workstations) {
    const auto named = changes.speed_flops.find(w.name);
    const double wanted = named == changes.speed_flops.end() ? w.speed_flops : named->second;
    w.speed_flops = speed_flops.at(w.name);
    if (w.speed_flops != wanted)
      throw InputError(Place{out.source, 0, "host " + w.name},
                       "this workstation has its speed in common with others of its <cluster>, and cannot have one of"
                       " its own");
  }
  out.links = std::move(now.links);
  return out;
}

}  // namespace nowsim
