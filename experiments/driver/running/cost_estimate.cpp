// Adding up what replications and searches for splits will do.
#include "experiments/driver/running/cost_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/points/decision.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/engines/batch_record.hpp"
#include "sim/engines/timeline.hpp"
#include "sim/splitting/split_search.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {
namespace {

WorkCounts work_of_scenarios(const Point& point, std::uint64_t replications, WorkCounter& counter) {
  const PointScenarios* simulated = point.simulated();
  WorkCounts work{};
  for (const Scenario* s : simulated != nullptr ? simulated->all() : std::vector<const Scenario*>{})
    work += counter.count(*s, engine_for(point.plan.engine, *s), replications);
  return work;
}

/// How many samples of its replications a task takes.
double expected_samples(const SplitTask& task) {
  constexpr double kGuard = 4, kJudged = 3;  // find_split.cpp
  if (task.policy->split == nullptr) return expected_evaluations(task) + kJudged;
  return task.is_guarded ? kGuard : 0;
}

}  // namespace

/// Searches by curves took 8 to 22 evaluations and 20 of shares of all sizes, others of 2 to 40 machines 43 to 260; the
/// bound takes a run of its samples or two, and about as much for what all machines leave together.
double expected_evaluations(const SplitTask& task) {
  constexpr double kOthers = 4, kByCurves = 7, kWide = 20, kLine = 20, kDownhill = 15, kEach = 5, kOfBound = 2.5;
  const double n = static_cast<double>(task.machines.size());
  const bool by_curves = has_curves(*task.scenario, task.replications);
  const bool is_local = task.machines.size() <= kMostForLocalSearch;
  const double nearby = by_curves ? kByCurves : kDownhill + (is_local ? kEach * n : 0);
  return (by_curves ? kOthers + kWide : kLine) + nearby + kOfBound * static_cast<double>(task.gap_samples);
}

WorkCounts point_work(const Point& point, WorkCounter& counter) {
  return work_of_scenarios(point, point.plan.replications, counter);
}

WorkCounts split_work(const SplitTask& task, WorkCounter& counter) {
  WorkCounts work = counter.count(*task.scenario, task.engine, task.replications);
  work *= expected_samples(task);
  if (expected_samples(task) == 0) work += counter.count(*task.scenario, task.engine, kSigmaPilot);
  work[Cost::batch] = work[Cost::stored] = 0;  // they stay where they are computed
  return work;
}

double estimated_cost_s(const Point& point) {
  WorkCounter counter;
  return shipped_costs().seconds(point_work(point, counter));
}

double least_cost_s(const Point& point) {
  if (point.as<OpenSize>() != nullptr) return 0;
  const RunPlan& plan = point.plan;
  const std::uint64_t least = plan.decides() ? kFirstReplications : plan.least,
                      fewest = plan.may_stop() ? std::min(least, plan.replications) : plan.replications;
  WorkCounter counter;
  WorkCounts work = work_of_scenarios(point, fewest, counter);
  if (const auto* open = point.as<OpenSplit>()) work += split_work(*open->task, counter);
  return shipped_costs().seconds(work);
}

double estimated_cost_s(const Scenario& s, Engine engine, std::uint64_t replications) {
  return shipped_costs().seconds(WorkCounter().count(s, engine, replications));
}

Experiment without_costly_points(Experiment experiment, double most_s) {
  if (std::isinf(most_s)) return experiment;  // estimates take time
  for (auto& point : experiment.points) {
    const double cost_s = point.as<OpenSize>() != nullptr ? 0 : estimated_cost_s(point);
    if (cost_s <= most_s) continue;
    point.state = UnsolvedPoint{"not run: it would take about " + duration_text(cost_s) + " of one core on " +
                                engine_name(engine_for(point.plan.engine, *point.scenario())) +
                                ", and the most allowed is " + duration_text(most_s)};
  }
  return experiment;
}

double recorded_bytes(const Scenario& s) {
  constexpr double kTwice = 2;  // packed for another process, and unpacked
  const double computes_and_waits = 2.0 * static_cast<double>(s.size()) * static_cast<double>(s.workload->program().phases);
  const double messages = s.workload->program().messages(static_cast<int>(s.size()));
  const double path_steps = WorkCounter().count(s, Engine::simgrid, 1)[Cost::simgrid_step];
  return kTwice * ((computes_and_waits + 2 * messages) * sizeof(TimelineActivity) +
                   messages * sizeof(TimelineMessage) + path_steps * sizeof(TimelineAvailability));
}

namespace {

/// What a store keeps of one replication, roughly [bytes]: about half of the columns say something.
double stored_bytes(const Scenario& scenario) {
  const auto size = static_cast<double>(scenario.size());
  double workstations = 0;
  if (scenario.size() - first_worker(scenario) <= kMostWithValues)
    workstations = size * sizeof(double);
  else if (scenario.size() <= kMostWithMoments)
    workstations = size * sizeof(Moments) / static_cast<double>(batch_size(scenario));
  constexpr double kTotals = 5, kQuantities = 3;
  return kTotals * sizeof(double) + kQuantities * workstations;
}

}  // namespace

bool is_quick(const Series& series) {
  constexpr double kLeast_bytes = 1e6, kRate_bytes_per_s = 1e6;
  const Scenario& scenario = *series.scenario;
  if (series.cell || series.plan.precision > 0 || series.gathering.makespans) return false;
  const double bytes = static_cast<double>(series.plan.replications) * stored_bytes(scenario);
  return bytes > kLeast_bytes &&
         bytes > kRate_bytes_per_s * estimated_cost_s(scenario, series.engine, series.plan.replications);
}

}  // namespace nowsim
