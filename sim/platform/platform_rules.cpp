// The walk along a tree; what clusters and regular networks are made of: their machines' names, how many they are, and
// what that takes.
#include "sim/platform/platform_rules.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace platform_rules {
namespace {

using pugi::xml_node;

/// SimGrid's settings (3.32, those of its plugins, and 4.1's other names) by what they are here: none reaches SimGrid.
/// What could change what is computed, and nowsim has no such thing by itself, is refused with what to do.
struct SettingKind {
  std::string_view names;  ///< with '-' where older versions have '_'; "a/*": all that begin with "a/"
  bool is_refused;
  const char* why;
};
constexpr SettingKind kSettingKinds[] = {
    {"bmf/* cpu/maxmin-selective-update cpu/model cpu/optim cpu/solver disk/* host/model host/solver maxmin/precision "
     "network/* ns-3/* precision/* surf/nthreads surf/precision workstation/model",
     false, "nowsim has a model and precisions of its own, for exact results"},
    {"contexts/*", false, "nowsim runs its ranks in its own way"},
    {"smpi/*", false, "it is for programs that run under SMPI, and none does here"},
    {"tracing tracing/* triva/* viva/*", false, "'nowsim run --trace' and '--gantt' write what happened"},
    {"clean-atexit debug/* exception/* help-nostop model-check model-check/* path plugin storage/* surf/path "
     "verbose-exit",
     false, "nothing that is computed depends on it"},
    {"maxmin/concurrency-limit", true,
     "nowsim has no limit to how many share a machine or a link: take the setting out where that many never meet"},
    {"cmonkey/*", true,
     "it has machines and links fail: take it out, and give those that do a state_file, or platform.failures"},
    {"plugin/dvfs/*", true,
     "it changes the speed of machines as they run: take it out, and give a machine whose speed varies a speed_file"},
};
/// Of the setting `plugin`, whose other values only measure: those that do what a setting above is refused for.
constexpr std::pair<std::string_view, std::string_view> kRefusedPlugins[] = {{"cmonkey", "cmonkey/*"},
                                                                             {"host_dvfs", "plugin/dvfs/*"}};

/// Older versions have '_' in names.
std::string with_dashes(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

const SettingKind* kind_of_setting(const std::string& key) {
  const std::string name = with_dashes(key);
  const auto is_it = [&](std::string_view known) {
    return known.ends_with('*') ? name.starts_with(known.substr(0, known.size() - 1)) : name == known;
  };
  const auto* const kind = std::ranges::find_if(
      kSettingKinds, [&](const SettingKind& k) { return std::ranges::any_of(parts_of(k.names, " "), is_it); });
  return kind == std::end(kSettingKinds) ? nullptr : kind;
}

// SimGrid's reader keeps a state for each, and 5000 of them ended it; nested zones mean sites, rooms and racks.
constexpr int kDeepest = 256;

void check_settings(const PlatformText& platform, const xml_node& config, RuleNotes& notes) {
  for (const auto& node : config.children("prop")) {
    const std::string key = node.attribute("id").value();
    const SettingKind* kind = kind_of_setting(key);
    for (const auto& [plugin, as] : kRefusedPlugins)
      if (key == "plugin" && node.attribute("value").value() == plugin)
        kind = std::ranges::find(kSettingKinds, as, &SettingKind::names);
    if (kind == nullptr || kind->is_refused)
      throw InputError(place_of(platform, node),
                       "a platform cannot set " + quoted(key) + ": " +
                           (kind != nullptr ? kind->why
                                            : "nowsim does not know this setting of SimGrid; take it out if nothing"
                                              " that is computed depends on it") +
                           lookalike_hint(key));
    const std::string name = with_dashes(key);
    if (std::ranges::find(notes.settings, name) != notes.settings.end()) continue;
    notes.settings.push_back(name);
    notes.remarks.emplace_back(
        InputError(place_of(platform, node), "the setting " + quoted(key) + " has no effect: " + kind->why).what());
  }
}

/// SimGrid takes "1,5Gf" for the speeds of two power states, and the machine begins in the first: 1 flop/s. A list that is
/// meant has units at all of its speeds, or at none.
void remark_on_decimal_comma(const PlatformText& platform, const xml_node& node, RuleNotes& notes) {
  const std::string speed = node.attribute("speed").value(), hint = foreign_character_hint(speed);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto comma = speed.find(',');
  if (hint.empty() || node.attribute("pstate") || comma == 0 || comma == speed.npos || !is_digit(speed[comma - 1]) || is_digit(speed.back())) return;
  notes.remarks.emplace_back(InputError(place_of(platform, node),
                                        "speed=" + quoted(speed) + " is a list of speeds, of which the first counts, " +
                                            number_text(speed_in(parts_of(speed, ",").front())) + " flop/s" + hint)
                                 .what());
}

void check_children(const PlatformText& platform, const xml_node& parent, int depth, RuleNotes& notes) {
  if (depth > kDeepest)
    throw InputError(place_of(platform, parent),
                     "elements stand more than " + std::to_string(kDeepest) + " deep in one another here");
  for (const auto& node : parent.children()) {
    const bool is_element = node.type() == pugi::node_element;
    if (!is_element && std::string_view(parent.name()) != "trace")
      throw InputError(place_of(platform, parent), "text stands between the elements here: " + quoted(node.value()) +
                                                       lookalike_hint(node.value()));
    if (!is_element) continue;
    check_element(platform, node);
    if (std::string_view(node.name()) == "config") check_settings(platform, node, notes);
    remark_on_decimal_comma(platform, node, notes);
    check_children(platform, node, depth + 1, notes);
  }
}

}  // namespace
}  // namespace platform_rules

pugi::xml_document tree_of(const std::string& xml, const std::string& source, unsigned options) {
  pugi::xml_document tree;
  const auto parsed = tree.load_buffer(xml.data(), xml.size(), options, pugi::encoding_utf8);
  if (!parsed) throw InputError(Place{source, 0, ""}, parsed.description());
  return tree;
}

RuleNotes check_rules(const PlatformText& platform) {
  RuleNotes notes;
  platform_rules::check_children(platform, platform.tree, 0, notes);
  return notes;
}

// ---- machines of clusters ------------------------------------------------------------------------------------------

ClusterNames::ClusterNames(const pugi::xml_node& element)
    : prefix_(element.attribute("prefix").value()), suffix_(element.attribute("suffix").value()) {
  const auto number = [](std::string_view end) { return platform_rules::whole_number(trimmed(end)).value_or(0); };
  for (const auto part : platform_rules::parts_of(element.attribute("radical").value(), ",")) {
    const auto ends = platform_rules::parts_of(part, "-");
    ranges_.emplace_back(number(ends.front()), number(ends.back()));
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

namespace platform_rules {

void radical(const Given& given) {
  constexpr const char* kWanted = "numbers of machines such as 0-9,12";
  std::vector<std::pair<int, int>> ranges;
  for (const auto part : parts_of(given.value, ",")) {
    const auto ends = parts_of(part, "-");
    if (ends.size() > 2) given.refuse(std::string("is not ") + kWanted);
    // The greatest is one less than elsewhere: SimGrid counts beyond it.
    const int first = required_whole(given, ends.front(), 0, kWanted),
              last = required_whole(given, ends.back(), 0, kWanted);
    if (last == std::numeric_limits<int>::max()) given.refuse("has a number beyond 2147483646");
    if (last < first) given.refuse("has a range that ends before it begins: " + std::string(part));
    ranges.emplace_back(first, last);
  }
  std::ranges::sort(ranges);
  for (std::size_t k = 1; k < ranges.size(); ++k)
    if (ranges[k].first <= ranges[k - 1].second)
      given.refuse("names the machine " + std::to_string(ranges[k].first) + " twice");
}

namespace {

/// How many machines and links a regular network has.
struct NetworkSize {
  double machines = 1, links = 0;
};

/// The lists between ';': of so many numbers each (0: any number of them), 1 or more.
std::vector<std::vector<double>> number_lists(const Given& given, const std::vector<std::size_t>& lengths,
                                              const std::string& wanted) {
  const auto parts = parts_of(given.value, ";");
  std::vector<std::vector<double>> lists(parts.size());
  bool is_right = parts.size() == lengths.size();
  for (std::size_t k = 0; is_right && k < parts.size(); ++k) {
    for (const auto part : parts_of(parts[k], ",")) lists[k].push_back(whole_number(trimmed(part)).value_or(0));
    is_right = std::ranges::min(lists[k]) >= 1 && (lengths[k] == 0 || lists[k].size() == lengths[k]);
  }
  if (!is_right) given.refuse("is not " + wanted);
  return lists;
}

NetworkSize torus_size(const Given& given) {
  const auto lengths = number_lists(given, {0}, "the dimensions of a torus, such as 3,2,2").front();
  const double machines = std::accumulate(lengths.begin(), lengths.end(), 1.0, std::multiplies());
  return {machines, machines * static_cast<double>(lengths.size())};
}

NetworkSize fat_tree_size(const Given& given) {
  const std::string wanted =
      "a fat tree: levels; machines or switches below each; above each; cables, such as 2;4,4;1,2;1,2";
  const auto lists = number_lists(given, {1, 0, 0, 0}, wanted);
  const auto &down = lists[1], &up = lists[2], &cables = lists[3];
  const std::size_t levels = down.size();
  if (lists[0][0] != static_cast<double>(levels) || up.size() != levels || cables.size() != levels)
    given.refuse("is not " + wanted);
  NetworkSize size;
  for (const double d : down) size.machines *= d;
  double below = size.machines;  // nodes of the level below
  for (std::size_t k = 0; k < levels; ++k) {
    size.links += below * up[k] * cables[k];
    below = below / down[k] * up[k];
  }
  return size;
}

NetworkSize dragonfly_size(const Given& given) {
  const auto lists =
      number_lists(given, {2, 2, 2, 1},
                   "a dragonfly: groups,cables; chassis,cables; routers,cables; machines of a router, such as"
                   " 3,4;3,2;3,1;2");
  const auto pairs = [](double n) { return n * (n - 1) / 2; };
  const double groups = lists[0][0], chassis = lists[1][0], routers = lists[2][0];
  const double machines = groups * chassis * routers * lists[3][0];
  return {machines, machines + groups * (chassis * pairs(routers) + pairs(chassis) * routers) + pairs(groups)};
}

/// Nothing for a flat one.
std::optional<NetworkSize> network_size(const Given& parameters) {
  const std::string_view topology = parameters.node.attribute("topology").value();
  if (topology == "TORUS") return torus_size(parameters);
  if (topology == "FAT_TREE") return fat_tree_size(parameters);
  if (topology == "DRAGONFLY") return dragonfly_size(parameters);
  return std::nullopt;
}

// Measured with SimGrid 3.32 (Debian 12): what the process that loads a platform and the one that asked take together,
// per machine of a <cluster> with a full-duplex link, and per link.
constexpr double kMachineBytes = 4500, kLinkBytes = 1500;

}  // namespace

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
  const PlatformText platform{tree, none, none};
  double bytes = 0;
  for (const auto& found : tree.select_nodes("//*[@radical]")) {
    const xml_node node = found.node();
    const auto size = network_size({platform, node, "topo_parameters", node.attribute("topo_parameters").value()});
    const double numbered = ClusterNames(node).size(), machines = size ? size->machines : numbered;
    bytes += numbered * sizeof(int) + machines * kMachineBytes + (size ? size->links : 0) * kLinkBytes;
  }
  return bytes;
}

}  // namespace platform_rules
}  // namespace nowsim
