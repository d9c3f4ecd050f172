// Looking for properties in the XML's tree.
#include "sim/platform/platform_sets.hpp"

#include <cstring>
#include <pugixml.hpp>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

std::map<std::string, HostSet> host_sets(const std::string& xml, const std::string& file) {
  pugi::xml_document tree;
  const auto parsed = tree.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) throw InputError(Place{file, 0, ""}, parsed.description());
  std::map<std::string, HostSet> sets;
  for (const auto& found : tree.select_nodes("//zone/prop | //AS/prop | //cluster/prop")) {
    const std::string id = found.node().attribute("id").value();
    if (!id.starts_with(kSetProperty)) continue;
    const std::string name(trimmed(id.substr(std::strlen(kSetProperty))));
    const std::string hosts(trimmed(found.node().attribute("value").value()));
    const Place place{file, line_at(xml, static_cast<std::size_t>(found.node().offset_debug())), "set " + name};
    if (name.empty()) throw InputError(place, "a set has a name, as in <prop id=\"set NAME\" value=\"host-1 host-2\"/>");
    if (hosts.empty()) throw InputError(place, "a set has at least one workstation");
    if (!sets.try_emplace(name, HostSet{hosts, place.line}).second) throw InputError(place, "this set is defined twice");
  }
  return sets;
}

}  // namespace nowsim
