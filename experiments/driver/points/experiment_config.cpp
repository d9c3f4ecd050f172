// Sections, title and metrics; and keys that nothing asked for.
#include "experiments/driver/points/experiment_config.hpp"

#include <algorithm>
#include <map>

#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/reading/experiment_keys.hpp"
#include "experiments/driver/reading/metric_choice.hpp"
#include "experiments/driver/reading/unknown_keys.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {
namespace {

constexpr int kFormat = 1;  // of the YAML: its first key

/// Variables that figures and claims tell points apart by: those have a use, even if no formula does.
std::set<std::string> variables_in_use(const ExperimentDocument& document) {
  std::set<std::string> keys;
  if (const auto& figure = document.figure) {
    for (const auto* axis : figure->axes()) keys.insert(axis->key);
    for (const auto& panel : figure->panels)
      for (const auto& condition : panel.where) keys.insert(condition.key);
  }
  for (const auto& claim : document.claims) {
    for (const auto& named : claim.names)
      if (named.what == Named::axis) keys.insert(named.name);
    for (const auto& [key, values] : claim.where) keys.insert(key);
  }
  std::erase_if(keys, [](const std::string& key) { return key.rfind("let.", 0) != 0; });
  return keys;
}

/// Sections, each with an example of what it holds.
const std::map<std::string, std::string>& sections() {
  static const std::map<std::string, std::string> table{
      {"platform", "{workstations: 4}"}, {"job", "{workload: base-task, work: 100f}"}, {"split", "{policy: equal}"},
      {"owner", "{model: dedicated}"},   {"owner.hosts", "{ws1: {model: dedicated}}"}, {"run", "{replications: 100}"},
      {"bandwidth", "{model: dedicated}"}, {"bandwidth.hosts", "{ws1: {model: dedicated}}"},
      {"platform.links", "{ethernet: {bandwidth: 500kBps}}"}, {"platform.sets", "{fast: [ws1, ws2]}"},
      {"platform.failures", "{rate: 0.001, repair: 5min}"},
      {"let", "{x: 3}"}, {"solve", "{key: job.work, metric: tau, equals: 200s, from: 1f, to: 1Gf}"}};
  return table;
}

/// Keys that cannot differ between points.
const std::set<std::string>& common_keys() {
  static const std::set<std::string> table{"nowsim", "title", "description", "metrics", "run.infeasible",
                                          "run.decide", "run.decide_by", "run.indifference",
                                          "solve.key", "solve.metric", "solve.goal"};
  return table;
}

void check_given_sections(const ExperimentDocument& document, Problems& problems, std::set<std::string>& asked) {
  for (const auto& [section, example] : sections()) {
    const auto found = document.settings.find(section);
    if (found == document.settings.end()) continue;
    asked.insert(section);
    if (!found->second.broken)
      problems.add(found->second.place, "this section is a map of keys and values, such as " + example);
  }
}

/// Without any those of HL's figures.
void read_metrics(Reader& read, const Registry<Metric>& known, Experiment& experiment) {
  auto names = read.texts("metrics");
  if (names.empty()) names = {"tau", "sigma_T", "sigma_T/tau"};
  for (const auto& name : names) {
    if (const Metric* metric = find_metric(name, known)) {
      auto& all = experiment.metrics;
      if (std::find(all.begin(), all.end(), metric) == all.end()) all.push_back(metric);
      else read.problem("metrics", "the metric '" + name + "' is given twice");
      continue;
    }
    read.problem("metrics", no_metric(name, words_in(known)));
  }
}

}  // namespace

bool holds_for_all_points(const std::string& key) { return common_keys().contains(key); }

void check_sections(const ExperimentDocument& document, Problems& problems, std::set<std::string>& asked) {
  check_given_sections(document, problems, asked);
  for (const auto& axis : document.sweep.axes)
    for (const auto& key : axis.keys) {
      const Place place{axis.place.file, axis.place.line, "sweep." + key};
      if (sections().contains(key)) {
        problems.add(place, "a section cannot be swept, but each of its keys can");
        asked.insert(key);
      }
      if (holds_for_all_points(key))
        problems.add(place, "this key holds for the whole experiment and cannot be swept");
    }
}

void read_experiment(Reading& reading, const Registry<Metric>& known, Experiment& experiment) {
  Reader read(reading, {""}, experiment_keys());
  if (read.whole_or("nowsim", kFormat) != kFormat)
    read.problem("nowsim", "this program reads format 1 of experiments; a newer program may be needed");
  experiment.title = read.text("title", experiment.file);
  read.text("description");
  read_metrics(read, known, experiment);
}

void report_unknown_keys(const ExperimentDocument& document, const Registries& known,
                         std::set<std::string> asked, const PointsRead& points, Problems& problems,
                         Experiment& experiment) {
  asked.merge(variables_in_use(document));
  const Words all = all_keys(known);
  const KeyUse use{document.settings, document.sweep, asked, all, points.complete, points.shares_are_idle};
  for (const auto& remark : judge_unasked_keys(use, known)) {
    if (remark.is_error) {
      problems.add(remark.place, remark.sentence);
      continue;
    }
    experiment.remarks.emplace_back(InputError(remark.place, remark.sentence).what());
    experiment.idle_keys.push_back(remark.place.key);
  }
}

}  // namespace nowsim
