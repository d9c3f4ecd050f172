// `nowsim list`: what the registries hold, one line each.
#include <algorithm>
#include <iostream>

#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/splitting/policies.hpp"
#include "tools/command.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

struct Line {
  std::string name, summary, parameters;
};

std::vector<Line> workload_lines(const Registries& registries) {
  std::vector<Line> lines;
  for (const auto& w : registries.workloads.all()) lines.push_back({w.name, w.summary, w.parameters});
  return lines;
}
std::vector<Line> owner_lines(const Registries&) {
  std::vector<Line> lines;
  for (const auto* table : {&owner_models(), &owner_patterns()})
    for (const auto& o : *table) lines.push_back({o.name, o.summary, joined(words_in(o.keys))});
  return lines;
}
std::vector<Line> policy_lines(const Registries&) {
  std::vector<Line> lines;
  for (const auto& p : policies()) lines.push_back({p.name, p.summary, p.parameters});
  return lines;
}
std::vector<Line> technique_lines(const Registries&) {
  std::vector<Line> lines;
  for (const auto& t : techniques())
    lines.push_back({t.name, t.summary + (t.citation.empty() ? "" : "; " + t.citation), t.parameters()});
  return lines;
}
std::vector<Line> metric_lines(const Registries&) {
  std::vector<Line> lines;
  for (const auto& m : metrics())
    lines.push_back({m.name,
                     m.summary + (m.unit.empty() ? "" : " [" + m.unit + "]") +
                         (m.per_workstation ? ", per workstation" : ""),
                     ""});
  return lines;
}
/// The kinds of checks that claims are made of, and their own keys; those in brackets may be left out.
std::vector<Line> check_lines(const Registries& registries) {
  std::vector<Line> lines;
  for (const auto& kind : registries.checks) {
    std::string keys;
    for (const auto& key : kind.required) keys += (keys.empty() ? "" : ", ") + key;
    for (const auto& key : kind.optional) keys += (keys.empty() ? "[" : ", [") + key + "]";
    lines.push_back({kind.name, kind.summary, keys});
  }
  return lines;
}
std::vector<Line> variance_reduction_lines(const Registries&) {
  std::vector<Line> lines;
  for (const auto& way : kVarianceReductions) lines.push_back({way.name, way.summary, ""});
  return lines;
}

/// Shipped experiments by their name, with their titles.
std::vector<Line> experiment_lines(const Registries&) {
  std::vector<Line> lines;
  for (const auto& name : shipped_experiments()) {
    const YamlNode root = read_yaml(find_experiment(name));
    const YamlNode* title = root.find("title");
    lines.push_back({name, title ? title->text : "", ""});
  }
  return lines;
}

struct Topic {
  const char* name;
  std::vector<Line> (*lines)(const Registries&);
};
constexpr Topic kTopics[] = {{"workloads", workload_lines},     {"owners", owner_lines},
                             {"policies", policy_lines},        {"techniques", technique_lines},
                             {"metrics", metric_lines},         {"checks", check_lines},
                             {"variance-reductions", variance_reduction_lines},
                             {"experiments", experiment_lines}};

void print(const std::vector<Line>& lines) {
  std::size_t width = 0;
  for (const auto& line : lines) width = std::max(width, line.name.size());
  for (const auto& line : lines) {
    std::cout << line.name << std::string(width + 2 - line.name.size(), ' ') << line.summary;
    if (!line.parameters.empty()) std::cout << " (" << line.parameters << ")";
    std::cout << '\n';
  }
}

}  // namespace

int list_command(const CommandInput& input) {
  const std::string usage =
      "nowsim list workloads|owners|policies|techniques|metrics|checks|variance-reductions|experiments";
  boost::program_options::options_description description("flags");
  description.add_options()("help,h", "this text");
  const ParsedFlags parsed = parse_flags(input.words, description, 1, 1, usage);
  if (print_help(parsed, usage, description)) return 0;
  Words topics;
  for (const auto& topic : kTopics) {
    topics.emplace_back(topic.name);
    if (parsed.words.front() == topic.name) {
      print(topic.lines(input.registries));
      return 0;
    }
  }
  throw UsageError("there is no list of '" + parsed.words.front() + "'" + did_you_mean(parsed.words.front(), topics) +
                   "; usage: " + usage);
}

}  // namespace nowsim
