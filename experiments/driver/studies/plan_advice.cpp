// Sentences of advice.
#include <cmath>

#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/plan_text.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/program/measured_scenario.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

/// "'a' and 'b'".
std::string in_quotes(const Words& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
  return out;
}

std::string deadline_of(const PlanReport& r) { return duration_text(*r.request.deadline_s); }

/// How surely the best policy holds the deadline, or how long it takes.
std::string verdict(const PlanReport& r, const PolicyPlan& best) {
  if (!r.request.deadline_s)
    return "Split the work by '" + best.policy + "': it takes " + duration_text(best.tau.value) + " on average.";
  const Estimate holds{1 - best.late.value, 1 - best.late.high, 1 - best.late.low};
  if (holds.value > 0)
    return "Split the work by '" + best.policy + "': the deadline of " + deadline_of(r) + " holds with probability " +
           percent_text(holds) + ".";
  return "The deadline of " + deadline_of(r) + " does not hold: even by '" + best.policy + "' its probability is " +
         percent_text(holds) + "; the job takes " + duration_text(best.tau.value) + " on average.";
}

/// The others, grouped by what can be said of them.
std::vector<std::string> about_rivals(const PlanReport& r) {
  Words same, alike, slower;
  for (const Rival& rival : r.advice.rivals) {
    const std::string& name = r.plans[rival.policy].policy;
    if (rival.takes_more.value == 0 && rival.takes_more.half_width() == 0)
      same.push_back(name);
    else if (!rival.can_be_told())
      alike.push_back(name);
    else if (!rival.is_riskier && r.request.deadline_s)
      slower.push_back(name);
  }
  const auto is_or_are = [](const Words& words) { return words.size() == 1 ? " is" : " are"; };
  std::vector<std::string> out;
  if (!same.empty()) out.push_back(in_quotes(same) + is_or_are(same) + " the same here.");
  if (!alike.empty())
    out.push_back(in_quotes(alike) + " cannot be told from it, neither by RF nor by tau, with as many replications.");
  if (!slower.empty())
    out.push_back(in_quotes(slower) + (slower.size() == 1 ? " takes" : " take") +
                  " longer on average, though the difference in RF is too small to be told.");
  return out;
}

/// Whether the risk is kept.
std::string about_risk(const PlanReport& r, const PolicyPlan& best) {
  const double risk = *r.request.risk;
  const std::string wanted = "The risk of " + percent_text(risk);
  if (best.late.high <= risk) return wanted + " is kept.";
  if (best.late.low > risk) return wanted + " is exceeded.";
  return wanted + " may be kept or not: RF is " + percent_text(best.late) + "; more replications would tell.";
}

/// The complete policy of which `of` is least.
template <class F>
const PolicyPlan& least(const PlanReport& r, F of) {
  const PolicyPlan* best = &r.plans[*r.advice.best];
  for (const auto& plan : r.plans)
    if (plan.is_complete() && of(plan) < of(*best)) best = &plan;
  return *best;
}

/// By the policy that allows the earliest deadline, which need not be the recommended one.
std::string about_promise(const PlanReport& r) {
  const PolicyPlan& plan = least(r, [](const PolicyPlan& p) { return p.safe_deadline->value; });
  const double risk = *r.request.risk;
  const Estimate& t = *plan.safe_deadline;
  if (!std::isfinite(t.high)) {
    const double beyond = 0.5 * (1 - promise_confidence(r.request, plan.plan.confidence));
    // Replications of one draw of measured owners may be all late, or none.
    const double wanted = std::ceil(portable::log(beyond) / portable::log1p(-risk)) *
                          std::max(1.0, static_cast<double>(replications_per_draw(*plan.scenario)));
    return "No time can be promised at a risk of " + percent_text(risk) + " after so few replications: it takes " +
           (replications_per_draw(*plan.scenario) > 0 ? "up to " : "") + format_quantity(wanted, Dimension::count) + ".";
  }
  return "At a risk of " + percent_text(risk) + " promise " + duration_text(t.high) + ": by '" + plan.policy +
         "' the job is done within " + duration_text(t.value) + " [" + duration_text(t.low) + ", " +
         duration_text(t.high) + "] with probability " + percent_text(1 - risk) + ".";
}

/// By the policy that allows the most.
std::string about_work(const PlanReport& r) {
  const PolicyPlan& plan = least(r, [](const PolicyPlan& p) { return -p.most_work->work_flop.value; });
  const WorkLimit& most = *plan.most_work;
  const std::string by = " by " + deadline_of(r) + " at a risk of " + percent_text(*r.request.risk);
  if (most.work_flop.low <= 0) return "How much work fits" + by + " cannot be told, or none does.";
  const std::string least = format_quantity(most.work_flop.low, Dimension::work);
  if (most.late.low > *r.request.risk)
    return "How much work fits" + by + " is not sure: " + least + ", split by '" + plan.policy +
           "', seemed to fit, but tried on other random numbers RF is " + percent_text(most.late) +
           "; more replications would tell.";
  return least + " fit" + by + ", split by '" + plan.policy + "' (the limit is " + work_text(most.work_flop) + " at " +
         percent_text(promise_confidence(r.request, plan.plan.confidence)) +
         " confidence); tried on other random numbers, RF is " + percent_text(most.late) + ".";
}

}  // namespace

std::vector<std::string> advice_sentences(const PlanReport& r) {
  if (!r.advice.best) return {"No policy could be simulated."};
  const PolicyPlan& best = r.plans[*r.advice.best];
  std::vector<std::string> out{verdict(r, best)};
  for (auto& sentence : about_rivals(r)) out.push_back(std::move(sentence));
  if (!r.request.risk) return out;
  if (r.request.deadline_s) out.push_back(about_risk(r, best));
  out.push_back(about_promise(r));
  if (best.most_work) out.push_back(about_work(r));
  return out;
}

}  // namespace nowsim
