#include "experiments/driver/sweeps/experiment_cost.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <set>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/sweeps/resolve_splits.hpp"
#include "experiments/driver/sweeps/solve_sizes.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

constexpr double kMostPerReplication_s = 0.05;  // of a trial that is rehearsed
constexpr std::size_t kTogether = 4;            // searches that are rehearsed round by round
constexpr double kMostRehearsal_s = 0.6;        // what trials are expected to cost: then no further searches
constexpr double kGivenUp_s = 3;                // and then no further trials

std::vector<std::size_t> open_points(const Experiment& experiment) {
  std::vector<std::size_t> open;
  for (std::size_t p = 0; p < experiment.points.size(); ++p)
    if (experiment.points[p].as<OpenSize>() != nullptr) open.push_back(p);
  return open;
}

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

struct RoundWork {
  WorkCounts in_full{};
  double rehearsal_s = 0;
  std::size_t trials = 0;
};

RoundWork work_of_round(const Experiment& round, WorkCounter& counter) {
  RoundWork work;
  const ExecutionPlan execution = plan_execution(round);
  std::set<std::size_t> needed;
  for (const auto& needs : execution.points) {
    work.trials += needs.series ? 1 : 0;
    for (const std::size_t need : needs.all()) needed.insert(need);
  }
  for (const std::size_t s : needed) {
    const Series& series = execution.series[s];
    const WorkCounts of_series = counter.count(*series.scenario, series.engine, series.plan.replications);
    work.in_full += of_series;
    work.rehearsal_s += 2 * shipped_costs().seconds(of_series) / static_cast<double>(series.plan.replications);
  }
  work.in_full[Cost::point] += static_cast<double>(work.trials);
  work.in_full[Cost::worker] += 1;
  return work;
}

/// The fewest replications of a point's trial.
double fewest_replications(const Experiment& experiment) {
  double fewest = kInfinity;
  for (const auto& point : experiment.points)
    if (point.as<OpenSize>() != nullptr) fewest = std::min(fewest, static_cast<double>(point.plan.replications));
  return fewest;
}

}  // namespace

WorkCounts splits_work(const Experiment& experiment, WorkCounter& counter) {
  WorkCounts work{};
  for (const auto& task : open_splits(experiment)) work += split_work(*task, counter);
  return work;
}

SizesWork sizes_work(const Experiment& experiment, WorkCounter& counter, std::size_t most_rehearsed) {
  SizesWork sizes{};
  const auto open = open_points(experiment);
  if (open.empty()) return sizes;
  const auto sample = spread_sample(open, most_rehearsed);
  const double most_trial_s =
      std::min(kMostTrial_s, kMostPerReplication_s * fewest_replications(experiment));
  double rehearsal_s = 0;
  const auto sees = [&](const Experiment& round) {
    const RoundWork work = work_of_round(round, counter);
    rehearsal_s += work.rehearsal_s;
    sizes.work += work.in_full;
    sizes.trials += work.trials;
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

namespace {

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

}  // namespace

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
