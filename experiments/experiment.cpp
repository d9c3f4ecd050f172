// Loading an experiment: the file and the flags into settings, every point's settings into a scenario.
#include "experiments/experiment.hpp"

#include <algorithm>
#include <utility>

#include "experiments/experiment_source.hpp"
#include "experiments/point_builder.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostProblems = 20;        // more are counted, not listed

/// Claims are about the experiment as the file has it; a flag may take away what they need.
void check_claims_fit(const ExperimentDocument& document, const Experiment& experiment, Problems& problems) {
  std::vector<std::string> found;
  validate_claims(document.claims, document.sweep, experiment.metrics, found);
  for (const auto& problem : found) problems.add(problem);
}

/// A figure in the file has to fit the file; what flags leave of it is drawn if it can be.
void add_figure(const ExperimentDocument& document, Experiment& experiment, Problems& problems) {
  if (!document.figure || !document.sweep.broken.empty()) return;
  const Sweep& sweep = document.sweep;
  Figure figure = document.reshaped ? reduced_figure(*document.figure, sweep, experiment.metrics) : *document.figure;
  std::vector<std::string> found;
  check_figure(figure, sweep, experiment.metrics, found);
  if (found.empty()) experiment.figure = std::move(figure);
  else if (document.reshaped) experiment.no_figure = found.front();
  else
    for (const auto& problem : found) problems.add(problem);
}

[[noreturn]] void give_up(const Problems& problems) {
  auto list = problems.list();
  if (list.size() > kMostProblems) {
    const std::size_t more = list.size() - kMostProblems;
    list.resize(kMostProblems);
    list.push_back("... and " + std::to_string(more) + " more problems");
  }
  throw InputErrors(list);
}

}  // namespace

Experiment load_experiment(const std::string& file, const LoadOptions& options, const WorkloadRegistry& workloads) {
  return load_experiment(read_yaml(file), file, options, workloads);
}

Experiment load_experiment(YamlNode root, const std::string& file, const LoadOptions& options,
                           const WorkloadRegistry& workloads) {
  Problems problems;
  const auto source = std::make_shared<const ExperimentSource>(
      read_document(std::move(root), file, options, problems), workloads);
  const ExperimentDocument& document = source->document;
  Experiment experiment;
  if (!document.sought.empty()) experiment.source = source;
  experiment.remarks = document.remarks;
  experiment.file = file;
  experiment.axes = document.sweep.keys();
  PointBuilder builder(*source, problems);
  builder.read_experiment(experiment);
  experiment.claims = document.claims;
  if (options.overrides.empty()) check_claims_fit(document, experiment, problems);
  add_figure(document, experiment, problems);
  for (std::size_t i = 0; i < document.sweep.size(); ++i)
    experiment.points.push_back(builder.build(i, experiment.metrics));
  builder.report_unknown_keys(experiment);
  if (!problems.empty()) give_up(problems);
  return experiment;
}

std::uint64_t batch_size(const Scenario& scenario) {
  constexpr std::uint64_t kMost = 100, kResults = 200'000;
  const std::uint64_t size = std::clamp<std::uint64_t>(kResults / scenario.size(), 1, kMost),
                      unit = scenario.variance_reduction->unit();
  return std::max(unit, size - size % unit);
}

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names{"auto", "direct", "simgrid"};
  return names;
}

const char* engine_name(EngineChoice choice) { return engine_names()[static_cast<std::size_t>(choice)].c_str(); }

const char* version() { return NOWSIM_VERSION; }

}  // namespace nowsim
