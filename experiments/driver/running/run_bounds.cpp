// Adding the points' least costs and what their replications leave in memory.
#include "experiments/driver/running/run_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

/// How many numbers are kept of each entry of replications (sample.hpp) of a point: columns that metrics read, and
/// what a metric that is no mean of them makes of them.
double numbers_kept(const std::vector<const Metric*>& metrics, const RunPlan& plan, std::uint64_t span,
                    const Scenario& scenario) {
  const double workstations = static_cast<double>(scenario.size());
  Gathering gathered;
  double influences = 0, of_machines = 0;
  for (const Metric* metric : metrics) {
    if (metric->exact) continue;
    gathered |= metric->gathers;
    influences += metric->per_workstation ? workstations : 1;
    of_machines = metric->per_workstation ? workstations : of_machines;
  }
  const double controls = scenario.controls ? static_cast<double>(scenario.controls->count()) : 0;
  const double of_sample = span > 1 || plan.variance_reduction != &kNoVarianceReduction ? 2 + controls : 1;
  return of_sample * (1 + (gathered.shares ? 3 : 0) + (gathered.finish ? of_machines : 0)) +
         (gathered.times ? static_cast<double>(TimeBreakdown::kSums) + static_cast<double>(TimeBreakdown::kParts) * of_machines : 0) +
         (plan.deadline_s > 0 ? 1 : 0) + influences;
}

}  // namespace

double kept_bytes(const Experiment& experiment) {
  const bool all_makespans =
      experiment.shows_times() ||
      std::ranges::any_of(experiment.metrics, [](const Metric* m) { return m->gathers.makespans; });
  double values = 0;
  for (const auto& point : experiment.points) {
    if (point.simulated() == nullptr || point.as<OpenSize>() != nullptr) continue;
    const std::uint64_t n = point.plan.replications, span = span_of(n, point.plan.variance_reduction->unit());
    const double scenarios = static_cast<double>(point.simulated()->all().size());
    values += scenarios * numbers_kept(experiment.metrics, point.plan, span, *point.scenario()) *
              std::ceil(static_cast<double>(n) / static_cast<double>(span));
    if ((all_makespans && point.plan.precision == 0) || point.plan.decides()) values += scenarios * static_cast<double>(n);
  }
  return values * sizeof(double);
}

namespace {

/// What a worker takes for a workstation while it simulates [bytes].
constexpr double kBytesPerSimulated = 400;
constexpr std::size_t kManySimulated = 100'000;

void require_memory_to_run(const Experiment& experiment) {
  if (const double bytes = kept_bytes(experiment); bytes > 1e6)
    require_memory(bytes, "keeping what replications contribute to these metrics");
  std::size_t most = 0;
  for (const auto& point : experiment.points)
    if (const auto scenario = point.scenario()) most = std::max(most, scenario->size());
  if (most >= kManySimulated)
    require_memory(kBytesPerSimulated * static_cast<double>(most),
                   "simulating " + std::to_string(most) + " workstations in a process of its own");
}

/// The point that takes longest by its values in the sweep: " (longest at the point 2, 1e+15)".
std::string longest_text(const Experiment& experiment, std::size_t longest) {
  const auto& values = experiment.points[longest].values;
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : ", ") + value;
  return text.empty() ? "" : " (longest at the point " + text + ")";
}


/// What the points take at least, on one core.
struct LeastTime {
  double all_s = 0;
  std::size_t longest = 0;  ///< the point that takes most of it
  bool is_bounded = true;   ///< every batch has a time-out that the user asked for
};

LeastTime least_time(const Experiment& experiment) {
  LeastTime time;
  double most_s = 0;
  for (std::size_t p = 0; p < experiment.points.size(); ++p) {
    const double cost_s = least_cost_s(experiment.points[p]);
    time.all_s += cost_s;
    const RunPlan& plan = experiment.points[p].plan;
    time.is_bounded &= cost_s == 0 || (plan.timeout_s > 0 && plan.timeout_was_asked);
    if (cost_s <= most_s) continue;
    most_s = cost_s;
    time.longest = p;
  }
  return time;
}

}  // namespace

std::string long_run_remark(const Experiment& experiment, int jobs, const std::function<double()>& missing_s) {
  require_memory_to_run(experiment);
  const LeastTime time = least_time(experiment);
  const double processes = std::max(1, jobs);
  if (time.all_s <= kLongRun_s * processes) return "";
  const double wall_s = (missing_s ? std::min(time.all_s, missing_s()) : time.all_s) / processes;
  if (wall_s <= kLongRun_s) return "";
  const std::string about = "about " + rough_duration(wall_s) + " with " + std::to_string(jobs) +
                            (jobs == 1 ? " process" : " processes") + longest_text(experiment, time.longest);
  if (wall_s <= kLongestRun_s || time.is_bounded) return "this will take " + about + ", by a rough estimate";
  throw InputError(Place{experiment.file, 0, ""},
                   "this would take " + about + ", by a rough estimate, and is not run; if it is meant, say by "
                   "run.timeout how long a batch may take ('--set run.timeout=1d')");
}

}  // namespace nowsim
