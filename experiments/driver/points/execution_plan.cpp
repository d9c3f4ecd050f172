// Planning: which series an experiment's points need, each once.
#include "experiments/driver/points/execution_plan.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

/// All that tells one series from another.
auto identity(const Series& s) {
  const RunPlan& p = s.plan;
  // Without a precision nothing else decides when it stops; the deadline counts late runs.
  return std::tuple(s.key, p.engine, p.replications, p.precision, p.precision > 0 ? p.precision_of : nullptr,
                    p.precision > 0 ? p.least : 0, p.precision > 0 ? p.confidence : 0, p.deadline_s, p.timeout_s,
                    p.runs_steps, s.baseline, s.cell);
}

class Planner {
 public:
  explicit Planner(const Experiment& experiment) : experiment_(experiment) {
    for (const Metric* metric : experiment.metrics) {
      gathering_ |= metric->gathers;
      gathering_.machines |= metric->per_workstation;
    }
    gathering_.makespans |= experiment.shows_times();
  }

  ExecutionPlan plan() {
    for (std::size_t p = 0; p < experiment_.points.size(); ++p) {
      execution_.points.push_back(needs_of(experiment_.points[p]));
      note_in_cell(p);
    }
    add_references();
    return std::move(execution_);
  }

 private:
  /// A point waits for its reference only where it has something to compare.
  void add_references() {
    const bool compares = std::ranges::any_of(experiment_.metrics, &Metric::needs_reference);
    for (std::size_t p = 0; compares && p < execution_.points.size(); ++p)
      if (const auto& reference = experiment_.points[p].reference; reference && execution_.points[p].series)
        execution_.points[p].reference = execution_.points[*reference].series;
    if (std::ranges::any_of(experiment_.metrics, &Metric::needs_rivals)) add_rivals();
  }

  void add_rivals() {
    std::map<std::size_t, std::vector<std::size_t>> by_reference;
    const auto reference_of = [&](std::size_t p) { return experiment_.points[p].reference; };
    for (std::size_t p = 0; p < execution_.points.size(); ++p)
      if (const auto& series = execution_.points[p].series; series && reference_of(p))
        by_reference[*reference_of(p)].push_back(*series);
    for (std::size_t p = 0; p < execution_.points.size(); ++p)
      if (execution_.points[p].series && reference_of(p)) execution_.points[p].rivals = by_reference[*reference_of(p)];
  }

  /// The cell of a point that is run, made with the first of its points.
  std::optional<std::size_t> cell_of(const Point& point) {
    if (!point.cell) return std::nullopt;
    const auto [known, is_new] = cells_.try_emplace(*point.cell, execution_.cells.size());
    if (is_new) execution_.cells.push_back({point.plan, {}, {}});
    return known->second;
  }

  void note_in_cell(std::size_t p) {
    const auto series = execution_.points[p].series;
    if (!series || !execution_.series[*series].cell) return;
    Cell& cell = execution_.cells[*execution_.series[*series].cell];
    cell.points.push_back(p);
    if (std::ranges::find(cell.series, *series) == cell.series.end()) cell.series.push_back(*series);
  }

  PointNeeds needs_of(const Point& point) {
    PointNeeds needs;
    const PointScenarios* simulated = point.simulated();
    if (simulated == nullptr) return needs;
    const bool waits = point.plan.precision > 0 && point.plan.precision_of->needs_baseline;
    if (simulated->baseline) {
      RunPlan plan = plan_of_baseline(point.plan);
      if (waits) plan.precision /= 2;
      needs.baseline = add(simulated->baseline, plan, {}, {});
    }
    if (simulated->step1) needs.step1 = add(simulated->step1, plan_of_baseline(point.plan), {}, {});
    needs.series = add(simulated->scenario, point.plan, waits ? needs.baseline : std::nullopt, cell_of(point));
    return needs;
  }

  /// Of a scenario that a point is compared with: it stops by its own tau.
  static RunPlan plan_of_baseline(RunPlan plan) {
    plan.precision_of = find_metric("tau");
    return plan;
  }

  std::size_t add(const std::shared_ptr<const Scenario>& scenario, const RunPlan& plan,
                  std::optional<std::size_t> baseline, std::optional<std::size_t> cell) {
    const Engine engine = engine_for(plan.engine, *scenario);
    Gathering gathering = gathering_of(plan);
    gathering.makespans |= cell.has_value();
    return add({scenario, keys_.key(*scenario, engine_name(engine)), plan, engine, gathering, baseline, cell});
  }

  [[nodiscard]] Gathering gathering_of(const RunPlan& plan) const {
    Gathering gathering = gathering_;
    gathering.steps = plan.runs_steps;
    gathering.span = span_of(plan.replications, static_cast<std::uint64_t>(plan.variance_reduction->unit()));
    return plan.precision > 0 ? gathering |= plan.precision_of->gathers : gathering;
  }

  std::size_t add(Series series) {
    const auto [known, is_new] = index_.try_emplace(identity(series), execution_.series.size());
    if (is_new) execution_.series.push_back(std::move(series));
    return known->second;
  }

  const Experiment& experiment_;
  Gathering gathering_;  // of all points' metrics
  ExecutionPlan execution_;
  ScenarioKeys keys_;
  std::map<decltype(identity(Series{})), std::size_t> index_;
  std::map<std::size_t, std::size_t> cells_;  // by their first points
};

}  // namespace

std::vector<std::size_t> PointNeeds::all() const {
  std::vector<std::size_t> out = rivals;
  for (const auto& need : {series, baseline, step1, reference})
    if (need) out.push_back(*need);
  return out;
}

Engine engine_for(EngineChoice choice, const Scenario& scenario) {
  const bool simgrid =
      choice == EngineChoice::simgrid || (choice == EngineChoice::automatic && DirectEngine::unsupported_reason(scenario));
  return simgrid ? Engine::simgrid : Engine::direct;
}

ExecutionPlan plan_execution(const Experiment& experiment) { return Planner(experiment).plan(); }

Batch batch_of(const Series& series, std::uint64_t index) {
  const std::uint64_t size = batch_size(*series.scenario), first = index * size;
  return {first, std::min(size, series.plan.replications - first)};
}

std::uint64_t batches_of(const Series& series) {
  const std::uint64_t size = batch_size(*series.scenario);
  return (series.plan.replications + size - 1) / size;
}

}  // namespace nowsim
