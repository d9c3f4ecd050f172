// A scenario per row; of its time, what rows before this one explain is taken off.
#include "experiments/driver/sweeps/cost_measurement.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/cost_cache.hpp"
#include "experiments/driver/running/work_counts.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/temporary_folder.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/platform/worker_process.hpp"

namespace nowsim {
namespace {

/// How a row's scenario is run.
enum class By {
  engine,     ///< its batches alone, again and again
  beginning,  ///< the same, from the beginning each time
  child,      ///< in a process of its own, as SimGrid has to be
  sweep,      ///< into a store
};

struct Calibration {
  Cost cost;
  By by;
  const char* platform;
  const char* job;
  const char* owner;
  const char* run;
  const char* sweep = "{}";
};

constexpr const char* kOne = "workstations: 1";
constexpr const char* kMany = "workstations: 32";
constexpr const char* kSwitch = "workstations: 8, network: switch, bandwidth: 1GBps, latency: 10us";
constexpr const char* kWideSwitch = "workstations: 32, network: switch, bandwidth: 1GBps, latency: 10us";
constexpr const char* kBus = "workstations: 8, network: bus, bandwidth: 1GBps, latency: 10us";
constexpr const char* kNone = "model: dedicated";
constexpr const char* kUniform = "model: intervals, TH: 0.28, interval: 10s";
constexpr const char* kBeta = "model: intervals, TH: 0.28, interval: 10s, value: beta";
constexpr const char* kLong = "workload: base-task, work: = 2000 * N";
constexpr const char* kShort = "workload: base-task, work: = N / 100";
constexpr const char* kPhases = "workload: augmented-task, work: = 100 * N, phases: 1000";
constexpr const char* kGauss = "workload: gauss, size: 1000";

/// Machines have a speed of 1 flop/s.
const Calibration kCalibrations[] = {
    {Cost::replication, By::engine, kOne, kShort, kNone, "replications: 20000"},
    {Cost::rank, By::engine, kMany, kShort, kNone, "replications: 5000"},
    {Cost::wide_rank, By::engine, "workstations: 512", kShort, kNone, "replications: 300"},
    {Cost::interval, By::engine, kMany, kLong, kUniform, "replications: 200"},
    {Cost::rank_step, By::engine, kMany, kPhases, kUniform, "replications: 30"},
    {Cost::lane, By::engine, kMany, kShort, kUniform, "replications: 3000"},
    {Cost::tree_step, By::engine, kSwitch, kGauss, "model: intervals, TH: 0.28, interval: 1e6s", "replications: 20"},
    {Cost::alike_step, By::engine, kWideSwitch, kGauss, kNone, "replications: 2000"},
    {Cost::exponential, By::engine, kMany, kLong, "model: intervals, TH: 0.28, interval: 10s, length: exponential",
     "replications: 200"},
    {Cost::table, By::beginning, "workstations: 8", kShort,
     "model: intervals, TH: 0.28, SH: 0.2, interval: 10s, value: beta", "replications: 1"},
    {Cost::table_draw, By::engine, kMany, kLong, kBeta, "replications: 200"},
    {Cost::control, By::engine, kMany, kLong, kUniform, "replications: 200, variance_reduction: control"},
    {Cost::message, By::engine, kSwitch, "workload: task-farm, tasks: 500, cost: 1f, technique: SS", kNone,
     "replications: 10"},
    {Cost::process, By::engine, kSwitch,
     "workload: ping-pong, rounds: 1, bytes: 100", kNone, "replications: 500"},
    {Cost::turn, By::engine, kMany, kLong, "model: duty-cycle, u: 50%, period: 10s", "replications: 200"},
    {Cost::factor_step, By::engine, kMany, kLong, "model: intervals, TH: 0.28, interval: 10s, correlation: 0.5",
     "replications: 5"},
    {Cost::owner_job, By::engine, kMany, kLong, "model: jobs, u: 30%, demand: 3s", "replications: 5"},
    {Cost::phase, By::engine, kMany, kPhases, "model: jobs, u: 1%, demand: 10s", "replications: 5"},
    {Cost::meeting, By::engine, kBus,
     "workload: all-to-all, rounds: 10, bytes: 1kB", kNone, "replications: 10"},
    {Cost::routes, By::beginning, kSwitch,
     "workload: ping-pong, rounds: 1, bytes: 100", kNone, "replications: 1"},
    {Cost::simgrid_batch, By::child, kOne, kShort, kNone, "replications: 1, engine: simgrid"},
    {Cost::simgrid_message, By::child, kSwitch,
     "workload: ping-pong, rounds: 100, bytes: 100", kNone, "replications: 5, engine: simgrid"},
    {Cost::simgrid_step, By::child, kMany, kLong, kUniform, "replications: 1, engine: simgrid"},
    {Cost::simgrid_rank, By::child, kMany, kShort, kNone, "replications: 50, engine: simgrid"},
    {Cost::simgrid_phase, By::child, kMany, kPhases, kNone, "replications: 1, engine: simgrid"},
    {Cost::simgrid_meeting, By::child, kBus,
     "workload: all-to-all, rounds: 10, bytes: 1kB", kNone, "replications: 5, engine: simgrid"},
    {Cost::worker, By::sweep, kOne, kShort, kNone, "replications: 1"},
    {Cost::batch, By::sweep, kOne, kShort, kNone, "replications: 20000"},
    {Cost::stored, By::sweep, kMany, kShort, kUniform, "replications: 2000"},
    {Cost::point, By::sweep, kOne, kShort, kNone, "replications: 1", "{run.seed: {from: 1, to: 60, step: 1}}"},
};

/// Processor time of this process and of children that have ended [s].
double processor_s() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval& t : {used.ru_utime, used.ru_stime})
      seconds += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  }
  return seconds;
}

double seconds_of(const std::function<void()>& what) {
  const double begin_s = processor_s();
  what();
  return processor_s() - begin_s;
}

Experiment described(const Calibration& c, const Registries& registries) {
  const std::string text = std::string("nowsim: 1\nplatform: {speed: 1f, ") + c.platform + "}\njob: {" + c.job +
                           "}\nowner: {" + c.owner + "}\nrun: {" + c.run + "}\n" +
                           (std::string(c.sweep) == "{}" ? "" : "sweep: " + std::string(c.sweep) + "\n");
  const std::string file = "the scenario of the cost '" + std::string(cost_row(c.cost).name) + "'";
  return load_experiment(parse_yaml(text, file), file, {}, registries);
}

/// All batches of a point, with what a worker makes of them.
void run_batches(const Point& point, BatchRunner& runner) {
  const Scenario& scenario = *point.scenario();
  const Engine engine = engine_for(point.plan.engine, scenario);
  const std::uint64_t size = batch_size(scenario), all = point.plan.replications;
  for (std::uint64_t first = 0; first < all; first += size) {
    const BatchRecord& record = runner.run(engine, scenario, {first, std::min(size, all - first)});
    static_cast<void>(statistics_of(record, scenario, 0, kGatherAll));
    static_cast<void>(pack(record));
  }
}

double by_engine_s(const Experiment& experiment) {
  BatchRunner runner;
  run_batches(experiment.points.front(), runner);  // routes and tables are there then
  return seconds_of([&] { run_batches(experiment.points.front(), runner); });
}

double from_beginning_s(const Experiment& experiment) {
  BatchRunner runner;
  return seconds_of([&] { run_batches(experiment.points.front(), runner); });
}

double in_child_s(const Experiment& experiment) {
  return std::stod(in_child_process([&] { return std::to_string(1e9 * from_beginning_s(experiment)); })) / 1e9;
}

double by_sweep_s(const Experiment& experiment) {
  const TemporaryFolder folder;
  return seconds_of([&] {
    BatchStore store(folder.path().string(), BatchStore::Access::write);
    sweep_into(store, "costs", experiment, {});
  });
}

/// What the scenario does besides what has been done before it is timed.
WorkCounts calibrating_work(const Calibration& c, const Experiment& experiment) {
  WorkCounts work = forecast_sweep(nullptr, experiment).work;
  if (c.by == By::engine) work[Cost::table] = work[Cost::routes] = 0;
  if (c.by != By::sweep) work[Cost::batch] = work[Cost::stored] = work[Cost::point] = work[Cost::worker] = 0;
  return work;
}

/// The least of a few, as others may want the processor too.
double least_s(const Calibration& c, const Registries& registries) {
  constexpr int kTimes = 3;
  double least = kInfinity;
  for (int k = 0; k < kTimes; ++k) {
    const Experiment experiment = described(c, registries);  // anew: its tables are not made yet
    const auto measure = c.by == By::engine ? by_engine_s : c.by == By::beginning ? from_beginning_s
                         : c.by == By::child ? in_child_s : by_sweep_s;
    least = std::min(least, measure(experiment));
  }
  return least;
}

class Measuring {
 public:
  Measuring(const Registries& registries, MeasuredCosts known) : registries_(registries), known_(std::move(known)) {}

  double cost_s(Cost cost) {
    const CostRow& row = cost_row(cost);
    if (const auto found = known_.find(row.name); found != known_.end()) return found->second;
    const auto* c = std::ranges::find(kCalibrations, cost, &Calibration::cost);
    if (c == std::end(kCalibrations)) return row.shipped_s;
    return known_[row.name] = measured_s(*c);
  }
  [[nodiscard]] const MeasuredCosts& known() const { return known_; }

 private:
  /// What lies within the noise of the rows before it is at least a third of what is shipped.
  double measured_s(const Calibration& c) {
    const double shipped_s = cost_row(c.cost).shipped_s;
    try {
      const WorkCounts work = calibrating_work(c, described(c, registries_));
      double left_s = least_s(c, registries_);
      for (std::size_t k = 0; k < static_cast<std::size_t>(c.cost); ++k)
        if (work.at(k) > 0) left_s -= work.at(k) * cost_s(static_cast<Cost>(k));
      return std::max(left_s / work[c.cost], shipped_s / 3);
    } catch (const std::exception&) {  // no temporary folder, say
      return shipped_s;
    }
  }

  const Registries& registries_;
  MeasuredCosts known_;
};

}  // namespace

CostTable machine_costs(const WorkCounts& work, const Registries& registries, bool again) {
  const std::string key = machine_key(), file = cost_file(key);
  const MeasuredCosts before = again ? MeasuredCosts() : read_costs(file, key);
  Measuring measuring(registries, before);
  CostTable costs = shipped_costs();
  for (std::size_t k = 0; k < kCosts; ++k)
    if (work.at(k) > 0) costs.at(k) = measuring.cost_s(static_cast<Cost>(k));
  if (measuring.known() != before) write_costs(file, key, measuring.known());
  return costs;
}

}  // namespace nowsim
