// Running an experiment into a store, and saying beforehand what that would take.
#include "experiments/driver/sweeps/stored_sweep.hpp"

#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/sweeps/experiment_cost.hpp"
#include "experiments/driver/sweeps/experiment_store.hpp"
#include "experiments/driver/sweeps/resolve_splits.hpp"
#include "experiments/driver/sweeps/solve_sizes.hpp"

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

/// With those splits and sizes that follow from what is stored.
Experiment recalled(const Experiment& described, BatchStore& store) {
  return recall_sizes(recall_splits(described, store), store);
}

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
  run_committed(experiment, execution, options);
  return outcome;
}

/// Batches of a series that are looked up one by one.
constexpr std::uint64_t kMostLookedUp = 10'000'000;

SweepForecast forecast_sweep(BatchStore* store, const Experiment& described) {
  const Experiment experiment = store ? recalled(described, *store) : described;
  SweepForecast forecast;
  WorkCounter counter;
  forecast.open = pending_searches(experiment);
  const ExecutionPlan execution = plan_execution(experiment);
  const auto stored = store ? store->find_scenarios(execution) : std::vector<StoredScenario>(execution.series.size());
  forecast.points = experiment.points.size();
  for (const auto& point : experiment.points) forecast.infeasible += point.status() == PointStatus::pending ? 0 : 1;
  std::map<std::string_view, int> users;  // of each scenario
  for (std::size_t s = 0; s < execution.series.size(); ++s)
    ++users[execution.series[s].key];
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
  forecast.work += sizes_work(experiment, counter).work;
  if (forecast.batches > forecast.batches_stored) {
    forecast.work[Cost::point] += static_cast<double>(forecast.points);
    ++forecast.work[Cost::worker];
  }
  return forecast;
}

}  // namespace nowsim
