// Numbers with units, words and lists, as SimGrid's grammar has them (its document type, version 4.1).
#include "sim/platform/platform_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {

Place PlatformText::place(std::ptrdiff_t offset, const std::string& key) const {
  return {file, line_at(text, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, offset))), key};
}

namespace platform_rules {

using pugi::xml_node;

Place place_of(const PlatformText& platform, const xml_node& node) {
  const xml_node named = std::string_view(node.name()) == "prop" ? node.parent() : node;
  const std::string id = shown_line(named.attribute("id").value());
  return platform.place(node.offset_debug(), std::string(named.name()) + (id.empty() ? "" : " " + id));
}

void Given::refuse(const std::string& sentence) const {
  throw InputError(place_of(platform, node), name + "=" + quoted(value) + " " + sentence);
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
    given.refuse(std::string("is not ") + kind.what + ", " + (may_be_zero ? "0 or more" : "more than 0"));
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
void a_size(const Given& given) { check_figure(given, given.value, kSize, false); }
void cores(const Given& given) { required_whole(given, given.value, 1, "a number of cores"); }

namespace {

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

}  // namespace

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

namespace {

void require_word(const Given& given, std::span<const std::string_view> words) {
  if (is_one_of(given.value, words)) return;
  std::string all;
  for (const auto word : words) all += (all.empty() ? "" : word == words.back() ? " or " : ", ") + std::string(word);
  given.refuse("is not " + all);
}

}  // namespace

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

}  // namespace platform_rules
}  // namespace nowsim
