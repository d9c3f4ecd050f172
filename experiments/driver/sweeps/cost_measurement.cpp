// Timing one batch, which needs no table of a law and no route.
#include "experiments/driver/sweeps/cost_measurement.hpp"

#include <algorithm>
#include <ctime>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/work_counts.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {
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
