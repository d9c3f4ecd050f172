// Estimates of a plan's policies, and comparisons between them.
#include "experiments/plan_results.hpp"

#include <algorithm>
#include <limits>

#include "sim/paired.hpp"
#include "sim/quantiles.hpp"

namespace nowsim {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Estimate kUnknown{kNaN, kNaN, kNaN};

std::size_t unit_of(const PolicyPlan& p) { return static_cast<std::size_t>(p.plan.variance_reduction->unit()); }

/// How another policy compares with the recommended one, or with the one of the least risk.
Rival compared(const std::vector<PolicyPlan>& plans, std::size_t other, std::size_t with, double confidence) {
  const PolicyPlan &a = plans[other], &b = plans[with];
  Rival rival{other, kUnknown, paired_difference(a.makespans_s(), b.makespans_s(), confidence, unit_of(a)), false,
              false};
  if (a.plan.deadline_s > 0)
    rival.late_more =
        paired_late_difference(a.makespans_s(), b.makespans_s(), a.plan.deadline_s, confidence, unit_of(a));
  rival.is_riskier = rival.late_more.low > 0;
  rival.is_slower = rival.takes_more.low > 0;
  return rival;
}

}  // namespace

std::vector<PlanColumn> plan_columns() {
  return {{"tau", "s", &PolicyPlan::tau},  {"sigma_T", "s", &PolicyPlan::sigma}, {"T_50", "s", &PolicyPlan::median},
          {"T_90", "s", &PolicyPlan::t90}, {"T_99", "s", &PolicyPlan::t99},      {"RF", "", &PolicyPlan::late}};
}

PolicyPlan policy_plan(const std::string& policy, const Point& point, const PointOutcome& outcome,
                       const PlanRequest& request) {
  PolicyPlan out{policy,   point.scenario, point.plan, point.split_report, outcome, kUnknown, kUnknown,
                 kUnknown, kUnknown,       kUnknown,   kUnknown,           {},      {}};
  if (!out.is_complete()) return out;
  const MetricContext context{point.scenario.get(), point.plan.deadline_s, point.plan.confidence, nullptr};
  for (const auto& column : plan_columns()) {
    const Metric& metric = *find_metric(column.name);
    if (metric.needs_deadline && !request.deadline_s) continue;
    out.*column.estimate = metric.estimate(context, *outcome.statistics).front();
  }
  if (request.risk)
    out.safe_deadline = quantile_estimate(out.makespans_s(), 1 - *request.risk, point.plan.confidence, unit_of(out));
  return out;
}

std::vector<PolicyPlan> policy_plans(const Experiment& experiment, const std::vector<PointOutcome>& outcomes,
                                     const PlanRequest& request) {
  std::vector<PolicyPlan> plans;
  for (std::size_t p = 0; p < experiment.points.size(); ++p)
    plans.push_back(policy_plan(experiment.points[p].values.front(), experiment.points[p], outcomes[p], request));
  return plans;
}

PlanAdvice advise(const std::vector<PolicyPlan>& plans, const PlanRequest& request) {
  std::vector<std::size_t> complete;
  for (std::size_t p = 0; p < plans.size(); ++p)
    if (plans[p].is_complete()) complete.push_back(p);
  PlanAdvice advice;
  if (complete.empty()) return advice;
  const double level = plans[complete.front()].plan.confidence;
  const double of_each = 1 - (1 - level) / static_cast<double>(std::max<std::size_t>(1, complete.size() - 1));
  advice.confidence = level;
  const auto tau = [&](std::size_t p) { return plans[p].tau.value; };
  std::vector<std::size_t> safest = complete;
  if (request.deadline_s) {
    const std::size_t least =
        *std::ranges::min_element(complete, {}, [&](std::size_t p) { return std::pair(plans[p].late.value, tau(p)); });
    std::erase_if(safest, [&](std::size_t p) { return compared(plans, p, least, of_each).is_riskier; });
  }
  advice.best = *std::ranges::min_element(safest, {}, tau);
  for (const std::size_t p : complete)
    if (p != *advice.best) advice.rivals.push_back(compared(plans, p, *advice.best, of_each));
  return advice;
}

}  // namespace nowsim
