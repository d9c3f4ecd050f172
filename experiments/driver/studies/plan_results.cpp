// Estimates of a plan's policies, and comparisons between them.
#include "experiments/driver/studies/plan_results.hpp"

#include <algorithm>

#include "sim/metrics/metrics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/input_uncertainty.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

std::size_t unit_of(const PolicyPlan& p) {
  return static_cast<std::size_t>(dependent_replications(*p.scenario));
}

/// How another policy compares with the recommended one, or with the one of the least risk.
Rival compared(const std::vector<PolicyPlan>& plans, std::size_t other, std::size_t with, double confidence) {
  const PolicyPlan &a = plans[other], &b = plans[with];
  const Estimate takes_more = combined_with_fits(paired_difference(a.tau, b.tau, confidence), confidence);
  Rival rival{other, kUnknownEstimate, takes_more, false, false};
  if (a.plan.deadline_s > 0)
    rival.late_more =
        paired_late_difference(a.makespans_s(), b.makespans_s(), a.plan.deadline_s, confidence, unit_of(a));
  rival.is_riskier = rival.late_more.low > 0;
  constexpr double kRounding = 1e-9;
  rival.is_slower = rival.takes_more.low > kRounding * b.tau.value;
  return rival;
}

}  // namespace

std::vector<PlanColumn> plan_columns() {
  return {{"tau", "s", &PolicyPlan::tau},  {"sigma_T", "s", &PolicyPlan::sigma}, {"T_50", "s", &PolicyPlan::median},
          {"T_90", "s", &PolicyPlan::t90}, {"T_99", "s", &PolicyPlan::t99},      {"RF", "", &PolicyPlan::late}};
}

double level_of_each(double level, std::size_t compared, bool by_risk_too) {
  const std::size_t pairs = std::max<std::size_t>(1, compared * (compared - 1) / 2);
  return 1 - (1 - level) / static_cast<double>(by_risk_too ? 2 * pairs : pairs);
}

double promise_confidence(const PlanRequest& request, double confidence) {
  return 1 - (1 - confidence) / static_cast<double>(std::max<std::size_t>(1, request.policies.size()));
}

PolicyPlan policy_plan(const std::string& policy, const Point& point, const PointOutcome& outcome,
                       const PlanRequest& request, double safe_deadline_confidence) {
  const auto* ready = point.as<ReadyPoint>();
  PolicyPlan out{policy, point.scenario(), point.plan, ready != nullptr ? ready->split_report : nullptr, outcome,
                 kUnknownEstimate, kUnknownEstimate, kUnknownEstimate, kUnknownEstimate, kUnknownEstimate,
                 kUnknownEstimate, {}, {}};
  if (!out.is_complete()) return out;
  const MetricContext context{point.scenario().get(), point.plan.deadline_s, point.plan.confidence, nullptr};
  for (const auto& column : plan_columns()) {
    const Metric& metric = *find_metric(column.name);
    if (metric.needs_deadline && !request.deadline_s) continue;
    out.*column.estimate = metric_estimates(metric, context, *outcome.statistics).front();
  }
  if (request.risk)
    out.safe_deadline =
        of_stretches(quantile_estimate(out.makespans_s(), 1 - *request.risk, safe_deadline_confidence, unit_of(out)),
                     independent_stretches(*out.scenario, outcome.statistics->makespan_s), out.makespans_s().size(),
                     true, safe_deadline_confidence);
  return out;
}

std::vector<PolicyPlan> policy_plans(const Experiment& experiment, const std::vector<PointOutcome>& outcomes,
                                     const PlanRequest& request) {
  std::vector<PolicyPlan> plans;
  for (std::size_t p = 0; p < experiment.points.size(); ++p) {
    const Point& point = experiment.points[p];
    plans.push_back(policy_plan(point.values.front(), point, outcomes[p], request,
                                promise_confidence(request, point.plan.confidence)));
  }
  return plans;
}

std::shared_ptr<const Scenario> begun_scenario(const PlanRequest& request, const PolicyPlan& plan,
                                               const Registries& registries) {
  PlanRequest plain = about_policy(request, *registries.policies.find("proportional"));
  plain.is_exact = true;
  plain.options.overrides.push_back("run.variance_reduction=none");
  Scenario begun = *plan.scenario;
  begun.owners = plan_experiment(plain, registries).points.front().scenario()->owners;
  return std::make_shared<const Scenario>(std::move(begun));
}

PlanAdvice advise(const std::vector<PolicyPlan>& plans, const PlanRequest& request) {
  std::vector<std::size_t> complete;
  for (std::size_t p = 0; p < plans.size(); ++p)
    if (plans[p].is_complete()) complete.push_back(p);
  PlanAdvice advice;
  if (complete.empty()) return advice;
  const double level = plans[complete.front()].plan.confidence;
  const double of_each = level_of_each(level, complete.size(), request.deadline_s.has_value());
  advice.confidence = level;
  advice.of_each = of_each;
  const auto tau = [&](std::size_t p) { return plans[p].tau.value; };
  std::vector<std::size_t> safest = complete;
  if (request.deadline_s) {
    const std::size_t least =
        *std::ranges::min_element(complete, {}, [&](std::size_t p) { return std::pair(plans[p].late.value, tau(p)); });
    std::erase_if(safest, [&](std::size_t p) { return compared(plans, p, least, of_each).is_riskier; });
  }
  const bool is_by_promise = request.risk && !request.deadline_s;
  advice.best = *std::ranges::min_element(safest, {}, [&](std::size_t p) {
    return std::pair(is_by_promise ? plans[p].safe_deadline->value : 0.0, tau(p));
  });
  for (const std::size_t p : complete)
    if (p != *advice.best) advice.rivals.push_back(compared(plans, p, *advice.best, of_each));
  return advice;
}

}  // namespace nowsim
