// Writing a description's XML, and checking it before. Speeds are drawn as parts of the way from the slowest (0) to the
// fastest (1): their sum is what the diversity asks for.
#include "sim/platform/generate_platform.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {
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
  std::unordered_set<std::string_view> seen(d.names.size());
  for (const auto& name : d.names) {
    if (name.empty() || name.find_first_of("<>&\"' \t\n") != std::string::npos)
      throw InputError("'" + name + "' cannot be a workstation's name: no blanks, quotes, <, > or &");
    if (!seen.insert(name).second) throw InputError("the workstation '" + name + "' is named twice");
  }
}

/// The link that joins a workstation to the others; its directions, of a full-duplex one, end in _UP and _DOWN.
std::string own_link_name(const std::string& workstation) { return workstation + "_link"; }
/// The link that all workstations share on a bus.
constexpr const char* kBusName = "bus";
/// The bandwidth of links that limit nothing: on a bus, those of workstations, which the platform does not list.
constexpr double kUnlimitedBps = 1e30;

std::string link_xml(const std::string& element, const Link& link, const std::string& more) {
  return "<" + element + " id=\"" + link.name + "\" bandwidth=\"" + number_text(link.bandwidth_Bps) +
         "Bps\" latency=\"" + number_text(link.latency_s) + "s\"" + more + "/>\n";
}

/// Lists each workstation's link, and the bus. Returns the XML of these and their ends.
std::string add_network(const GeneratedPlatform& d, Platform& platform) {
  const bool is_bus = d.network == NetworkKind::bus, is_duplex = d.network == NetworkKind::network_switch;
  const std::string sharing = is_bus ? "FATPIPE" : is_duplex ? "SPLITDUPLEX" : "SHARED",
                    up = is_duplex ? "_UP" : "", down = is_duplex ? "_DOWN" : "";
  std::string links, ends;
  for (const std::string& name : d.names) {
    // On a bus it is only there because the grammar wants one.
    const Link link = is_bus ? Link{own_link_name(name), kUnlimitedBps, 0, false}
                             : Link{own_link_name(name), d.bandwidth_Bps, d.latency_s / 2, true};
    links += link_xml("link", link, " sharing_policy=\"" + sharing + "\"");
    ends += "<host_link id=\"" + name + "\" up=\"" + link.name + up + "\" down=\"" + link.name + down + "\"/>\n";
    if (!is_bus) platform.links.push_back(link);
  }
  if (is_bus) {
    platform.links.push_back({kBusName, d.bandwidth_Bps, d.latency_s, true});
    ends += link_xml("backbone", platform.links.back(), "");
  }
  return links + ends;
}

/// The links up from the sender, then those down to the receiver, each once, as SimGrid has them in a star.
std::vector<std::string> links_in_star(NetworkKind kind, const std::string& from, const std::string& to) {
  const std::string up = own_link_name(from), down = own_link_name(to);
  if (kind == NetworkKind::network_switch) return {up + "_UP", down + "_DOWN"};
  std::vector<std::string> names{up};
  if (kind == NetworkKind::bus) names.emplace_back(kBusName);
  if (from != to) names.push_back(down);
  return names;
}

}  // namespace

std::string platform_xml(const std::vector<Workstation>& machines, const std::string& routing,
                         const std::string& network) {
  std::string xml = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                    "<platform version=\"4.1\">\n<zone id=\"now\" routing=\"" + routing + "\">\n";
  for (const Workstation& w : machines)
    xml += "<host id=\"" + w.name + "\" speed=\"" + number_text(w.speed_flops) + "f\" core=\"" +
           std::to_string(w.cores) + "\"/>\n";
  return xml + network + "</zone>\n</platform>\n";
}

Platform generate_platform(const GeneratedPlatform& d) {
  check(d);
  Platform platform;
  platform.source = std::to_string(d.names.size()) + " generated workstations";
  platform.is_generated = true;
  platform.generated_network = d.network;
  platform.workstations.reserve(d.names.size());
  for (std::size_t i = 0; i < d.names.size(); ++i)
    platform.workstations.push_back({d.names[i], d.speed_flops[i], d.cores, {}});
  if (d.network != NetworkKind::none)
    platform.xml = platform_xml(platform.workstations, "Cluster", add_network(d, platform));
  return platform;
}

Platform with_network(const Platform& platform, NetworkKind network, double bandwidth_Bps, double latency_s) {
  GeneratedPlatform d;
  d.network = network;
  d.bandwidth_Bps = bandwidth_Bps;
  d.latency_s = latency_s;
  for (const Workstation& w : platform.workstations) {
    d.names.push_back(w.name);
    d.speed_flops.push_back(w.speed_flops);
  }
  check(d);
  Platform out = platform;
  out.generated_network = network;
  if (network != NetworkKind::none) out.xml = platform_xml(out.workstations, "Cluster", add_network(d, out));
  return out;
}

std::vector<Route> generated_routes(const Platform& platform, const WorkstationPairs& pairs) {
  const auto links = links_by_route_name(platform);
  std::vector<Route> routes;
  for (const auto& [from, to] : pairs) {
    Route& route = routes.emplace_back();
    route.links = links_in_star(platform.generated_network, platform.workstations.at(from).name,
                                platform.workstations.at(to).name);
    route.bandwidth_Bps = kUnlimitedBps;
    for (const auto& name : route.links)
      if (const auto link = links.find(name); link != links.end()) {
        route.latency_s += link->second->latency_s;
        route.bandwidth_Bps = std::min(route.bandwidth_Bps, link->second->bandwidth_Bps);
      }
  }
  return routes;
}

// ---- drawn speeds --------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kMostShared = 10'000'000;  // machines shared out among speeds, over all tries
constexpr std::size_t kLeastTries = 100;
constexpr std::size_t kMixing = 100;  // exchanges per speed, after which the first ones are forgotten
constexpr std::size_t kMostSteps = 2'000'000;  // machines and exchanges, over all draws in search of different speeds
constexpr std::size_t kLeastDraws = 3;
constexpr double kWholeWithin = 1e-9;

using SpeedCounts = std::vector<std::size_t>;  ///< machines of each speed, the fastest first

double diversity_of(const DrawnSpeeds& asked, double parts) {
  const double mean = asked.slowest_flops + (asked.fastest_flops - asked.slowest_flops) * parts /
                                                static_cast<double>(asked.machines);
  return asked.fastest_flops / mean - 1;
}

/// The sum of all parts.
double sum_of_parts(const DrawnSpeeds& asked) {
  const double mean = asked.fastest_flops / (1 + asked.d_conf);
  return static_cast<double>(asked.machines) * (mean - asked.slowest_flops) /
         (asked.fastest_flops - asked.slowest_flops);
}

std::string machines_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " machine" : " machines"); }

std::string asked_text(const DrawnSpeeds& asked) {
  return machines_text(asked.machines) + " of " + number_text(asked.slowest_flops) + " to " +
         number_text(asked.fastest_flops) + " flop/s";
}

std::string asked_with_distinct(const DrawnSpeeds& asked) {
  return asked_text(asked) + " with " + std::to_string(asked.distinct) + " different speeds";
}

void require_speeds(const DrawnSpeeds& asked) {
  if (asked.machines < 1) throw InputError("speeds are drawn for at least one machine");
  if (asked.distinct < 1 || asked.distinct > asked.machines)
    throw InputError(machines_text(asked.machines) + " can have 1 to " + std::to_string(asked.machines) +
                     " different speeds, not " + std::to_string(asked.distinct));
  if (!(asked.slowest_flops > 0) || !std::isfinite(asked.fastest_flops) ||
      !(asked.slowest_flops <= asked.fastest_flops))
    throw InputError("the slowest machine's speed must be above 0 and at most the fastest's, not " +
                     number_text(asked.slowest_flops) + " beside " + number_text(asked.fastest_flops) + " flop/s");
  if (!(asked.d_conf >= 0) || !std::isfinite(asked.d_conf))
    throw InputError("d_conf must not be negative, nor " + number_text(asked.d_conf));
  const bool alike = asked.slowest_flops == asked.fastest_flops;
  if (alike != (asked.distinct == 1))
    throw InputError(
        alike ? "machines between one and the same speed have 1 speed, not " + std::to_string(asked.distinct)
              : asked_text(asked) + " have at least 2 different speeds");
  if (alike && asked.d_conf != 0)
    throw InputError("machines that are alike have d_conf = 0, not " + number_text(asked.d_conf));
  // Numbers above 0 follow one another as their bits do.
  const std::uint64_t numbers = std::bit_cast<std::uint64_t>(asked.fastest_flops) -
                                std::bit_cast<std::uint64_t>(asked.slowest_flops) + 1;
  if (asked.distinct > numbers)
    throw InputError(asked_text(asked) + " have at most " + std::to_string(numbers) +
                     " different speeds, as there are no more numbers between, not " + std::to_string(asked.distinct));
}

/// Two speeds: the sum of parts is how many are fast.
SpeedCounts counts_of_two(const DrawnSpeeds& asked, double parts) {
  const double fast = std::clamp(std::round(parts), 1.0, static_cast<double>(asked.machines) - 1);
  if (std::abs(parts - fast) > kWholeWithin * static_cast<double>(asked.machines))
    throw InputError(asked_with_distinct(asked) + " cannot have d_conf = " + number_text(asked.d_conf) +
                     "; they could have " + number_text(diversity_of(asked, fast)));
  return {static_cast<std::size_t>(fast), asked.machines - static_cast<std::size_t>(fast)};
}

void require_possible(const DrawnSpeeds& asked, double parts) {
  const auto n = static_cast<double>(asked.machines);
  if (parts > 1 && parts < n - 1) return;
  throw InputError(asked_with_distinct(asked) + " have a d_conf between " + number_text(diversity_of(asked, n - 1)) +
                   " and " + number_text(diversity_of(asked, 1)) + ", not " + number_text(asked.d_conf));
}

/// A whole number below n, each as likely.
std::size_t whole_below(std::size_t n, Stream& stream) {
  return std::min(n - 1, static_cast<std::size_t>(stream.uniform() * static_cast<double>(n)));
}

/// A way to share n machines out, none of the speeds without one: `distinct - 1` of n - 1 places to cut at.
SpeedCounts shared_out(std::size_t n, std::size_t distinct, Stream& stream) {
  SpeedCounts places(n - 1);
  std::iota(places.begin(), places.end(), std::size_t{1});
  for (std::size_t i = 0; i + 1 < distinct; ++i)
    std::swap(places[i], places[i + whole_below(places.size() - i, stream)]);
  places.resize(distinct - 1);
  std::ranges::sort(places);
  places.push_back(n);
  std::adjacent_difference(places.begin(), places.end(), places.begin());
  return places;
}

/// Counts of machines of each speed, uniform among all that leave the parts' sum possible: by rejection, with so many
/// tries over all draws. With what the speeds between the ends then add up to, machine by machine.
std::pair<SpeedCounts, double> drawn_counts(const DrawnSpeeds& asked, double parts, std::size_t& tries,
                                            Stream& stream) {
  while (tries > 0) {
    --tries;
    SpeedCounts counts = shared_out(asked.machines, asked.distinct, stream);
    const double left = parts - static_cast<double>(counts.front());
    const auto between = static_cast<double>(asked.machines - counts.front() - counts.back());
    if (left > 0 && left < between) return {std::move(counts), left};
  }
  throw InputError(asked_with_distinct(asked) + " and d_conf = " + number_text(asked.d_conf) +
                   " are too rare to be drawn: most tries to share the machines out among the speeds leave no such"
                   " diversity");
}

/// Uniform among all parts that add up: from one solution, exchanges between two speeds at a time, each uniform.
std::vector<double> parts_between(const SpeedCounts& between, double left, Stream& stream) {
  const std::size_t n = between.size();
  const auto machines = std::accumulate(between.begin(), between.end(), std::size_t{0});
  std::vector<double> out(n, left / static_cast<double>(machines));
  for (std::size_t k = 0; n > 1 && k < kMixing * n; ++k) {
    const std::size_t i = whole_below(n, stream);
    const std::size_t j = (i + 1 + whole_below(n - 1, stream)) % n;
    const auto a = static_cast<double>(between[i]), b = static_cast<double>(between[j]);
    const double sum = a * out[i] + b * out[j];
    const double least = std::max(0.0, (sum - b) / a), most = std::min(1.0, sum / a);
    out[i] = least + (most - least) * stream.uniform();
    out[j] = std::clamp((sum - a * out[i]) / b, 0.0, 1.0);
  }
  return out;
}

/// The speeds of machines of these counts and parts, falling.
std::vector<double> speeds_of_counts(const DrawnSpeeds& asked, const SpeedCounts& counts,
                                     const std::vector<double>& between) {
  std::vector<double> out(counts.front(), asked.fastest_flops);
  for (std::size_t k = 0; k < between.size(); ++k)
    out.insert(out.end(), counts[k + 1],
               asked.slowest_flops + (asked.fastest_flops - asked.slowest_flops) * between[k]);
  out.insert(out.end(), counts.back(), asked.slowest_flops);
  std::ranges::sort(out, std::greater{});
  return out;
}

}  // namespace

std::vector<double> draw_speeds(const DrawnSpeeds& asked) {
  require_speeds(asked);
  if (asked.distinct == 1) return std::vector<double>(asked.machines, asked.fastest_flops);
  const double parts = sum_of_parts(asked);
  if (asked.distinct == 2) return speeds_of_counts(asked, counts_of_two(asked, parts), {});
  require_possible(asked, parts);
  Stream stream(StreamKey{1, asked.number, asked.distinct, Purpose::machines});
  std::size_t tries = std::max(kLeastTries, kMostShared / asked.machines);
  const std::size_t draws = std::max(kLeastDraws, kMostSteps / (asked.machines + kMixing * asked.distinct));
  for (std::size_t k = 0; k < draws; ++k) {
    const auto [counts, left] = drawn_counts(asked, parts, tries, stream);
    const auto between = parts_between({counts.begin() + 1, counts.end() - 1}, left, stream);
    const auto speeds = speeds_of_counts(asked, counts, between);
    auto different = speeds;
    different.erase(std::ranges::unique(different).begin(), different.end());
    if (different.size() == asked.distinct) return speeds;
  }
  throw InputError(asked_with_distinct(asked) + " and d_conf = " + number_text(asked.d_conf) +
                   " lie too near one another: in " + std::to_string(draws) + " draws some were the same number");
}

}  // namespace nowsim
