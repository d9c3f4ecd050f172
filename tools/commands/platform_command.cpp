// `nowsim platform show`: workstations, speeds, spread, memory, owners, and the network between pairs.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <ostream>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>

#include "experiments/driver/reading/platform_config.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/platform/platform.hpp"
#include "sim/platform/read_platform.hpp"
#include "sim/platform/routes.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/store_session.hpp"
#include "tools/shipped/shipped_platforms.hpp"

namespace nowsim {
namespace {

using Row = std::vector<std::string>;

std::string owner_text(const Workstation& w) {
  if (const auto it = w.extras->properties.find("owner"); it != w.extras->properties.end()) return it->second;
  return w.extras->speed_profile ? (w.extras->speed_profile->stochastic ? "a random profile" : "a profile") : "";
}

std::string weight_text(double weight) {
  char buffer[20];
  std::snprintf(buffer, sizeof buffer, "%.4g", weight);
  return buffer;
}

/// Names of properties that are power weights for programs: weight:ep, weight:cholesky, ...
std::vector<std::string> weight_properties(const Platform& platform) {
  std::vector<std::string> names;
  for (const auto& w : platform.workstations)
    for (const auto& [name, value] : w.extras->properties)
      if (name.starts_with(kWeightProperty) && std::ranges::find(names, name) == names.end()) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

void print_workstations(const Platform& platform, std::ostream& out) {
  const std::vector<double> weight = power_weights(platform);
  const auto programs = weight_properties(platform);
  Row head{"workstation", "speed", "cores", "weight"};
  head.insert(head.end(), programs.begin(), programs.end());
  for (const char* name : {"memory", "on/off"}) head.emplace_back(name);
  TextTable table(head, TableLook::list);
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const Workstation& w = platform.workstations[i];
    Row row{w.name, format_quantity(w.speed_flops, Dimension::speed), std::to_string(w.cores), weight_text(weight[i])};
    const auto& properties = w.extras->properties;
    for (const auto& name : programs) row.push_back(properties.contains(name) ? properties.at(name) : "-");
    row.push_back(w.extras->memory_bytes ? format_quantity(*w.extras->memory_bytes, Dimension::bytes) : "-");
    row.emplace_back(w.extras->state_profile ? "profile" : "-");
    table.add(std::move(row));
  }
  table.write(out, 1);
}

/// Owners as the file describes them; an experiment's owner block goes before them.
void print_owners(const Platform& platform, std::ostream& out) {
  DefinitionList owners;
  for (const auto& w : platform.workstations)
    if (const std::string text = owner_text(w); !text.empty()) owners.add(w.name, text);
  out << "\nowners\n";
  if (owners.is_empty()) out << "  none: dedicated, unless an experiment says else\n";
  owners.write(out);
}

/// How many machines of which speed, in the order of the list.
std::string speeds_text(const Platform& platform, const std::vector<std::size_t>& machines) {
  std::string out;
  for (std::size_t first = 0, next = 0; first < machines.size(); first = next) {
    const double speed = platform.workstations[machines[first]].speed_flops;
    while (next < machines.size() && platform.workstations[machines[next]].speed_flops == speed) ++next;
    out += (out.empty() ? "" : ", ") + std::to_string(next - first) + " of " + format_quantity(speed, Dimension::speed);
  }
  return out;
}

/// With single blanks.
std::string words_of(const std::string& text) {
  std::istringstream words(text);
  std::string out;
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// Sets that the file defines: how many machines, which, and how fast. @throws InputError for the first that is wrong.
void print_sets(const Platform& platform, std::ostream& out) {
  if (platform.sets.empty()) return;
  const HostLists hosts(platform);
  out << "\nsets (platform.set)\n";
  for (const auto& [name, set] : platform.sets) {
    const Place place{platform.source, set.line, "set " + name};
    const HostList list =
        hosts.find({set.hosts}, [&](const std::string& sentence) { throw InputError(place, sentence); });
    out << "  " << name << ": " << counted(list.machines.size(), "workstation") << "\n    " << words_of(set.hosts)
              << "\n    " << speeds_text(platform, list.machines) << '\n';
  }
}

/// H (ZY 4) and d_conf = (v_max - mean v)/mean v (BZ).
void print_spread(const Platform& platform, std::ostream& out) {
  double sum = 0;
  for (const auto& w : platform.workstations) sum += w.speed_flops;
  const double n = static_cast<double>(platform.workstations.size());
  out << "\n  H       " << weight_text(heterogeneity(platform)) << "  (mean of 1 - weight)\n  d_conf  "
            << weight_text((fastest_flops(platform) - sum / n) / (sum / n)) << "  ((fastest - mean) / mean)\n  total   "
            << format_quantity(sum, Dimension::speed) << " on one core each\n";
}

/// All pairs of a small platform; of a large one the first workstation with all others.
std::vector<std::pair<std::size_t, std::size_t>> pairs_to_show(std::size_t count) {
  constexpr std::size_t kAllPairs = 64;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < count && (a == 0 || count <= kAllPairs); ++a)
    for (std::size_t b = a + 1; b < count; ++b) pairs.emplace_back(a, b);
  return pairs;
}

Row route_row(std::size_t pairs, const Route& route, const std::string& example) {
  const bool has_figures = route.no_route_reason.empty();
  return {std::to_string(pairs), has_figures ? format_quantity(route.latency_s, Dimension::time) : "-",
          has_figures && !route.links.empty() ? format_quantity(route.bandwidth_Bps, Dimension::bandwidth) : "-",
          has_figures ? std::to_string(route.links.size()) : "-",
          example + (has_figures ? "" : ": " + route.no_route_reason)};
}

void print_network(const Platform& platform, std::ostream& out) {
  const auto pairs = pairs_to_show(platform.workstations.size());
  if (pairs.empty()) return;
  if (platform.links.empty()) {
    out << "\nnetwork\n  none: workloads that send messages cannot run on it\n";
    return;
  }
  const auto routes = look_for_routes(platform, pairs).routes;
  struct Group {
    std::size_t pairs = 0, example = 0;
  };
  std::map<std::tuple<std::string, double, double>, Group> groups;
  for (std::size_t k = 0; k < routes.size(); ++k) {
    const Route& route = routes[k];
    Group& group = groups[{route.no_route_reason, route.latency_s, route.bandwidth_Bps}];
    if (group.pairs++ == 0) group.example = k;
  }
  TextTable table({"pairs", "latency", "bandwidth", "links", "for example"}, TableLook::list);
  for (const auto& [figures, group] : groups) {
    const auto [a, b] = pairs[group.example];
    const std::string example = platform.workstations[a].name + " - " + platform.workstations[b].name;
    table.add(route_row(group.pairs, routes[group.example], example));
  }
  const bool first_only = pairs.size() + 1 == platform.workstations.size() && pairs.size() > 63;
  out << "\nnetwork between pairs" << (first_only ? " (those with the first workstation)" : "") << "\n";
  table.write(out, 1);
  for (const auto& link : platform.link_profiles) out << "  link " << link.link << " varies by a profile\n";
}

Platform read_with_remarks(const std::string& file) {
  Platform platform = load_platform(file);
  for (const auto& remark : platform.remarks) spdlog::warn("{}", remark);
  return platform;
}

int platform_show(const Arguments& arguments, Session& session) {
  const Platform platform = read_with_remarks(find_platform(arguments.words.front()));
  std::ostringstream out;  // printed once all is known to be good
  out.copyfmt(session.out);
  out << platform.source << ": " << counted(platform.workstations.size(), "workstation") << "\n\n";
  print_workstations(platform, out);
  print_spread(platform, out);
  print_owners(platform, out);
  print_sets(platform, out);
  print_network(platform, out);
  session.out << out.str();
  return 0;
}

}  // namespace

Command platform_command() {
  return {.name = "platform",
          .summary = "what a SimGrid platform file holds",
          .parts = {{.name = "show",
                     .summary = "what a SimGrid platform file holds; one that comes with nowsim by name: lab-now",
                     .places = Places{{.kinds = {Kind::platform}}},
                     .run = platform_show,
                     .of = "platform"}},
          .page = "platforms"};
}

}  // namespace nowsim
