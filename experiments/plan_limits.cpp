// Points for other amounts of work, and running them.
#include "experiments/plan_limits.hpp"

#include <numeric>
#include <utility>

#include "sim/control_variates.hpp"
#include "sim/error.hpp"

namespace nowsim {
namespace {

/// The request's job with another amount of work, split in the given proportions.
Point point_with(const PlanRequest& request, const WorkloadRegistry& workloads, const std::vector<double>& shares,
                 double work_flop, std::uint64_t seed) {
  PlanRequest other = request;
  other.work_flop = work_flop;
  other.policies = {"proportional"};  // which refuses no machines; its shares are replaced
  Point point = plan_experiment(other, workloads).points.front();
  Scenario scenario = *point.scenario;
  scenario.seed = point.plan.seed = seed;
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (std::size_t i = 0; i < shares.size(); ++i) scenario.share_flop[i] = shares[i] * (work_flop / all);
  if (scenario.controls) scenario.controls = std::make_shared<const ControlVariates>(scenario);
  point.scenario = std::make_shared<const Scenario>(std::move(scenario));
  return point;
}

}  // namespace

PointOutcome run_point(const Point& point, int jobs) {
  Experiment one;
  one.metrics = {find_metric("tau"), find_metric("T_50")};
  one.points = {point};
  PointOutcome outcome = run_experiment(one, jobs, nullptr).front();
  if (!outcome.failure.empty()) throw RunError(outcome.failure);
  return outcome;
}

void find_work_limits(std::vector<PolicyPlan>& plans, const PlanRequest& request, const WorkloadRegistry& workloads,
                      int jobs, const std::function<void(const std::string&)>& on_run) {
  if (!request.deadline_s || !request.risk) return;
  for (PolicyPlan& plan : plans) {
    if (!plan.is_complete()) continue;
    const auto point_of = [&](double work_flop, std::uint64_t seed) {
      return point_with(request, workloads, plan.scenario->share_flop, work_flop, seed);
    };
    const auto statistics_of = [&](const Point& point) {
      on_run(plan.policy);
      return run_point(point, jobs).statistics;
    };
    plan.most_work = most_work(point_of, statistics_of, request.work_flop, *request.risk, plan.plan);
  }
}

}  // namespace nowsim
