// Tables of SimGrid's grammar (its document type, version 4.1) with the ranges of values, and the walk along a tree.
#include "sim/platform/platform_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <span>
#include <xbt/parse_units.hpp>

#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {

Place PlatformText::place(std::ptrdiff_t offset, const std::string& key) const {
  return {file, line_at(text, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, offset))), key};
}

namespace {
namespace platform_rules {  // their short names are those of attributes, and of much else

using pugi::xml_node;

// ---- one attribute ----------------------------------------------------------------------------------------------

/// "FILE:LINE: host a"; a property is its element's.
Place place_of(const PlatformText& platform, const xml_node& node) {
  const xml_node named = std::string_view(node.name()) == "prop" ? node.parent() : node;
  const std::string id = shown_line(named.attribute("id").value());
  return platform.place(node.offset_debug(), std::string(named.name()) + (id.empty() ? "" : " " + id));
}

/// An attribute at hand: where, its name and its value.
struct Given {
  const PlatformText& platform;
  xml_node node;
  std::string name, value;

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw InputError(place_of(platform, node), name + "=" + quoted(value) + " " + sentence);
  }
};

/// Beyond these, sums and quotients of what computers and networks do leave the range of numbers.
constexpr double kLeastFigure = 1e-30, kGreatestFigure = 1e30;

using UnitReader = double (*)(const std::string&, int, const std::string&, const std::string&);
struct UnitKind {
  UnitReader read;
  const char* what;
};
constexpr UnitKind kSpeed{xbt_parse_get_speed, "a speed such as 25Mf"};
constexpr UnitKind kBandwidth{xbt_parse_get_bandwidth, "a bandwidth such as 125MBps"};
constexpr UnitKind kLatency{xbt_parse_get_time, "a latency such as 50us"};
constexpr UnitKind kSize{xbt_parse_get_size, "a size such as 16MiB"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// How much one of the unit is; nothing for what is none. SimGrid's own table, without its remarks.
std::optional<double> unit_scale(std::string_view unit, UnitReader read) {
  if (!std::ranges::all_of(unit, is_letter)) return std::nullopt;
  try {
    return read("", 0, "1" + std::string(unit), "");
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void check_figure(const Given& given, std::string_view text, const UnitKind& kind, bool may_be_zero) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto scale = unit_scale({end, static_cast<std::size_t>(text.data() + text.size() - end)}, kind.read);
  if (error != std::errc() || !scale || !std::isfinite(number) || number < 0 || (number == 0 && !may_be_zero))
    given.refuse(std::string("is not ") + kind.what + ", " + (may_be_zero ? "0 or more" : "more than 0"));
  const double figure = number * *scale;
  if (figure != 0 && (figure < kLeastFigure || figure > kGreatestFigure))
    given.refuse("is out of the range of what can be computed with: 1e-30 to 1e30, in " +
                 std::string(kind.read == xbt_parse_get_speed       ? "flop/s"
                             : kind.read == xbt_parse_get_bandwidth ? "bytes/s"
                             : kind.read == xbt_parse_get_time      ? "seconds"
                                                                    : "bytes"));
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find_first_of(separators)) != std::string_view::npos; text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

/// The number that the digits are; nothing for anything else, and beyond an int, which SimGrid takes.
std::optional<int> whole_number(std::string_view digits) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_whole = error == std::errc() && end == digits.data() + digits.size() && !digits.starts_with('-');
  return is_whole ? std::optional(number) : std::nullopt;
}

int required_whole(const Given& given, std::string_view digits, int least, const std::string& what) {
  const auto number = whole_number(trimmed(digits));
  if (!number || *number < least)
    given.refuse("is not " + what + ", " + std::to_string(least) + " to " +
                 std::to_string(std::numeric_limits<int>::max()));
  return *number;
}

void any_text(const Given&) {}
void a_name(const Given& given) {
  if (given.value.empty()) given.refuse("is no name");
}
void a_speed(const Given& given) { check_figure(given, given.value, kSpeed, false); }
void a_bandwidth(const Given& given) { check_figure(given, given.value, kBandwidth, false); }
void a_bandwidth_if_any(const Given& given) {
  if (!given.value.empty()) check_figure(given, given.value, kBandwidth, true);
}
void a_latency(const Given& given) { check_figure(given, given.value, kLatency, true); }
void a_latency_if_any(const Given& given) {
  if (!given.value.empty()) check_figure(given, given.value, kLatency, true);
}
void cores(const Given& given) { required_whole(given, given.value, 1, "a number of cores"); }

/// The power state that a host begins in; written as 0.0 in SimGrid's document type.
std::size_t first_state(const Given& given) {
  std::string_view digits = given.value;
  if (digits.ends_with(".0")) digits.remove_suffix(2);
  const auto states = parts_of(given.node.attribute("speed").value(), ",").size();
  const auto state = whole_number(digits);
  if (!state || static_cast<std::size_t>(*state) >= states)
    given.refuse("is no power state: the host has " + std::to_string(states) + " speeds, counted from 0");
  return static_cast<std::size_t>(*state);
}
void power_state(const Given& given) { first_state(given); }

/// A speed per power state; in states that the host does not begin in, which nowsim does not use, it may be 0.
void speeds(const Given& given) {
  const auto state = given.node.attribute("pstate");
  const std::size_t first = state ? first_state({given.platform, given.node, "pstate", state.value()}) : 0;
  const auto all = parts_of(given.value, ",");
  for (std::size_t k = 0; k < all.size(); ++k) check_figure(given, all[k], kSpeed, k != first);
}

bool is_one_of(std::string_view value, std::span<const std::string_view> words) {
  return std::ranges::find(words, value) != words.end();
}
void require_word(const Given& given, std::span<const std::string_view> words) {
  if (is_one_of(given.value, words)) return;
  std::string all;
  for (const auto word : words) all += (all.empty() ? "" : word == words.back() ? " or " : ", ") + std::string(word);
  given.refuse("is not " + all);
}
void link_sharing(const Given& given) {
  constexpr std::array<std::string_view, 5> kWords{"SHARED", "SPLITDUPLEX", "FULLDUPLEX", "FATPIPE", "WIFI"};
  require_word(given, kWords);
}
void cluster_sharing(const Given& given) {
  constexpr std::array<std::string_view, 4> kWords{"SHARED", "SPLITDUPLEX", "FULLDUPLEX", "FATPIPE"};
  require_word(given, kWords);
}
void backbone_sharing(const Given& given) {
  constexpr std::array<std::string_view, 2> kWords{"SHARED", "FATPIPE"};
  require_word(given, kWords);
}
void topology(const Given& given) {
  constexpr std::array<std::string_view, 4> kWords{"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"};
  require_word(given, kWords);
}
void yes_or_no(const Given& given) {
  constexpr std::array<std::string_view, 4> kWords{"YES", "NO", "yes", "no"};
  require_word(given, kWords);
}
void direction(const Given& given) {
  constexpr std::array<std::string_view, 3> kWords{"UP", "DOWN", "NONE"};
  require_word(given, kWords);
}

void routing(const Given& given) {
  constexpr std::array<std::string_view, 8> kWords{"Full",    "Floyd",   "Dijkstra", "DijkstraCache",
                                                   "Cluster", "Vivaldi", "Wifi",     "None"};
  const auto is_it = [&](std::string_view word) { return lower_case(given.value) == lower_case(std::string(word)); };
  if (std::ranges::none_of(kWords, is_it)) require_word(given, kWords);
}

/// A wireless link has a bandwidth for each of its signal's qualities.
void bandwidths(const Given& given) {
  const bool is_wireless = std::string_view(given.node.attribute("sharing_policy").value()) == "WIFI";
  for (const auto part : parts_of(given.value, is_wireless ? ",;" : "")) check_figure(given, part, kBandwidth, false);
}

void coordinates(const Given& given) {
  std::size_t count = 0;
  for (const auto word : parts_of(trimmed(given.value), " ")) {
    const auto number = to_number(word);
    if (word.empty() || !number || std::abs(*number) > kGreatestFigure)
      given.refuse("are not three numbers such as \"25.5 9.4 1.4\"");
    ++count;
  }
  if (count != 3) given.refuse("are not three numbers such as \"25.5 9.4 1.4\"");
}
void coordinates_if_any(const Given& given) {
  if (!given.value.empty()) coordinates(given);
}

void version(const Given& given) {
  const auto number = to_number(given.value);
  if (!number || !(*number >= 4 && *number <= 4.1))
    given.refuse(
        "is not 4 or 4.1, the versions of SimGrid's platforms that can be read (simgrid_update_xml updates older "
        "ones)");
}

// ---- how many machines an element makes -------------------------------------------------------------------------

struct MachineNumbers {
  int first, last;
};

/// The numbers of a cluster's machines: "0-9,12". Each once.
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
void radical(const Given& given) { ranges_of(given); }

double machines_of(const xml_node& node) {
  double count = 0;
  for (const auto part : parts_of(node.attribute("radical").value(), ",")) {
    const auto ends = parts_of(part, "-");
    count += whole_number(trimmed(ends.back())).value_or(0) - whole_number(trimmed(ends.front())).value_or(0) + 1.0;
  }
  return count;
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

/// SimGrid numbers the machines of a regular network by the cluster's, and wants as many.
void topology_parameters(const Given& given) {
  const auto size = network_size(given);
  if (!size || size->machines <= machines_of(given.node)) return;
  given.refuse("makes " + number_text(size->machines) +
               " machines, and radical=" + quoted(given.node.attribute("radical").value()) + " numbers " +
               number_text(machines_of(given.node)));
}

// ---- the grammar ------------------------------------------------------------------------------------------------

struct AttributeRule {
  std::string_view name;
  void (*check)(const Given&);
  bool required = false;
};
using ElementRule = std::vector<AttributeRule>;

const std::map<std::string_view, ElementRule>& grammar() {
  static const ElementRule zone{{"id", a_name, true}, {"routing", routing, true}};
  static const ElementRule zone_route{{"src", a_name, true},
                                      {"dst", a_name, true},
                                      {"gw_src", a_name, true},
                                      {"gw_dst", a_name, true},
                                      {"symmetrical", yes_or_no}};
  static const ElementRule zone_bypass{
      {"src", a_name, true}, {"dst", a_name, true}, {"gw_src", a_name, true}, {"gw_dst", a_name, true}};
  static const std::map<std::string_view, ElementRule> elements{
      {"platform", {{"version", version, true}}},
      {"config", {{"id", any_text}}},
      {"prop", {{"id", any_text, true}, {"value", any_text, true}}},
      {"random",
       {{"id", any_text},
        {"min", any_text},
        {"max", any_text},
        {"mean", any_text},
        {"std_deviation", any_text},
        {"seed", any_text},
        {"radical", any_text},
        {"generator", any_text}}},
      {"AS", zone},
      {"zone", zone},
      {"host",
       {{"id", a_name, true},
        {"speed", speeds, true},
        {"core", cores},
        {"speed_file", any_text},
        {"availability_file", any_text},
        {"state_file", any_text},
        {"coordinates", coordinates_if_any},
        {"pstate", power_state}}},
      {"disk", {{"id", any_text}, {"read_bw", a_bandwidth, true}, {"write_bw", a_bandwidth, true}}},
      {"host_link", {{"id", a_name, true}, {"up", a_name, true}, {"down", a_name, true}}},
      {"cluster",
       {{"id", a_name, true},
        {"prefix", any_text, true},
        {"suffix", any_text, true},
        {"radical", radical, true},
        {"speed", speeds, true},
        {"core", cores},
        {"bw", a_bandwidth, true},
        {"lat", a_latency, true},
        {"sharing_policy", cluster_sharing},
        {"topology", topology},
        {"topo_parameters", topology_parameters},
        {"bb_bw", a_bandwidth_if_any},
        {"bb_lat", a_latency_if_any},
        {"bb_sharing_policy", backbone_sharing},
        {"router_id", any_text},
        {"limiter_link", a_bandwidth_if_any},
        {"loopback_bw", a_bandwidth_if_any},
        {"loopback_lat", a_latency_if_any}}},
      {"cabinet",
       {{"id", a_name, true},
        {"prefix", any_text, true},
        {"suffix", any_text, true},
        {"radical", radical, true},
        {"speed", a_speed, true},
        {"bw", a_bandwidth, true},
        {"lat", a_latency, true}}},
      {"peer",
       {{"id", a_name, true},
        {"speed", a_speed, true},
        {"bw_in", a_bandwidth, true},
        {"bw_out", a_bandwidth, true},
        {"lat", a_latency_if_any},
        {"coordinates", coordinates, true},
        {"speed_file", any_text},
        {"availability_file", any_text},
        {"state_file", any_text}}},
      {"router", {{"id", a_name, true}, {"coordinates", coordinates_if_any}}},
      {"backbone", {{"id", a_name, true}, {"bandwidth", a_bandwidth, true}, {"latency", a_latency, true}}},
      {"link",
       {{"id", a_name, true},
        {"bandwidth", bandwidths, true},
        {"bandwidth_file", any_text},
        {"latency", a_latency, true},
        {"latency_file", any_text},
        {"state_file", any_text},
        {"sharing_policy", link_sharing}}},
      {"route", {{"src", a_name, true}, {"dst", a_name, true}, {"symmetrical", yes_or_no}}},
      {"ASroute", zone_route},
      {"zoneRoute", zone_route},
      {"bypassRoute", {{"src", a_name, true}, {"dst", a_name, true}}},
      {"bypassASroute", zone_bypass},
      {"bypassZoneRoute", zone_bypass},
      {"link_ctn", {{"id", a_name, true}, {"direction", direction}}},
      {"trace", {{"id", a_name, true}, {"file", any_text}, {"periodicity", any_text}}},
      {"trace_connect", {{"kind", any_text}, {"trace", any_text, true}, {"element", any_text, true}}},
  };
  return elements;
}

/// Elements of SimGrid's grammar that are refused, and why.
struct RefusedElement {
  std::string_view name;
  const char* why;
};
constexpr RefusedElement kRefusedElements[] = {
    {"include", "other files cannot be included: SimGrid does so no more since its version 3.18"},
    {"storage", "SimGrid has storage no more since its version 3.27; <disk> took its place"},
    {"storage_type", "SimGrid has storage no more since its version 3.27; <disk> took its place"},
    {"mount", "SimGrid has storage no more since its version 3.27; <disk> took its place"},
    {"process", "a platform says what there is, not what runs on it: the experiment's job does"},
    {"actor", "a platform says what there is, not what runs on it: the experiment's job does"},
};

/// Settings that nowsim makes itself, so that results are exact: a file's have no effect.
constexpr std::array<std::string_view, 17> kOwnSettings{"contexts/factory",
                                                        "contexts/guard-size",
                                                        "contexts/nthreads",
                                                        "contexts/stack-size",
                                                        "cpu/model",
                                                        "cpu/optim",
                                                        "host/model",
                                                        "network/TCP-gamma",
                                                        "network/bandwidth-factor",
                                                        "network/crosstraffic",
                                                        "network/latency-factor",
                                                        "network/loopback-bw",
                                                        "network/loopback-lat",
                                                        "network/model",
                                                        "network/optim",
                                                        "network/weight-S",
                                                        "surf/precision"};

// SimGrid's reader keeps a state for each, and 5000 of them ended it; nested zones mean sites, rooms and racks.
constexpr int kDeepest = 256;

/// The walk along the tree.
class RuleWalk {
 public:
  explicit RuleWalk(const PlatformText& platform) : platform_(platform) {}

  std::vector<std::string> remarks() {
    visit(platform_.tree, 0);
    return std::move(remarks_);
  }

 private:
  [[nodiscard]] Place place(const xml_node& node) const { return place_of(platform_, node); }

  void visit(const xml_node& parent, int depth) {
    if (depth > kDeepest)
      throw InputError(place(parent),
                       "elements stand more than " + std::to_string(kDeepest) + " deep in one another here");
    for (const auto& node : parent.children()) {
      if (node.type() != pugi::node_element && std::string_view(parent.name()) != "trace")
        throw InputError(place(parent),
                         "text stands between the elements here: " + quoted(node.value()));
      if (node.type() != pugi::node_element) continue;
      check_element(node);
      if (std::string_view(node.name()) == "config") check_settings(node);
      visit(node, depth + 1);
    }
  }

  void check_element(const xml_node& node) const {
    const std::string_view name = node.name();
    for (const auto& refused : kRefusedElements)
      if (refused.name == name) throw InputError(place(node), refused.why);
    const auto rule = grammar().find(name);
    if (rule == grammar().end())
      throw InputError(place(node), "<" + std::string(name) + "> is no element of a SimGrid platform (version 4.1)");
    check_attributes(node, rule->second);
    if (name == "prop" && std::string_view(node.attribute("id").value()) == "memory")
      check_figure({platform_, node, "memory", node.attribute("value").value()}, node.attribute("value").value(), kSize,
                   false);
    if (name == "peer" && lower_case(node.parent().attribute("routing").value()) != "vivaldi")
      throw InputError(place(node), "a <peer> stands in a <zone> with routing=\"Vivaldi\" only");
  }

  void check_attributes(const xml_node& node, const ElementRule& rules) const {
    std::set<std::string_view> seen;
    for (const auto& attribute : node.attributes()) {
      const Given given{platform_, node, attribute.name(), attribute.value()};
      if (!seen.insert(attribute.name()).second)
        throw InputError(place(node), "the attribute " + given.name + " is given twice");
      const auto rule = std::ranges::find(rules, std::string_view(given.name), &AttributeRule::name);
      if (rule == rules.end()) throw InputError(place(node), unknown_attribute(given, rules));
      if (std::ranges::any_of(given.value, is_control))
        throw InputError(place(node), "the attribute " + given.name + " has a control character");
      rule->check(given);
    }
    for (const auto& rule : rules)
      if (rule.required && !seen.contains(rule.name))
        throw InputError(place(node), "the attribute " + std::string(rule.name) + " is missing");
  }

  static std::string unknown_attribute(const Given& given, const ElementRule& rules) {
    std::string known;
    for (const auto& rule : rules) known += (known.empty() ? "" : ", ") + std::string(rule.name);
    return "a <" + std::string(given.node.name()) + "> has no attribute " + quoted(given.name) + "; it has " +
           known;
  }

  /// A setting could have files written, the process ended, or other models used, and SimGrid knows hundreds.
  void check_settings(const xml_node& config) {
    for (const auto& node : config.children("prop")) {
      const std::string key = node.attribute("id").value();
      if (!is_one_of(key, kOwnSettings))
        throw InputError(place(node),
                         "a platform cannot set " + quoted(key) +
                             ": settings of SimGrid may write files, end the program or change what is computed");
      remarks_.push_back(InputError(place(node), "the setting " + quoted(key) +
                                                     " has no effect: nowsim makes it itself, for exact results")
                             .what());
    }
  }

  const PlatformText& platform_;
  std::vector<std::string> remarks_;
};

// ---- memory -----------------------------------------------------------------------------------------------------

// Measured with SimGrid 3.32 (Debian 12): what the process that loads a platform and the one that asked take together,
// per machine of a <cluster> with a full-duplex link, per link, and per element of the text.
constexpr double kMachineBytes = 4500, kLinkBytes = 1500, kElementBytes = 3500;
/// Zones with these have a table of all pairs of what they hold.
struct PairTable {
  const char* routing;
  double bytes;
};
constexpr PairTable kPairTables[] = {{"full", 8}, {"floyd", 24}};

double bytes_of(const PlatformText& platform, const xml_node& parent) {
  double bytes = 0, members = 0;
  for (const auto& node : parent.children()) {
    if (node.type() != pugi::node_element) continue;
    bytes += kElementBytes + bytes_of(platform, node);
    const std::string_view name = node.name();
    members += name == "host" || name == "router" || name == "zone" || name == "AS" || name == "cluster";
    if (!node.attribute("radical")) continue;
    const auto size = network_size({platform, node, "topo_parameters", node.attribute("topo_parameters").value()});
    const double machines = size ? size->machines : machines_of(node);
    bytes += machines_of(node) * sizeof(int) + machines * kMachineBytes + (size ? size->links : 0) * kLinkBytes;
    for (const char* own_link : {"loopback_bw", "limiter_link"})
      if (*node.attribute(own_link).value() != '\0') bytes += machines * kLinkBytes;
  }
  const std::string kind = lower_case(parent.attribute("routing").value());
  for (const auto& table : kPairTables)
    if (kind == table.routing) bytes += table.bytes * members * members;
  return bytes;
}

// ---- what SimGrid reads -----------------------------------------------------------------------------------------

/// What could have files written or read. Profiles are taken out before (platform_xml.cpp).
constexpr std::array<std::string_view, 3> kLeftOut{"config", "trace", "trace_connect"};
constexpr std::string_view kHead =
    "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";

class CanonicalText {
 public:
  explicit CanonicalText(const std::string& source) : source_(source), out_(kHead) {}

  std::string of(const pugi::xml_document& tree) {
    for (const auto& node : tree.children()) write(node);
    return std::move(out_) + "\n";
  }

 private:
  void write(const xml_node& node) {
    const std::string_view name = node.name();
    if (node.type() != pugi::node_element || is_one_of(name, kLeftOut)) return;
    go_to(static_cast<std::size_t>(node.offset_debug()));
    (out_ += '<') += name;
    for (const auto& attribute : node.attributes()) {
      if (std::string_view(attribute.name()).ends_with("_file")) continue;
      ((out_ += ' ') += attribute.name()) += "=\"";
      for (const char* c = attribute.value(); *c != '\0'; ++c) put(*c);
      out_ += '"';
    }
    out_ += '>';
    for (const auto& child : node.children()) write(child);
    ((out_ += "</") += name) += '>';
  }
  /// Keeps the line.
  void go_to(std::size_t offset) {
    for (; at_ < offset; ++at_)
      if (source_[at_] == '\n') out_ += '\n';
  }
  void put(char c) {
    switch (c) {
      case '<':
        out_ += "&lt;";
        break;
      case '>':
        out_ += "&gt;";
        break;
      case '&':
        out_ += "&amp;";
        break;
      case '"':
        out_ += "&quot;";
        break;
      default:
        out_ += c;
    }
  }

  const std::string& source_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace platform_rules
}  // namespace

std::vector<std::string> check_rules(const PlatformText& platform) {
  return platform_rules::RuleWalk(platform).remarks();
}

double platform_bytes(const pugi::xml_document& tree) {
  const std::string none;
  return platform_rules::bytes_of({tree, none, none}, tree);
}

std::string canonical_xml(const std::string& xml) {
  pugi::xml_document tree;
  const auto parsed = tree.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) throw InputError(parsed.description());
  return platform_rules::CanonicalText(xml).of(tree);
}

}  // namespace nowsim
