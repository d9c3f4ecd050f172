// Editing a platform's XML as a tree, and asking SimGrid what it makes of it.
#include "sim/platform/platform_changes.hpp"

#include <algorithm>
#include <functional>
#include <pugixml.hpp>
#include <sstream>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/cluster_names.hpp"
#include "sim/platform/read_platform.hpp"

namespace nowsim {
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

pugi::xml_document tree_of(const Platform& platform) {
  pugi::xml_document tree;
  constexpr unsigned kKept = pugi::parse_default | pugi::parse_declaration | pugi::parse_doctype | pugi::parse_pi;
  // SimGrid has accepted it; the bytes stay as they are, whatever encoding it says.
  const std::string xml = platform.simgrid_xml();
  const auto parsed = tree.load_buffer(xml.data(), xml.size(), kKept, pugi::encoding_utf8);
  if (!parsed) throw InputError(Place{platform.source, 0, ""}, parsed.description());
  return tree;
}

std::string text_of(const pugi::xml_document& tree) {
  std::ostringstream out;
  tree.save(out, " ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
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

/// Takes over what SimGrid says now; profiles stay.
void describe_again(Platform& platform, const PlatformChanges& changes) {
  Platform now = platform_from(platform.xml, platform.source);
  std::map<std::string, double> speed_flops;
  for (const auto& w : now.workstations) speed_flops[w.name] = w.speed_flops;
  for (auto& w : platform.workstations) {
    const auto named = changes.speed_flops.find(w.name);
    const double wanted = named == changes.speed_flops.end() ? w.speed_flops : named->second;
    w.speed_flops = speed_flops.at(w.name);
    if (w.speed_flops != wanted)
      throw InputError(Place{platform.source, 0, "host " + w.name},
                       "this workstation has its speed in common with others of its <cluster>, and cannot have one of"
                       " its own");
  }
  platform.links = std::move(now.links);
}

}  // namespace

std::vector<std::string> changeable_links(const Platform& platform) {
  std::vector<std::string> names;
  const auto tree = tree_of(platform);
  for_each_link(tree, [&](const std::string& name, pugi::xml_node, const LinkElement&) { names.push_back(name); });
  return names;
}

Platform changed(const Platform& platform, const PlatformChanges& changes) {
  Platform out = platform;
  const auto tree = tree_of(platform);
  change_links(tree, changes);
  change_speeds(tree, changes);
  out.xml = text_of(tree);
  describe_again(out, changes);
  return out;
}

}  // namespace nowsim
