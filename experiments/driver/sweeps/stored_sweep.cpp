// Running an experiment into a store, and saying beforehand what that would take, rehearsing searches for sizes.
#include "experiments/driver/sweeps/stored_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/sweeps/experiment_store.hpp"
#include "experiments/driver/sweeps/prepare.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

/// Finds an execution plan's scenarios and reads all stored batches that it may use, so that damage to one is found before
/// anything is written.
std::vector<StoredScenario> checked_scenarios(BatchStore& store, const ExecutionPlan& execution,
                                              const RunContext& context) {
  const auto together = store.read_together();
  auto stored = store.find_scenarios(execution);
  for (std::size_t s = 0; s < execution.series.size(); ++s) {
    context.end_if_interrupted();
    for (std::uint64_t b = 0; b < batches_of(execution.series[s]); ++b)
      if (const Batch batch = batch_of(execution.series[s], b); stored[s].has(batch)) store.load(stored[s], batch);
  }
  return stored;
}

constexpr double kMostPerReplication_s = 0.05;  // of a trial that is rehearsed
constexpr std::size_t kTogether = 4;            // searches that are rehearsed round by round
constexpr double kMostRehearsal_s = 0.6;        // what trials are expected to cost: then no further searches
constexpr double kGivenUp_s = 3;                // and then no further trials

/// At most so many of them, each once, in steps of the golden ratio, which fall in with no period of a sweep: the first
/// of them are spread over all.
std::vector<std::size_t> spread_sample(const std::vector<std::size_t>& all, std::size_t most) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  std::vector<std::size_t> sample;
  for (std::size_t k = 0; sample.size() < std::min(most, all.size()); ++k) {
    const double place = kGoldenRatio * static_cast<double>(k);
    const std::size_t p = all[static_cast<std::size_t>((place - std::floor(place)) * static_cast<double>(all.size()))];
    if (std::ranges::find(sample, p) == sample.end()) sample.push_back(p);
  }
  return sample;
}

/// The experiment in which only those sizes are sought.
Experiment with_only(Experiment experiment, const std::set<std::size_t>& sought) {
  for (std::size_t p = 0; p < experiment.points.size(); ++p)
    if (!sought.contains(p)) experiment.points[p].state = InfeasiblePoint{};
  return experiment;
}

constexpr const char* kTimed =
    "nowsim: 1\nplatform: {workstations: 32, speed: 1f}\njob: {workload: base-task, work: = 2000 * N}\n"
    "owner: {model: intervals, TH: 0.28, interval: 10s}\nrun: {replications: 100}\n";

/// The least of a few, as others may want the processor too [s].
double least_s(const Scenario& scenario, std::uint64_t replications) {
  constexpr int kTimes = 5;
  BatchRunner runner;
  double least = kInfinity;
  for (int k = 0; k < kTimes; ++k) {
    const std::clock_t begin = std::clock();
    const BatchRecord& record = runner.run(Engine::direct, scenario, {0, replications});
    static_cast<void>(statistics_of(record, scenario, 0, kGatherAll));
    static_cast<void>(pack(record));
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

/// Batches of a series that are looked up one by one.
constexpr std::uint64_t kMostLookedUp = 10'000'000;

}  // namespace

SweepOutcome sweep_into(BatchStore& store, const std::string& name, const Experiment& experiment, RunOptions options) {
  const ExecutionPlan execution = plan_execution(experiment);
  ExperimentStore experiments(store);
  const auto stored =
      experiments.begin_experiment(name, experiment, execution, checked_scenarios(store, execution, options));
  SweepOutcome outcome{{experiment.title, experiment.file, experiment.axes, experiment.metrics, {}}, {}};
  auto& rows = outcome.summary.rows;
  rows.reserve(experiment.points.size());
  for (const auto& point : experiment.points)
    rows.push_back(summarise_point(experiment, point, {}));  // infeasible ones stay
  QuantileMemo quantiles;
  options.store = &store;
  options.stored = &stored;
  options.on_progress = [&outcome, show = options.on_progress](const Progress& p) {
    outcome.progress = p;
    show(p);
  };
  options.on_point = [&](std::size_t p, const PointOutcome& result) {
    rows[p] = summarise_point(experiment, experiment.points[p], result, &quantiles);
    const auto id_of = [&](const std::optional<std::size_t>& s) { return s ? stored[*s].id : 0; };
    experiments.finish_point(p, rows[p], experiment.metrics, id_of(result.series), id_of(result.baseline));
  };
  execute(experiment, execution, options);
  return outcome;
}

WorkCounts splits_work(const Experiment& experiment, WorkCounter& counter) {
  WorkCounts work{};
  for (const auto& task : open_splits(experiment)) work += split_work(*task, counter);
  return work;
}

SizesWork sizes_work(const Experiment& experiment, WorkCounter& counter, std::size_t most_rehearsed) {
  SizesWork sizes{};
  std::vector<std::size_t> open;
  double fewest_replications = kInfinity;  // of a trial
  for (std::size_t p = 0; p < experiment.points.size(); ++p) {
    if (experiment.points[p].as<OpenSize>() == nullptr) continue;
    open.push_back(p);
    fewest_replications = std::min(fewest_replications, static_cast<double>(experiment.points[p].plan.replications));
  }
  if (open.empty()) return sizes;
  const auto sample = spread_sample(open, most_rehearsed);
  const double most_trial_s = std::min(kMostTrial_s, kMostPerReplication_s * fewest_replications);
  double rehearsal_s = 0;
  const auto sees = [&](const Experiment& round) {
    const ExecutionPlan execution = plan_execution(round);
    std::set<std::size_t> needed;
    std::size_t trials = 0;
    for (const auto& needs : execution.points) {
      trials += needs.series ? 1 : 0;
      for (const std::size_t need : needs.all()) needed.insert(need);
    }
    WorkCounts in_full{};
    double of_round_s = 0;
    for (const std::size_t s : needed) {
      const Series& series = execution.series[s];
      const WorkCounts of_series = counter.count(*series.scenario, series.engine, series.plan.replications);
      in_full += of_series;
      of_round_s += 2 * shipped_costs().seconds(of_series) / static_cast<double>(series.plan.replications);
    }
    in_full[Cost::point] += static_cast<double>(trials);
    in_full[Cost::worker] += 1;
    rehearsal_s += of_round_s;
    sizes.work += in_full;
    sizes.trials += trials;
    return rehearsal_s < kGivenUp_s;
  };
  while (sizes.rehearsed < sample.size() && rehearsal_s < kMostRehearsal_s) {
    const auto begin = sample.begin() + static_cast<std::ptrdiff_t>(sizes.rehearsed);
    const std::size_t count = std::min(kTogether, sample.size() - sizes.rehearsed);
    rehearse_sizes(with_only(experiment, {begin, begin + static_cast<std::ptrdiff_t>(count)}), most_trial_s, sees);
    sizes.rehearsed += count;
  }
  sizes.work *= static_cast<double>(open.size()) / static_cast<double>(sizes.rehearsed);
  return sizes;
}

SweepForecast forecast_sweep(BatchStore* store, const Experiment& described, std::size_t most_rehearsed) {
  const Experiment experiment = store ? recall_sizes(recall_splits(described, *store), *store) : described;
  SweepForecast forecast;
  WorkCounter counter;
  forecast.open = pending_searches(experiment);
  const ExecutionPlan execution = plan_execution(experiment);
  const auto stored = store ? store->find_scenarios(execution) : std::vector<StoredScenario>(execution.series.size());
  forecast.points = experiment.points.size();
  for (const auto& point : experiment.points) forecast.infeasible += point.status() == PointStatus::pending ? 0 : 1;
  std::map<std::string_view, int> users;  // of each scenario
  for (const auto& series : execution.series) ++users[series.key];
  std::set<std::tuple<std::string_view, std::uint64_t, std::uint64_t>> counted;  // series of one scenario share batches
  for (std::size_t s = 0; s < execution.series.size(); ++s) {
    const Series& series = execution.series[s];
    forecast.may_stop_earlier |= series.plan.precision > 0 || series.cell;
    std::uint64_t missing = 0, missing_batches = 0;  // of those that no series before has
    const bool is_shared = users[series.key] > 1;
    // Nobody has run too many to be looked up.
    const bool is_counted_whole = batches_of(series) > kMostLookedUp || (store == nullptr && !is_shared);
    if (is_counted_whole) {
      missing = series.plan.replications;
      missing_batches = batches_of(series);
      forecast.batches += missing_batches;
      forecast.replications += missing;
    }
    for (std::uint64_t b = 0; !is_counted_whole && b < batches_of(series); ++b) {
      const Batch batch = batch_of(series, b);
      if (is_shared && !counted.emplace(series.key, batch.first, batch.count).second) continue;
      const bool there = stored[s].has(batch);
      ++forecast.batches;
      forecast.batches_stored += there ? 1 : 0;
      forecast.replications_stored += there ? batch.count : 0;
      forecast.replications += batch.count;
      missing += there ? 0 : batch.count;
      missing_batches += there ? 0 : 1;
    }
    if (store && missing > 0 && store->replications_as_moments(stored[s]) >= series.plan.replications)
      forecast.batches_as_moments += missing_batches;
    const double measured = store ? store->seconds_per_replication(stored[s]) : 0;
    if (measured > 0) forecast.measured_s += measured * static_cast<double>(missing);
    else if (missing > 0) forecast.work += counter.count(*series.scenario, series.engine, missing);
  }
  forecast.scenarios = users.size();
  forecast.work += splits_work(experiment, counter);
  forecast.work += sizes_work(experiment, counter, most_rehearsed).work;
  if (forecast.batches > forecast.batches_stored) {
    forecast.work[Cost::point] += static_cast<double>(forecast.points);
    ++forecast.work[Cost::worker];
  }
  return forecast;
}

CostTable machine_costs(const Registries& registries) {
  constexpr double kMost = 1000;  // no machine is so much faster or slower than the one whose costs are shipped
  const char* const file = "the scenario by which this machine is timed";
  const Experiment experiment = load_experiment(parse_yaml(kTimed, file), file, {}, registries);
  const Point& point = experiment.points.front();
  const WorkCounts work = WorkCounter().count(*point.scenario(), Engine::direct, point.plan.replications);
  CostTable costs = shipped_costs();
  costs *= std::clamp(least_s(*point.scenario(), point.plan.replications) / costs.seconds(work), 1 / kMost, kMost);
  return costs;
}

}  // namespace nowsim
