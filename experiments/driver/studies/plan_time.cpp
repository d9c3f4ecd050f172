// Estimated costs of a plan's parts, added up.
#include "experiments/driver/studies/plan_time.hpp"

#include <algorithm>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

/// Runs that the most work takes (work_limit.hpp), some more than usual; each of a job about as long as the deadline.
constexpr double kRunsForMostWork = 15;

double most_work_s(const Point& point, double deadline_s) {
  const Scenario& scenario = *point.scenario();
  const double job_s = expected_time_s(scenario), run_s = estimated_cost_s(point);
  return job_s > 0 ? kRunsForMostWork * run_s * std::min(1.0, deadline_s / job_s) : 0;
}

}  // namespace

PlanTime plan_time(const Experiment& experiment, const PlanRequest& request, int jobs) {
  PlanTime time{0, 0, kInfinity, 0};
  for (const Point& point : experiment.points) {
    if (point.simulated() == nullptr) continue;
    time.whole_s += least_cost_s(point);
    if (request.deadline_s && request.risk) time.limits_s += most_work_s(point, *request.deadline_s);
    time.job_s = std::min(time.job_s, expected_time_s(*point.scenario()));
    time.replications = std::max(time.replications, point.plan.replications);
  }
  time.limits_s /= std::max(1, jobs);
  time.whole_s = time.whole_s / std::max(1, jobs) + time.limits_s;
  return time;
}

std::uint64_t replications_in_time(const PlanTime& time, double most_s) {
  if (time.whole_s <= most_s) return time.replications;
  constexpr std::uint64_t kTens = 10;
  constexpr double kMargin = 0.5;  // estimates are often off by as much
  const double share = kMargin * most_s / time.whole_s;
  const auto fit = static_cast<std::uint64_t>(share * static_cast<double>(time.replications)) / kTens * kTens;
  if (fit >= std::min(kFewestForPlan, time.replications)) return fit;
  throw InputError("this plan would take about " + rough_duration(time.whole_s) + " with " +
                   std::to_string(time.replications) + " replications, of a job that is expected to take " +
                   rough_duration(time.job_s) + " on these machines, and about " +
                   rough_duration(time.whole_s * static_cast<double>(kFewestForPlan) /
                                  static_cast<double>(time.replications)) +
                   " with the fewest that tell anything, " + std::to_string(kFewestForPlan) + "; it is given " +
                   rough_duration(most_s) + ". If that is meant, say by --at-most how long it may take");
}

}  // namespace nowsim
