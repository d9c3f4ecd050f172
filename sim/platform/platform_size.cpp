// What clusters and regular networks are made of: their machines' names, how many they are, and what that takes.
#include <algorithm>
#include <limits>

#include "sim/base/text.hpp"
#include "sim/platform/platform_rules.hpp"

namespace nowsim {

ClusterNames::ClusterNames(const pugi::xml_node& element)
    : prefix_(element.attribute("prefix").value()), suffix_(element.attribute("suffix").value()) {
  using namespace platform_rules;
  for (const auto part : parts_of(element.attribute("radical").value(), ",")) {
    const auto ends = parts_of(part, "-");
    ranges_.emplace_back(whole_number(trimmed(ends.front())).value_or(0), whole_number(trimmed(ends.back())).value_or(0));
  }
}

std::vector<int> ClusterNames::numbers() const {
  std::vector<int> all;
  for (const auto& [first, last] : ranges_)
    for (int number = first; number <= last; ++number) all.push_back(number);
  return all;
}

double ClusterNames::size() const {
  double count = 0;
  for (const auto& [first, last] : ranges_) count += last - first + 1.0;
  return count;
}

bool ClusterNames::has(const std::string& name) const {
  const bool fits =
      name.starts_with(prefix_) && name.ends_with(suffix_) && name.size() > prefix_.size() + suffix_.size();
  if (!fits) return false;
  const std::string digits = name.substr(prefix_.size(), name.size() - prefix_.size() - suffix_.size());
  const auto number = platform_rules::whole_number(digits);
  // SimGrid counts 01-03 as 1, 2, 3.
  if (!number || std::to_string(*number) != digits) return false;
  return std::ranges::any_of(ranges_,
                             [&](const auto& range) { return range.first <= *number && *number <= range.second; });
}

}  // namespace nowsim

namespace nowsim::platform_rules {
namespace {

using pugi::xml_node;

struct MachineNumbers {
  int first, last;
};

std::vector<MachineNumbers> ranges_of(const Given& given) {
  constexpr const char* kWanted = "numbers of machines such as 0-9,12";
  std::vector<MachineNumbers> ranges;
  for (const auto part : parts_of(given.value, ",")) {
    const auto ends = parts_of(part, "-");
    if (ends.size() > 2) given.refuse(std::string("is not ") + kWanted);
    // The greatest is one less than elsewhere: SimGrid counts beyond it.
    const int first = required_whole(given, ends.front(), 0, kWanted),
              last = required_whole(given, ends.back(), 0, kWanted);
    if (last == std::numeric_limits<int>::max()) given.refuse("has a number beyond 2147483646");
    if (last < first) given.refuse("has a range that ends before it begins: " + std::string(part));
    ranges.push_back({first, last});
  }
  std::ranges::sort(ranges, {}, &MachineNumbers::first);
  for (std::size_t k = 1; k < ranges.size(); ++k)
    if (ranges[k].first <= ranges[k - 1].last)
      given.refuse("names the machine " + std::to_string(ranges[k].first) + " twice");
  return ranges;
}

/// How many machines and links a regular network has.
struct NetworkSize {
  double machines = 1, links = 0;
};

std::vector<double> positive_numbers(const Given& given, std::string_view text, const std::string& wanted) {
  std::vector<double> numbers;
  for (const auto part : parts_of(text, ",")) {
    const auto number = whole_number(trimmed(part));
    if (!number || *number < 1) given.refuse("is not " + wanted);
    numbers.push_back(*number);
  }
  return numbers;
}

NetworkSize torus_size(const Given& given) {
  NetworkSize size;
  const auto dimensions = positive_numbers(given, given.value, "the dimensions of a torus, such as 3,2,2");
  for (const double length : dimensions) size.machines *= length;
  size.links = size.machines * static_cast<double>(dimensions.size());
  return size;
}

NetworkSize fat_tree_size(const Given& given) {
  const std::string wanted =
      "a fat tree: levels; machines or switches below each; above each; cables, such as 2;4,4;1,2;1,2";
  const auto parts = parts_of(given.value, ";");
  if (parts.size() != 4) given.refuse("is not " + wanted);
  const auto levels = positive_numbers(given, parts[0], wanted);
  const auto down = positive_numbers(given, parts[1], wanted), up = positive_numbers(given, parts[2], wanted),
             cables = positive_numbers(given, parts[3], wanted);
  const auto count = static_cast<double>(down.size());
  if (levels.size() != 1 || levels[0] != count || up.size() != down.size() || cables.size() != down.size())
    given.refuse("is not " + wanted);
  NetworkSize size;
  for (const double d : down) size.machines *= d;
  double below = size.machines;  // nodes of the level below
  for (std::size_t k = 0; k < down.size(); ++k) {
    size.links += below * up[k] * cables[k];
    below = below / down[k] * up[k];
  }
  return size;
}

NetworkSize dragonfly_size(const Given& given) {
  const std::string wanted =
      "a dragonfly: groups,cables; chassis,cables; routers,cables; machines of a router, such as"
      " 3,4;3,2;3,1;2";
  const auto parts = parts_of(given.value, ";");
  if (parts.size() != 4) given.refuse("is not " + wanted);
  std::vector<double> counts;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto numbers = positive_numbers(given, parts[k], wanted);
    if (numbers.size() != (k < 3 ? 2 : 1)) given.refuse("is not " + wanted);
    counts.push_back(numbers.front());
  }
  const auto pairs = [](double n) { return n * (n - 1) / 2; };
  const double groups = counts[0], chassis = counts[1], routers = counts[2];
  NetworkSize size;
  size.machines = groups * chassis * routers * counts[3];
  size.links = size.machines + groups * (chassis * pairs(routers) + pairs(chassis) * routers) + pairs(groups);
  return size;
}

struct TopologyKind {
  std::string_view name;
  NetworkSize (*size)(const Given&);
};
constexpr TopologyKind kTopologies[] = {
    {"TORUS", torus_size}, {"FAT_TREE", fat_tree_size}, {"DRAGONFLY", dragonfly_size}};

/// Nothing for a flat one.
std::optional<NetworkSize> network_size(const Given& parameters) {
  const std::string_view name = parameters.node.attribute("topology").value();
  for (const auto& kind : kTopologies)
    if (kind.name == name) return kind.size(parameters);
  return std::nullopt;
}

// Measured with SimGrid 3.32 (Debian 12): what the process that loads a platform and the one that asked take together,
// per machine of a <cluster> with a full-duplex link, and per link.
constexpr double kMachineBytes = 4500, kLinkBytes = 1500;

double bytes_of(const PlatformText& platform, const xml_node& parent) {
  double bytes = 0;
  for (const auto& node : parent.children()) {
    bytes += bytes_of(platform, node);
    if (!node.attribute("radical")) continue;
    const auto size = network_size({platform, node, "topo_parameters", node.attribute("topo_parameters").value()});
    const double numbered = ClusterNames(node).size(), machines = size ? size->machines : numbered;
    bytes += numbered * sizeof(int) + machines * kMachineBytes + (size ? size->links : 0) * kLinkBytes;
  }
  return bytes;
}

}  // namespace

void radical(const Given& given) { ranges_of(given); }

void topology_parameters(const Given& given) {
  const auto size = network_size(given);
  const double numbered = ClusterNames(given.node).size();
  if (!size || size->machines <= numbered) return;
  given.refuse("makes " + number_text(size->machines) +
               " machines, and radical=" + quoted(given.node.attribute("radical").value()) + " numbers " +
               number_text(numbered));
}

double platform_bytes(const pugi::xml_document& tree) {
  const std::string none;
  return bytes_of({tree, none, none}, tree);
}

}  // namespace nowsim::platform_rules
