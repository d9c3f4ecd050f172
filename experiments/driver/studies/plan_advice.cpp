// Sentences of advice.
#include <cmath>

#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/program/scenario.hpp"
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

/// "3 of the 4 machines (all but snail)"; "" where nobody asked which machines to use.
std::string advised_machines(const PlanReport& r) {
  if (!r.machines) return "";
  const Words& all = r.machines->by_size.back().machines;
  if (!r.machines->advised) return all.size() == 2 ? "both machines" : "all " + std::to_string(all.size()) + " machines";
  const Words& some = r.machines->by_size[r.machines->chosen].machines;
  return std::to_string(some.size()) + " of the " + std::to_string(all.size()) + " machines (" +
         machines_text(some, all) + ")";
}

std::string probability_text(const Estimate& late) {
  return percent_text(Estimate{1 - late.value, 1 - late.high, 1 - late.low});
}

/// On which machines, by which policy, how surely the deadline holds, or how long it takes.
std::string verdict(const PlanReport& r, const PolicyPlan& plan) {
  const std::string machines = advised_machines(r);
  const std::string how =
      (machines.empty() ? "Split" : "Use " + machines + " and split") + " the work by '" + plan.policy + "': ";
  if (!r.request.deadline_s) return how + "it takes " + duration_text(plan.tau.value) + " on average.";
  if (plan.late.value < 1)
    return how + "the deadline of " + deadline_of(r) + " holds with probability " + probability_text(plan.late) + ".";
  return "The deadline of " + deadline_of(r) + " does not hold: even " +
         (machines.empty() ? "" : "on " + machines + " ") + "by '" + plan.policy + "' its probability is " +
         probability_text(plan.late) + "; the job takes " + duration_text(plan.tau.value) + " on average.";
}

/// The others, grouped by what can be said of them.
std::vector<std::string> about_rivals(const PlanReport& r) {
  if (r.machines && r.machines->advised) return {};  // they are about all machines
  Words same, alike, slower, faster;
  for (const Rival& rival : r.advice.rivals) {
    const std::string& name = r.plans[rival.policy].policy;
    if (rival.takes_more.value == 0 && rival.takes_more.half_width() == 0)
      same.push_back(name);
    else if (rival.takes_more.high < 0 && !rival.is_riskier && r.request.risk && !r.request.deadline_s)
      faster.push_back(name);
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
  if (!faster.empty())
    out.push_back(in_quotes(faster) + (faster.size() == 1 ? " takes" : " take") +
                  " less on average, but no earlier time can be promised.");
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
  return wanted + " may be kept or not: RF is " + percent_text(best.late) + "; more replications, or longer recordings, would tell.";
}

/// Of one that is picked among all policies; fewer machines are measured anew.
double confidence_of(const PlanReport& r, const PolicyPlan& plan) {
  return r.machines && r.machines->advised ? plan.plan.confidence : promise_confidence(r.request, plan.plan.confidence);
}

std::string about_promise(const PlanReport& r, const PolicyPlan& plan) {
  const double risk = *r.request.risk;
  const Estimate& t = *plan.safe_deadline;
  if (!std::isfinite(t.high)) {
    const double beyond = 0.5 * (1 - confidence_of(r, plan));
    // Replications of one draw of measured owners may be all late, or none.
    const double wanted = std::ceil(portable::log(beyond) / portable::log1p(-risk)) *
                          std::max(1.0, static_cast<double>(replications_per_draw(*plan.scenario)));
    return "No time can be promised at a risk of " + percent_text(risk) + " after so few replications: it takes " +
           (replications_per_draw(*plan.scenario) > 0 ? "up to " : "") + format_quantity(wanted, Dimension::count) + ".";
  }
  return "At a risk of " + percent_text(risk) + " promise " + duration_text(t.high) + ": the job is done within " +
         duration_text(t.value) + " [" + duration_text(t.low) + ", " + duration_text(t.high) + "] with probability " +
         percent_text(1 - risk) + ".";
}

std::string about_work(const PlanReport& r, const PolicyPlan& plan) {
  const WorkLimit& most = *plan.most_work;
  const std::string by = " by " + deadline_of(r) + " at a risk of " + percent_text(*r.request.risk);
  if (most.work_flop.low <= 0) return "How much work fits" + by + " cannot be told, or none does.";
  const std::string least = amount_text(r.request, most.work_flop.low);
  if (most.late.low > *r.request.risk)
    return "How much work fits" + by + " is not sure: " + least +
           " seemed to fit, but tried on other random numbers RF is " + percent_text(most.late) +
           "; more replications, or longer recordings, would tell.";
  const auto amount = [&](double flop) { return amount_text(r.request, flop); };
  return least + " fit" + by + ", split so (the limit is " + amount(most.work_flop.value) + " [" +
         amount(most.work_flop.low) + ", " + amount(most.work_flop.high) + "] at " +
         percent_text(confidence_of(r, plan)) + " confidence); tried on other random numbers, RF is " +
         percent_text(most.late) + ".";
}

/// What becomes of the plan where owners' intervals last otherwise.
std::vector<std::string> about_intervals(const PlanReport& r) {
  const bool is_promise = r.request.risk && !r.request.deadline_s;
  const auto what = [&](const PolicyPlan& plan) {
    if (r.request.deadline_s) return probability_text(plan.late);
    return duration_text(is_promise && std::isfinite(plan.safe_deadline->high) ? plan.safe_deadline->high : plan.tau.value);
  };
  std::string others;
  for (const auto& [interval_s, plan] : r.by_interval)
    if (plan.is_complete())
      others += (others.empty() ? "" : ", and ") + what(plan) + " where it is " + duration_text(interval_s) +
                (interval_s == kSessionOfPeople_s ? ", a guess at people's sessions" : "");
  if (others.empty()) return {};
  const std::string of = r.request.deadline_s ? "the deadline holds with probability " : is_promise ? "the promise is " : "tau is ";
  return {"The answer hangs on how long owners leave a machine as it is, " +
          duration_text(r.begun->owners.front()->renewal()->mean_length_s) + " on average here: " + of + others + "."};
}

}  // namespace

const PolicyPlan& advised_plan(const PlanReport& r) {
  return r.machines && r.machines->advised ? *r.machines->advised : r.plans[*r.advice.best];
}

std::vector<std::string> advice_sentences(const PlanReport& r) {
  if (!r.advice.best) return {"No policy could be simulated."};
  const PolicyPlan& plan = advised_plan(r);
  std::vector<std::string> out{verdict(r, plan)};
  for (auto& sentence : about_rivals(r)) out.push_back(std::move(sentence));
  if (r.request.risk && r.request.deadline_s) out.push_back(about_risk(r, plan));
  if (r.request.risk) out.push_back(about_promise(r, plan));
  if (r.request.risk && plan.most_work) out.push_back(about_work(r, plan));
  for (auto& sentence : about_intervals(r)) out.push_back(std::move(sentence));
  return out;
}

}  // namespace nowsim
