// SimGrid's grammar (its document type, version 4.1): elements with their attributes, and the kinds of values that
// these have: numbers with units, words and lists.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"
#include "sim/platform/platform_rules.hpp"

namespace nowsim::platform_rules {

using pugi::xml_node;

Place place_of(const PlatformText& platform, const xml_node& node) {
  const xml_node named = std::string_view(node.name()) == "prop" ? node.parent() : node;
  const std::string id = shown_line(named.attribute("id").value());
  const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, node.offset_debug()));
  return {platform.file, line_at(platform.text, offset), std::string(named.name()) + (id.empty() ? "" : " " + id)};
}

std::string how_to_update(std::string_view element) {
  const std::string_view tag = element.substr(0, element.find('>'));
  const bool is_found = tag.find('\n') == tag.npos && (tag.ends_with('"') || tag.ends_with('\''));
  return "; 'simgrid_update_xml FILE' (Debian: libsimgrid-dev) updates an older FILE, in place" +
         std::string(is_found ? "" : ", once <platform version=\"...\"> stands on one line, without a blank before its '>'");
}

void Given::refuse(const std::string& sentence) const {
  throw InputError(place_of(platform, node), name + "=" + quoted(value) + " " + sentence + lookalike_hint(value));
}

namespace {

/// Beyond these, sums and quotients of what computers and networks do leave the range of numbers.
constexpr double kLeastFigure = 1e-30, kGreatestFigure = 1e30;

/// A unit, and what stands before it: each prefix is so many times the one before.
struct Unit {
  std::string_view name;
  double scale;
  double step = 1;
  std::span<const std::string_view> prefixes = {};
};
constexpr std::string_view kDecimal[] = {"k", "M", "G", "T", "P", "E", "Z", "Y"},
                           kBinary[] = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"},
                           kInWords[] = {"kilo", "mega", "giga", "tera", "peta", "exa", "zeta", "yotta"};
constexpr Unit kSpeedUnits[] = {{"f", 1, 1000, kDecimal}, {"flops", 1, 1000, kInWords}},
               kBandwidthUnits[] = {{"bps", 0.125, 1024, kBinary},
                                    {"bps", 0.125, 1000, kDecimal},
                                    {"Bps", 1, 1024, kBinary},
                                    {"Bps", 1, 1000, kDecimal}},
               kLatencyUnits[] = {{"w", 604800}, {"d", 86400}, {"h", 3600},  {"m", 60},   {"s", 1},
                                  {"ms", 1e-3},  {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}},
               kSizeUnits[] = {{"b", 0.125, 1024, kBinary},
                               {"b", 0.125, 1000, kDecimal},
                               {"B", 1, 1024, kBinary},
                               {"B", 1, 1000, kDecimal}};

/// A kind of figure: SimGrid's units for it (xbt/parse_units.hpp), the one where none is given, and in what it is told.
struct UnitKind {
  std::span<const Unit> units;
  std::string_view without;
  const char* what;
  const char* told_in;
};
constexpr UnitKind kSpeed{kSpeedUnits, "f", "a speed such as 25Mf", "flop/s"};
constexpr UnitKind kBandwidth{kBandwidthUnits, "Bps", "a bandwidth such as 125MBps", "bytes/s"};
constexpr UnitKind kLatency{kLatencyUnits, "s", "a latency such as 50us", "seconds"};
constexpr UnitKind kSize{kSizeUnits, "B", "a size such as 16MiB", "bytes"};

/// How much one of the unit is; nothing for what is none.
std::optional<double> unit_scale(std::string_view text, const UnitKind& kind) {
  if (text.empty()) text = kind.without;
  for (const Unit& unit : kind.units) {
    if (text == unit.name) return unit.scale;
    double scale = unit.scale;
    for (const std::string_view prefix : unit.prefixes) {
      scale *= unit.step;
      if (text.starts_with(prefix) && text.substr(prefix.size()) == unit.name) return scale;
    }
  }
  return std::nullopt;
}

/// Nothing for what is no such figure.
std::optional<double> figure_in(std::string_view text, const UnitKind& kind) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = number_from_chars(text.data(), text.data() + text.size(), number);
  const auto scale = unit_scale({end, static_cast<std::size_t>(text.data() + text.size() - end)}, kind);
  if (error != std::errc() || !scale || !std::isfinite(number) || number < 0) return std::nullopt;
  return number * *scale;
}

void check_figure(const Given& given, std::string_view text, const UnitKind& kind, bool may_be_zero) {
  const auto figure = figure_in(text, kind);
  if (!figure || (*figure == 0 && !may_be_zero))
    given.refuse(std::string("is not ") + kind.what + ", " + (may_be_zero ? "0 or more" : "more than 0") +
                 (lookalike_hint(text).empty() ? foreign_character_hint(text) : ""));
  if (*figure != 0 && !(*figure >= kLeastFigure && *figure <= kGreatestFigure))
    given.refuse(std::string("is out of the range of what can be computed with: 1e-30 to 1e30, in ") + kind.told_in);
}

}  // namespace

double speed_in(std::string_view text) { return figure_in(text, kSpeed).value(); }
double bandwidth_in(std::string_view text) { return figure_in(text, kBandwidth).value(); }
double latency_in(std::string_view text) { return figure_in(text, kLatency).value(); }
double size_in(std::string_view text) { return figure_in(text, kSize).value(); }

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find_first_of(separators)) != std::string_view::npos; text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

bool is_one_of(std::string_view word, std::string_view words) {
  const auto all = parts_of(words, " ");
  return std::ranges::find(all, word) != all.end();
}

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

namespace {

using Check = void (*)(const Given&);

template <Check kCheck>
void if_any(const Given& given) {
  if (!given.value.empty()) kCheck(given);
}

void any_text(const Given&) {}
void a_name(const Given& given) {
  if (given.value.empty()) given.refuse("is no name");
}

template <const UnitKind& kKind, bool kMayBeZero = false>
void figure(const Given& given) {
  check_figure(given, given.value, kKind, kMayBeZero);
}
constexpr Check a_speed = figure<kSpeed, true>, a_bandwidth = figure<kBandwidth>, a_latency = figure<kLatency, true>,
                a_size = figure<kSize>, a_bandwidth_if_any = if_any<figure<kBandwidth, true>>,
                a_latency_if_any = if_any<a_latency>;

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

/// A speed per power state; nothing computes at 0.
void speeds(const Given& given) {
  for (const auto speed : parts_of(given.value, ",")) check_figure(given, speed, kSpeed, true);
}

void require_word(const Given& given, std::span<const std::string_view> words) {
  if (std::ranges::find(words, given.value) != words.end()) return;
  std::string all;
  for (const auto word : words) all += (all.empty() ? "" : word == words.back() ? " or " : ", ") + std::string(word);
  given.refuse("is not " + all);
}
template <const auto& kWords>
void one_of(const Given& given) {
  require_word(given, kWords);
}
constexpr std::string_view kLinkSharing[] = {"SHARED", "SPLITDUPLEX", "FULLDUPLEX", "FATPIPE", "WIFI"},
                           kClusterSharing[] = {"SHARED", "SPLITDUPLEX", "FULLDUPLEX", "FATPIPE"},
                           kBackboneSharing[] = {"SHARED", "FATPIPE"},
                           kTopologies[] = {"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"},
                           kYesOrNo[] = {"YES", "NO", "yes", "no"}, kDirections[] = {"UP", "DOWN", "NONE"},
                           kRoutings[] = {"Full",    "Floyd",   "Dijkstra", "DijkstraCache",
                                          "Cluster", "Vivaldi", "Wifi",     "None"};

void routing(const Given& given) {
  const auto is_it = [&](std::string_view word) { return lower_case(given.value) == lower_case(std::string(word)); };
  if (std::ranges::none_of(kRoutings, is_it)) require_word(given, kRoutings);
}

/// A wireless link has a bandwidth for each of its signal's qualities.
void bandwidths(const Given& given) {
  const bool is_wireless = std::string_view(given.node.attribute("sharing_policy").value()) == "WIFI";
  for (const auto part : parts_of(given.value, is_wireless ? ",;" : "")) check_figure(given, part, kBandwidth, false);
}

void coordinates(const Given& given) {
  const auto words = parts_of(trimmed(given.value), " ");
  const auto is_number = [](std::string_view word) {
    return std::abs(to_number(word).value_or(kInfinity)) <= kGreatestFigure;
  };
  if (words.size() != 3 || !std::ranges::all_of(words, is_number))
    given.refuse("are not three numbers such as \"25.5 9.4 1.4\"");
}

void version(const Given& given) {
  const auto number = to_number(given.value);
  if (!number || !(*number >= 4 && *number <= 4.1))
    given.refuse("is not 4 or 4.1, the versions of SimGrid's platforms that can be read" +
                 how_to_update(given.platform.text.substr(static_cast<std::size_t>(given.node.offset_debug()))));
}

// ---- elements ------------------------------------------------------------------------------------------------------

struct AttributeRule {
  std::string_view name;
  Check check;
  bool required;
};
using ElementRule = std::vector<AttributeRule>;

/// Attributes that follow one another and have values of one kind: names, with a '!' behind those that are required.
struct AlikeAttributes {
  Check check;
  std::string_view names;
};

ElementRule with(std::initializer_list<AlikeAttributes> attributes) {
  ElementRule rule;
  for (const auto& [check, names] : attributes)
    for (const std::string_view name : parts_of(names, " "))
      rule.push_back({name.substr(0, name.find('!')), check, name.ends_with('!')});
  return rule;
}

const std::map<std::string_view, ElementRule>& grammar() {
  static const ElementRule zone = with({{a_name, "id!"}, {routing, "routing!"}}),
                           zone_bypass = with({{a_name, "src! dst! gw_src! gw_dst!"}}),
                           zone_route =
                               with({{a_name, "src! dst! gw_src! gw_dst!"}, {one_of<kYesOrNo>, "symmetrical"}});
  static const std::map<std::string_view, ElementRule> elements{
      {"platform", with({{version, "version!"}})},
      {"config", with({{any_text, "id"}})},
      {"prop", with({{any_text, "id! value!"}})},
      {"random", with({{any_text, "id min max mean std_deviation seed radical generator"}})},
      {"AS", zone},
      {"zone", zone},
      {"host", with({{a_name, "id!"},
                     {speeds, "speed!"},
                     {cores, "core"},
                     {any_text, "speed_file availability_file state_file"},
                     {if_any<coordinates>, "coordinates"},
                     {power_state, "pstate"}})},
      {"disk", with({{any_text, "id"}, {a_bandwidth, "read_bw! write_bw!"}})},
      {"host_link", with({{a_name, "id! up! down!"}})},
      {"cluster", with({{a_name, "id!"},
                        {any_text, "prefix! suffix!"},
                        {radical, "radical!"},
                        {speeds, "speed!"},
                        {cores, "core"},
                        {a_bandwidth, "bw!"},
                        {a_latency, "lat!"},
                        {one_of<kClusterSharing>, "sharing_policy"},
                        {one_of<kTopologies>, "topology"},
                        {topology_parameters, "topo_parameters"},
                        {a_bandwidth_if_any, "bb_bw"},
                        {a_latency_if_any, "bb_lat"},
                        {one_of<kBackboneSharing>, "bb_sharing_policy"},
                        {any_text, "router_id"},
                        {a_bandwidth_if_any, "limiter_link loopback_bw"},
                        {a_latency_if_any, "loopback_lat"}})},
      {"cabinet", with({{a_name, "id!"},
                        {any_text, "prefix! suffix!"},
                        {radical, "radical!"},
                        {a_speed, "speed!"},
                        {a_bandwidth, "bw!"},
                        {a_latency, "lat!"}})},
      {"peer", with({{a_name, "id!"},
                     {a_speed, "speed!"},
                     {a_bandwidth, "bw_in! bw_out!"},
                     {a_latency_if_any, "lat"},
                     {coordinates, "coordinates!"},
                     {any_text, "speed_file availability_file state_file"}})},
      {"router", with({{a_name, "id!"}, {if_any<coordinates>, "coordinates"}})},
      {"backbone", with({{a_name, "id!"}, {a_bandwidth, "bandwidth!"}, {a_latency, "latency!"}})},
      {"link", with({{a_name, "id!"},
                     {bandwidths, "bandwidth!"},
                     {any_text, "bandwidth_file"},
                     {a_latency, "latency!"},
                     {any_text, "latency_file state_file"},
                     {one_of<kLinkSharing>, "sharing_policy"}})},
      {"route", with({{a_name, "src! dst!"}, {one_of<kYesOrNo>, "symmetrical"}})},
      {"ASroute", zone_route},
      {"zoneRoute", zone_route},
      {"bypassRoute", with({{a_name, "src! dst!"}})},
      {"bypassASroute", zone_bypass},
      {"bypassZoneRoute", zone_bypass},
      {"link_ctn", with({{a_name, "id!"}, {one_of<kDirections>, "direction"}})},
      {"trace", with({{a_name, "id!"}, {any_text, "file periodicity"}})},
      {"trace_connect", with({{any_text, "kind trace! element!"}})},
  };
  return elements;
}

/// Attributes of older versions, which simgrid_update_xml leaves where they are, and what is to be done.
constexpr std::pair<std::string_view, const char*> kFormerAttributes[] = {
    {"power", "since version 4 it is called speed"},
    {"availability", "since version 4 there is none: give a speed or bandwidth that is so much less"},
    {"state", "since version 4 there is none: take it out, or attach a state_file that holds '0 0' to what is OFF"},
    {"availability_file state_file", "since version 4 a cluster has none: give it to each <host> of a zone"},
};

/// Elements of SimGrid's grammar that are refused, and why.
constexpr std::pair<std::string_view, const char*> kRefusedElements[] = {
    {"include", "other files cannot be included: SimGrid does so no more since its version 3.18"},
    {"storage storage_type mount", "SimGrid has storage no more since its version 3.27; <disk> took its place"},
    {"process actor", "a platform says what there is, not what runs on it: the experiment's job does"},
};

std::string unknown_attribute(const Given& given, const ElementRule& rules) {
  for (const auto& [names, what] : kFormerAttributes)
    if (is_one_of(given.name, names))
      return "a <" + std::string(given.node.name()) + "> has no attribute " + quoted(given.name) + ": " + what;
  std::string known;
  for (const auto& rule : rules) known += (known.empty() ? "" : ", ") + std::string(rule.name);
  return "a <" + std::string(given.node.name()) + "> has no attribute " + quoted(given.name) + "; it has " + known +
         lookalike_hint(given.name);
}

void check_attributes(const PlatformText& platform, const xml_node& node, const ElementRule& rules) {
  std::set<std::string_view> seen;
  for (const auto& attribute : node.attributes()) {
    const Given given{platform, node, attribute.name(), attribute.value()};
    if (!seen.insert(attribute.name()).second)
      throw InputError(place_of(platform, node), "the attribute " + given.name + " is given twice");
    const auto rule = std::ranges::find(rules, std::string_view(given.name), &AttributeRule::name);
    if (rule == rules.end()) throw InputError(place_of(platform, node), unknown_attribute(given, rules));
    if (std::ranges::any_of(given.value, is_control))
      throw InputError(place_of(platform, node), "the attribute " + given.name + " has a control character");
    rule->check(given);
  }
  for (const auto& rule : rules)
    if (rule.required && !seen.contains(rule.name))
      throw InputError(place_of(platform, node), "the attribute " + std::string(rule.name) + " is missing");
}

}  // namespace

void check_element(const PlatformText& platform, const xml_node& node) {
  const std::string_view name = node.name();
  for (const auto& [names, why] : kRefusedElements)
    if (is_one_of(name, names)) throw InputError(place_of(platform, node), why);
  const auto rule = grammar().find(name);
  if (rule == grammar().end())
    throw InputError(place_of(platform, node),
                     "<" + std::string(name) + "> is no element of a SimGrid platform (version 4.1)" +
                         lookalike_hint(name));
  check_attributes(platform, node, rule->second);
  if (name == "prop" && std::string_view(node.attribute("id").value()) == "memory")
    a_size({platform, node, "memory", node.attribute("value").value()});
  if (name == "peer" && lower_case(node.parent().attribute("routing").value()) != "vivaldi")
    throw InputError(place_of(platform, node), "a <peer> stands in a <zone> with routing=\"Vivaldi\" only");
}

}  // namespace nowsim::platform_rules
