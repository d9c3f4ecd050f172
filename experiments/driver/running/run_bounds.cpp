// Adding the points' least costs and what their replications leave in memory.
#include "experiments/driver/running/run_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Beyond a thousand years no more precise than it is.
std::string rough_duration(double seconds) {
  constexpr double kYear_s = 365.25 * 86400;
  return seconds < 2 * kYear_s ? duration_text(seconds) : short_number(std::round(seconds / kYear_s)) + " years";
}

/// What replications leave behind until the run's end [bytes]: their makespans, where metrics read them.
double kept_bytes(const Experiment& experiment) {
  const auto keeps = [](const Metric* metric) { return metric->gathers.makespans; };
  if (std::ranges::none_of(experiment.metrics, keeps)) return 0;
  double values = 0;
  for (const auto& point : experiment.points)
    if (point.simulated() != nullptr && point.as<OpenSize>() == nullptr && point.plan.precision == 0)
      values += static_cast<double>(point.simulated()->all().size()) * static_cast<double>(point.plan.replications);
  return values * sizeof(double);
}

/// What a worker takes for a workstation while it simulates [bytes].
constexpr double kBytesPerSimulated = 400;
constexpr std::size_t kManySimulated = 100'000;

void require_memory_to_run(const Experiment& experiment) {
  if (const double bytes = kept_bytes(experiment); bytes > 1e6)
    require_memory(bytes, "keeping each replication's time, as these metrics do,");
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
  bool is_bounded = true;   ///< every batch has a time-out
};

LeastTime least_time(const Experiment& experiment) {
  LeastTime time;
  double most_s = 0;
  for (std::size_t p = 0; p < experiment.points.size(); ++p) {
    const double cost_s = least_cost_s(experiment.points[p]);
    time.all_s += cost_s;
    time.is_bounded &= cost_s == 0 || experiment.points[p].plan.timeout_s > 0;
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
