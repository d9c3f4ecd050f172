// Lists made of the registries, and of the files that are shipped.
#include "tools/shipped/catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/shipped_files.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/reports/papers.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/program/variance_reduction.hpp"
#include "tools/shipped/shipped_experiments.hpp"
#include "tools/shipped/shipped_platforms.hpp"

namespace nowsim {
namespace {

using Entries = std::vector<CatalogueEntry>;

/// Each once, though it may stand for values of two types.
Words names_of(const KeyTable& keys) {
  Words names;
  for (const auto& key : keys)
    if (!contains(names, key.name)) names.push_back(key.name);
  return names;
}

Entries workload_lines(const Registries& registries) {
  Entries lines;
  for (const auto& w : registries.workloads) lines.push_back({w.name, w.summary, joined(names_of(w.keys))});
  return lines;
}
Entries owner_lines(const Registries& registries) {
  Entries lines;
  const auto add = [&lines](const OwnerModelInfo& o) { lines.push_back({o.name, o.summary, joined(words_in(o.keys))}); };
  std::ranges::for_each(registries.owners, add);
  std::ranges::for_each(owner_patterns(), add);
  return lines;
}
Entries policy_lines(const Registries& registries) {
  Entries lines;
  for (const auto& p : registries.policies) lines.push_back({p.name, p.summary, joined(words_in(p.keys))});
  return lines;
}
Entries technique_lines(const Registries& registries) {
  Entries lines;
  for (const auto& t : registries.techniques)
    lines.push_back({t.name, t.summary + (t.citation.empty() ? "" : "; " + t.citation), t.parameters()});
  return lines;
}
Entries metric_lines(const Registries& registries) {
  Entries lines;
  for (const auto& m : registries.metrics)
    lines.push_back({m.name,
                     m.summary + (m.unit.empty() ? "" : " [" + m.unit + "]") +
                         (m.per_workstation ? ", per workstation" : ""),
                     ""});
  return lines;
}
/// The kinds of checks that claims are made of, and their own keys; those in brackets may be left out.
Entries check_lines(const Registries& registries) {
  Entries lines;
  for (const auto& kind : registries.checks) {
    std::string keys;
    for (const auto& key : kind.required) keys += (keys.empty() ? "" : ", ") + key;
    for (const auto& key : kind.optional) keys += (keys.empty() ? "[" : ", [") + key + "]";
    lines.push_back({kind.name, kind.summary, keys});
  }
  return lines;
}
Entries figure_lines(const Registries& registries) {
  Entries lines;
  for (const auto& kind : registries.figures)
    lines.push_back({kind.name, kind.summary, joined(keys_of(kind)) + "; panels: " + joined(panel_keys_of(kind))});
  return lines;
}
Entries variance_reduction_lines(const Registries&) {
  Entries lines;
  for (const auto& way : kVarianceReductions) lines.push_back({way.name, way.summary, ""});
  return lines;
}

/// Shipped experiments by their name, with their titles.
Entries experiment_lines(const Registries&) {
  Entries lines;
  const std::filesystem::path folder = shipped_experiments_folder();
  for (const auto& name : shipped_experiments())
    lines.push_back({name, line_at_key((folder / (name + ".yaml")).string(), "title"), ""});
  return lines;
}

/// Shipped platforms by their name, with what their files say of themselves.
Entries platform_lines(const Registries&) {
  Entries lines;
  for (const auto& name : shipped_platforms()) lines.push_back({name, platform_title(find_platform(name)), ""});
  return lines;
}

Entries paper_lines(const Registries&) {
  Entries lines;
  for (const Paper& paper : kPapers)
    lines.push_back({std::string(paper.folder), std::string(paper.name) + ": " + std::string(paper.title), ""});
  return lines;
}

/// Shipped labs with their questions.
Entries lab_lines(const Registries&) {
  Entries lines;
  const std::filesystem::path folder = shipped_labs_folder();
  for (const auto& name : labs_in(folder.string()))
    lines.push_back({name, line_at_key((folder / name / "lab.yaml").string(), "question"), ""});
  return lines;
}

constexpr CatalogueList kCatalogue[] = {
    {"workloads", "workload", "parallel programs", workload_lines},
    {"owners", "owner", "models of what a machine's owner leaves", owner_lines},
    {"policies", "policy", "ways to split the work", policy_lines},
    {"techniques", "technique", "self-scheduling: how many tasks a client gets", technique_lines},
    {"metrics", "metric", "what replications say of a point", metric_lines},
    {"checks", "check", "what a claim can say of results", check_lines},
    {"figures", "figure", "kinds of pictures", figure_lines},
    {"variance-reductions", "variance reduction", "ways to narrower intervals", variance_reduction_lines},
    {"experiments", "experiment", "what is shipped to be run", experiment_lines},
    {"platforms", "platform", "machines and networks that are shipped", platform_lines},
    {"papers", "paper", "whose figures and claims are reproduced", paper_lines},
    {"labs", "lab", "to learn by: 'nowsim lab start LAB --as ID'", lab_lines}};

}  // namespace

std::span<const CatalogueList> catalogue() { return kCatalogue; }

std::string line_at_key(const std::string& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key + ":")) try {
        const YamlNode root = parse_yaml(line, file);
        return root.find(key)->text;
      } catch (const InputError&) {  // it goes on in the next line
        return std::string(trimmed(std::string_view(line).substr(key.size() + 1)));
      }
  return "";
}

}  // namespace nowsim
