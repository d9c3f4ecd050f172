// `nowsim list`: what the registries hold, one line each.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <utility>

#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/reading/figure_keys.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/splitting/policies.hpp"
#include "tools/command.hpp"
#include "tools/shipped_experiments.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {
namespace {

struct Line {
  std::string name, summary, parameters;
};

/// Each once, though it may stand for values of two types.
Words names_of(const KeyTable& keys) {
  Words names;
  for (const auto& key : keys)
    if (!contains(names, key.name)) names.push_back(key.name);
  return names;
}

std::vector<Line> workload_lines(const Registries& registries) {
  std::vector<Line> lines;
  for (const auto& w : registries.workloads) lines.push_back({w.name, w.summary, joined(names_of(w.keys))});
  return lines;
}
std::vector<Line> owner_lines(const Registries& registries) {
  std::vector<Line> lines;
  const auto add = [&lines](const OwnerModelInfo& o) { lines.push_back({o.name, o.summary, joined(words_in(o.keys))}); };
  std::ranges::for_each(registries.owners, add);
  std::ranges::for_each(owner_patterns(), add);
  return lines;
}
std::vector<Line> policy_lines(const Registries& registries) {
  std::vector<Line> lines;
  for (const auto& p : registries.policies) lines.push_back({p.name, p.summary, joined(words_in(p.keys))});
  return lines;
}
std::vector<Line> technique_lines(const Registries& registries) {
  std::vector<Line> lines;
  for (const auto& t : registries.techniques)
    lines.push_back({t.name, t.summary + (t.citation.empty() ? "" : "; " + t.citation), t.parameters()});
  return lines;
}
std::vector<Line> metric_lines(const Registries& registries) {
  std::vector<Line> lines;
  for (const auto& m : registries.metrics)
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
std::vector<Line> figure_lines(const Registries& registries) {
  std::vector<Line> lines;
  for (const auto& kind : registries.figures)
    lines.push_back({kind.name, kind.summary, joined(keys_of(kind)) + "; panels: " + joined(panel_keys_of(kind))});
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
                             {"figures", figure_lines},
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

/// What a block may say, or all of them.
int print_keys(const std::string& name, bool as_markdown, const Registries& registries) {
  const auto blocks = key_blocks(registries);
  if (const Words names = words_in(blocks); !name.empty() && !contains(names, name))
    throw UsageError("there is no block '" + name + "'" + did_you_mean(name, names) + " (there are: " + joined(names) + ")");
  bool is_first = true;
  for (const auto& block : blocks) {
    if (!name.empty() && block.name != name) continue;
    if (!std::exchange(is_first, false)) std::cout << '\n';
    if (as_markdown) std::cout << key_reference_markdown(block);
    else write_key_reference(block, std::cout);
  }
  return 0;
}

constexpr const char* kListUsage =
    "nowsim list workloads|owners|policies|techniques|metrics|checks|figures|variance-reductions|experiments|keys [BLOCK]";

void add_list_flags(boost::program_options::options_description& description) {
  description.add_options()("help,h", "this text")("markdown", "of keys: tables for a README");
}

int do_list(const ParsedFlags& parsed, const Registries& registries) {
  const std::string usage = std::string("; usage: ") + kListUsage;
  const std::string& name = parsed.words.front();
  const std::string block = parsed.words.size() > 1 ? parsed.words[1] : "";
  if (name == "keys") return print_keys(block, parsed.flags.count("markdown") > 0, registries);
  const auto* const topic = std::ranges::find(kTopics, name, [](const Topic& t) { return std::string(t.name); });
  Words topics = words_in(kTopics);
  topics.emplace_back("keys");
  if (topic == std::end(kTopics))
    throw UsageError("there is no list of '" + name + "'" + did_you_mean(name, topics) + usage);
  if (!block.empty()) throw UsageError("'" + block + "' is one word too many" + usage);
  print(topic->lines(registries));
  return 0;
}

}  // namespace

Command list_command() {
  return {"list", "what there is to choose from", kListUsage, 1, 2, add_list_flags, do_list};
}

}  // namespace nowsim
