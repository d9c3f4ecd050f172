// An experiment: what a YAML file describes, resolved into points that are ready to run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/points/size_task.hpp"
#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/registries.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/split_report.hpp"
#include "sim/statistics/statistics.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

/// What may run a point: the direct engine where it is exact and else SimGrid, or one of them alone.
enum class EngineChoice { automatic, direct, simgrid };
/// "auto", "direct", "simgrid".
const char* engine_name(EngineChoice choice);
/// All of them, in the order of EngineChoice.
const std::vector<std::string>& engine_names();

/// How many replications a point gets, and how its estimates are made.
struct RunPlan {
  std::uint64_t replications = 1000;  ///< a fixed number, or the most where there is a precision
  double precision = 0;               ///< relative half-width to stop at; 0: a fixed number
  const Metric* precision_of = find_metric("tau");  ///< whose half-width
  std::uint64_t least = 100;          ///< the fewest replications before a precision may stop
  double confidence = 0.95;
  double deadline_s = 0;              ///< tau_d of the risk factor; 0: none
  double timeout_s = 0;               ///< the longest a batch, a split's search, a point's making may take; 0: no limit
  std::uint64_t seed = 1;
  EngineChoice engine = EngineChoice::automatic;
  const VarianceReduction* variance_reduction = &kNoVarianceReduction;

  [[nodiscard]] StoppingRule rule() const { return {precision, least, replications}; }
  /// The interval that the stopping rule looks at.
  [[nodiscard]] Estimate watched(const MetricContext& context, const PointStatistics& statistics) const {
    return precision_of->estimate(context, statistics).front();
  }
};

/// One point of a sweep. Without a scenario it is infeasible, or its split or size could not be found.
struct Point {
  /// All that has to be simulated for it: its scenario, and those that metrics compare it with.
  [[nodiscard]] std::vector<const Scenario*> scenarios() const {
    std::vector<const Scenario*> all;
    for (const auto& s : {scenario, baseline, step1})
      if (scenario && s) all.push_back(s.get());
    return all;
  }

  std::vector<std::string> values;           ///< of the swept keys, as written
  std::shared_ptr<const Scenario> scenario;
  std::shared_ptr<const Scenario> baseline;  ///< the whole work on one workstation, where speedup is asked for
  std::shared_ptr<const Scenario> step1;     ///< the same split in proportion, where a metric compares with it
  std::optional<std::size_t> reference;      ///< the experiment's point that this one is compared with
  std::shared_ptr<const SizeTask> size_task;        ///< its size is to be found by simulation (solve_sizes.hpp); until
                                                    ///< then the scenario is that of the smallest size, if there is one
  std::shared_ptr<const SolvedSize> solved;         ///< the size that was solved for
  bool is_unsolved = false;                         ///< infeasible since no size solves it, as simulation has shown,
                                                    ///< or since it would take too long: claims miss it
  RunPlan plan;
  std::string infeasible;                    ///< why it cannot be realised
  std::shared_ptr<const SplitTask> split_task;      ///< the split is to be found by simulation (resolve_splits.hpp);
                                                    ///< until then the scenario's shares are provisional
  std::shared_ptr<const SplitReport> split_report;  ///< how it was found; null where it needed no simulation
  std::string failure;                              ///< why split or size could not be found; then there is no scenario
};

struct ExperimentSource;

/// Immutable after loading.
struct Experiment {
  std::string file;
  std::string title;
  std::vector<std::string> axes;      ///< the swept keys, in order
  std::vector<const Metric*> metrics;
  std::vector<Point> points;
  std::vector<Claim> claims;          ///< the paper's statements about the results
  std::vector<std::string> remarks;   ///< worth saying, no problem: keys of the file that a flag made idle
  std::optional<Figure> figure;       ///< fits axes and metrics
  std::string no_figure;              ///< why flags leave nothing of the figure that the file describes
  std::shared_ptr<const ExperimentSource> source;  ///< what points at other sizes are made of, where one is solved for

  /// Whether some point's split is still to be found.
  [[nodiscard]] bool has_open_splits() const;
  /// How many points' sizes are still to be found.
  [[nodiscard]] std::size_t open_sizes() const;
};

/// Flags that every command may give.
struct LoadOptions {
  std::vector<std::string> overrides;  ///< key=value
};

/// Reads an experiment. @throws InputErrors with every problem found, each with its file, line and key.
Experiment load_experiment(const std::string& file, const LoadOptions& options, const Registries& registries);
/// The same from a document that is not that file's text: nodes of line -1 are a flag's, others the file's.
Experiment load_experiment(YamlNode document, const std::string& file, const LoadOptions& options,
                           const Registries& registries);

/// Replications of a batch: a fixed number that only depends on how large a replication's result is, and on whether
/// they come in pairs.
std::uint64_t batch_size(const Scenario& scenario);

/// The program's version, as written into every result.
const char* version();

}  // namespace nowsim
