// Points for other amounts of work, and running them.
#include "experiments/driver/studies/plan_limits.hpp"

#include <utility>

#include "sim/base/error.hpp"
#include "sim/program/control_variates.hpp"
#include "sim/splitting/time_changes.hpp"

namespace nowsim {
namespace {

/// The request's job with another amount of work, split in the plan's proportions, and as many replications as the plan
/// has come to.
Point point_with(PlanRequest request, const Registries& registries, const PolicyPlan& plan, double work_flop,
                 std::uint64_t seed) {
  // Owners that are coarse for the plan's job are the same for one about as long; another has its own.
  const bool is_alike = work_flop > 0.5 * request.work_flop && work_flop < 2 * request.work_flop;
  const double factor = work_flop == request.work_flop ? 1 : work_flop / sum_of(plan.scenario->share_flop);
  request.work_flop = work_flop;
  Point point = plan_experiment(request, registries).points.front();
  point.plan.precision = 0;
  point.plan.replications = plan.makespans_s().size();
  const std::vector<double>& shares = plan.scenario->share_flop;
  Scenario scenario = *point.scenario();
  scenario.seed = point.plan.seed = seed;
  if (is_alike) scenario.owners = plan.scenario->owners;
  for (std::size_t i = 0; i < shares.size(); ++i) scenario.share_flop[i] = shares[i] * factor;
  if (scenario.controls) scenario.controls = std::make_shared<const ControlVariates>(scenario);
  point.state = ReadyPoint{{std::make_shared<const Scenario>(std::move(scenario)), nullptr, nullptr}};
  return point;
}

/// The policies' own runs are of the request's work.
bool is_same_run(const Point& point, const PolicyPlan& plan) {
  return point.scenario()->share_flop == plan.scenario->share_flop && point.plan.seed == plan.plan.seed;
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

void find_work_limits(std::vector<PolicyPlan>& plans, const PlanRequest& request, const Registries& registries,
                      int jobs, const std::function<void(const std::string&)>& on_run) {
  if (!request.deadline_s || !request.risk) return;
  const PlanRequest job = about_policy(request, *builtin_policies().find("proportional"));  // refuses no machines; its shares are replaced
  for (PolicyPlan& plan : plans) {
    if (!plan.is_complete()) continue;
    const auto point_of = [&](double work_flop, std::uint64_t seed) {
      return point_with(job, registries, plan, work_flop, seed);
    };
    const auto statistics_of = [&](const Point& point) {
      if (is_same_run(point, plan)) return plan.outcome.statistics;
      on_run("looking for the most work by '" + plan.policy + "'");
      return run_point(point, jobs).statistics;
    };
    RunPlan promised = plan.plan;
    promised.confidence = promise_confidence(request, plan.plan.confidence);
    plan.most_work = most_work(point_of, statistics_of, request.work_flop, *request.risk, promised);
  }
}

}  // namespace nowsim
