// What a plan says: which policy, how surely the deadline holds, how splits were found, which machines.
#include "experiments/driver/studies/plan_report.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/series_estimates.hpp"

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

/// On which machines, by which policy, how surely the deadline holds, or how long it takes.
std::string verdict(const PlanReport& r, const Alternative& plan) {
  const std::string machines = advised_machines(r);
  const std::string how =
      (machines.empty() ? "Split" : "Use " + machines + " and split") + " the work by '" + plan.name() + "': ";
  if (!r.request.deadline_s) return how + "it takes " + duration_text(plan.tau().value) + " on average.";
  if (plan.late().value < 1)
    return how + "the deadline of " + deadline_of(r) + " holds with probability " + kept_text(plan.late()) + ".";
  return "The deadline of " + deadline_of(r) + " does not hold: even " +
         (machines.empty() ? "" : "on " + machines + " ") + "by '" + plan.name() + "' its probability is " +
         kept_text(plan.late()) + "; the job takes " + duration_text(plan.tau().value) + " on average.";
}

/// The others, grouped by what can be said of them.
std::vector<std::string> about_rivals(const PlanReport& r) {
  if (r.machines && r.machines->advised) return {};  // they are about all machines
  Words same, alike, slower, faster;
  for (const Rival& rival : r.advice.rivals) {
    const std::string& name = r.plans[rival.index].name();
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
std::string about_risk(const Alternative& best, double risk) {
  const std::string wanted = "The risk of " + percent_text(risk);
  if (best.late().high <= risk) return wanted + " is kept.";
  if (best.late().low > risk) return wanted + " is exceeded.";
  return wanted + " may be kept or not: RF is " + percent_text(best.late()) + "; more replications, or longer recordings, would tell.";
}

/// Of one that is picked among all policies; fewer machines are measured anew.
double confidence_of(const PlanReport& r, const Alternative& plan) {
  return r.machines && r.machines->advised ? plan.plan.confidence : promise_confidence(r.plans.size(), plan.plan.confidence);
}

std::string about_promise(const Alternative& plan, double risk, double confidence) {
  const Estimate& t = *plan.safe_deadline;
  if (!std::isfinite(t.high)) {
    const double beyond = 0.5 * (1 - confidence);
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

std::string about_work(const PlanReport& r, const Alternative& plan) {
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
  const auto what = [&](const Alternative& plan) {
    if (r.request.deadline_s) return kept_text(plan.late());
    return duration_text(is_promise && std::isfinite(plan.safe_deadline->high) ? plan.safe_deadline->high : plan.tau().value);
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

/// A difference between values of an objective, in its unit.
std::string difference_text(const SplitObjective& objective, const Estimate& e) {
  if (objective.kind == SplitObjective::Kind::risk) return points_text(e);
  return time_text(e, column_unit(e.value));
}

std::string objective_name(const SplitObjective& objective) {
  return objective.kind == SplitObjective::Kind::risk       ? "RF at " + duration_text(objective.deadline_s)
         : objective.kind == SplitObjective::Kind::quantile ? "the " + objective_text(objective)
                                                            : objective_text(objective);
}

/// What no split whatever is below, and how far that is from this one.
std::string about_bound(const SplitReport& report, const SearchRecord& search) {
  if (!search.bound)
    return "Nothing is known that bounds all splits of this job: how far this one is from the best cannot be told.";
  const bool is_risk = report.objective.kind == SplitObjective::Kind::risk;
  const SplitBound& bound = *search.bound;
  const std::string with = ", with " + short_number(100 * report.confidence) + " % confidence";
  const std::string low = is_risk ? rough_text(100 * bound.low) + " %" : duration_text(bound.low);
  const std::string of_all =
      bound.low > 0 ? "Of no split at all is " + objective_name(report.objective) + " less than " + low + with + "; "
                    : "";
  const std::string of_this = of_all.empty() ? "This split is" : "this one is", end = of_all.empty() ? with : "";
  if (std::isnan(bound.gap))
    return of_all + "how far " + of_this + " from the best cannot be told with as few replications.";
  const double share = is_risk ? bound.gap : bound.gap / report.after.value;
  constexpr double kThere = 1e-6, kWide = 0.02;
  if (share < kThere) return of_all + of_this + " the best" + end + ".";
  return of_all + of_this + " above the best by at most " + rough_text(100 * share) + (is_risk ? " points" : " %") +
         end +
         (share > kWide ? ", but where chance is large no split comes near that bound: it may well be the best." : ".");
}

/// @param stretches of recordings that the plan's replications see, which do not overlap: intervals are of so many.
std::string about_search(const SplitReport& report, const SearchRecord& search, double stretches) {
  const std::string found = "'optimal' minimises " + objective_name(report.objective) + ": " +
                            std::to_string(search.evaluations) + " splits tried";
  const Estimate gain = of_stretches(search.improvement, stretches, report.replications, false, report.confidence);
  const std::string than = " '" + search.best_other + "', the best of the others";
  const bool are_few = stretches < static_cast<double>(report.replications);
  const std::string end = !search.is_bounded ? "."
                          : are_few          ? ". How far it is from the best, what was recorded is too short to tell."
                                             : ". " + about_bound(report, search);
  if (!is_apart_from_zero(gain)) return found + "; on fresh random numbers it cannot be told from" + than + end;
  return found + "; on fresh random numbers " + (gain.value > 0 ? "less" : "more") + " by " +
         difference_text(report.objective, size_of(gain)) + " than by" + than + end;
}

/// The quantile at the risk that was given.
const Estimate& quantile_of(const SizedChoice& choice) { return *choice.plan.safe_deadline; }

/// "RF by 1.2 ± 0.3 points", "tau by 3.1 ± 0.2 min"; nothing where it cannot be told.
Words gains_of(const MachineChoice& m, double risk) {
  Words out;
  const auto sign = [](const Estimate& e) { return e.value > 0 ? "lowers" : "raises"; };
  if (is_apart_from_zero(m.late_less))
    out.push_back(std::string(sign(m.late_less)) + " RF by " + points_text(size_of(m.late_less)));
  if (is_apart_from_zero(m.takes_less)) {
    out.push_back(std::string(sign(m.takes_less)) + " tau by " +
                  time_text(size_of(m.takes_less), column_unit(m.by_size.back().plan.tau().value)));
  }
  if (m.objective != SetObjective::tau && m.by_size[m.chosen].plan.safe_deadline &&
      quantile_of(m.by_size[m.chosen]).high < quantile_of(m.by_size.back()).low)
    out.push_back("lowers the " + percent_text(1 - risk) + " quantile of T from " +
                  duration_text(quantile_of(m.by_size.back()).value) + " to " +
                  duration_text(quantile_of(m.by_size[m.chosen]).value));
  return out;
}

std::string how_searched(const MachineChoice& m) {
  return std::to_string(m.sets_tried) +
         (m.is_exhaustive ? " sets of machines tried (all that differ)" : " sets of machines tried") + ", split by '" +
         m.policy + "', judged by " + objective_text(m.objective) + "; seed " +
         std::to_string(m.search_seed) + ". What is said of them is measured anew: seed " + std::to_string(m.seed) +
         ".";
}

/// The recommended policy on the chosen machines and on all.
std::string about_recommended(const PlanReport& r, const Alternative& on_some) {
  const Alternative& on_all = r.plans[*r.advice.best];
  const ColumnUnit unit = column_unit(on_all.tau().value);
  const auto tau = [&](const Alternative& p) { return time_text(p.tau(), unit); };
  std::string out = "Split by '" + on_some.name() + "', which takes too long to search by, tau is " + tau(on_some) +
                    " on these and " + tau(on_all) + " on all";
  if (r.request.deadline_s) out += ", RF " + percent_text(on_some.late()) + " and " + percent_text(on_all.late());
  return out + ".";
}

/// What the search found, which is advised or not.
std::string about_choice(const PlanReport& r) {
  const MachineChoice& m = *r.machines;
  const Words &all = m.by_size.back().machines, &chosen = m.by_size[m.chosen].machines;
  const std::string by = "Split by '" + m.policy + "', ";
  if (m.rejected) return by + "the best set of fewer machines that the search found is worse on fresh random numbers.";
  if (m.takes_all()) return by + "no set of fewer machines that was tried is better.";
  const std::string some = std::to_string(chosen.size()) + " of the " + std::to_string(all.size()) + " machines (" +
                           machines_text(chosen, all) + ")";
  const Words gains = gains_of(m, r.request.risk.value_or(0));
  const std::string beside = gains.empty() ? some + " cannot be told from all" : "taking " + some + " " + joined(gains);
  if (m.advised || gains.empty()) return by + beside + ".";
  return by + beside + "; but '" + r.plans[*r.advice.best].name() + "' on all machines is as good as that or better.";
}

/// How splits were found that took simulation.
std::vector<std::string> about_splits(const PlanReport& r) {
  std::vector<std::string> out;
  for (const auto& plan : r.plans) {
    if (!plan.row.split) continue;
    const SplitReport& report = *plan.row.split;
    const auto& statistics = plan.statistics;
    if (report.search && statistics)
      out.push_back(about_search(report, *report.search, independent_stretches(*plan.scenario, statistics->makespan_s)));
    if (report.second_step && report.second_step->is_kept_out)
      out.push_back("'" + plan.name() + "' keeps the split in proportion: moving work as it wants would lengthen tau.");
  }
  return out;
}

}  // namespace

const Alternative& advised_plan(const PlanReport& r) {
  return r.machines && r.machines->advised ? *r.machines->advised : r.plans[*r.advice.best];
}

std::vector<std::string> promise_sentences(const PlanRequest& request, const Alternative& advised, double confidence) {
  std::vector<std::string> out;
  if (request.risk && request.deadline_s) out.push_back(about_risk(advised, *request.risk));
  if (request.risk) out.push_back(about_promise(advised, *request.risk, confidence));
  return out;
}

namespace {

/// Of the policy that is advised, and of the others beside it.
std::vector<std::string> about_advised(const PlanReport& r) {
  const Alternative& plan = advised_plan(r);
  std::vector<std::string> out{verdict(r, plan)};
  for (auto& sentence : about_rivals(r)) out.push_back(std::move(sentence));
  for (auto& sentence : promise_sentences(r.request, plan, confidence_of(r, plan))) out.push_back(std::move(sentence));
  if (r.request.risk && plan.most_work) out.push_back(about_work(r, plan));
  for (auto& sentence : about_intervals(r)) out.push_back(std::move(sentence));
  return out;
}

}  // namespace

std::vector<std::string> advice_sentences(const PlanReport& r) {
  std::vector<std::string> out = r.advice.best ? about_advised(r) : Words{"No policy could be simulated."};
  for (auto& sentence : about_splits(r)) out.push_back(std::move(sentence));
  return out;
}

std::string machines_text(const Words& some, const Words& all) {
  constexpr std::size_t kMost = 60;
  if (some.size() == all.size()) return "all";
  Words others;
  for (const auto& name : all)
    if (!contains(some, name)) others.push_back(name);
  const std::string with = joined(some), without = "all but " + joined(others);
  const std::string& text = others.size() < some.size() ? without : with;
  return text.size() <= kMost ? text : text.substr(0, text.rfind(',', kMost)) + ", ...";
}

std::vector<std::string> machine_sentences(const PlanReport& r) {
  const MachineChoice& m = *r.machines;
  std::vector<std::string> out{about_choice(r)};
  if (m.by_recommended && m.by_recommended->is_complete()) out.push_back(about_recommended(r, *m.by_recommended));
  out.push_back(how_searched(m));
  return out;
}

}  // namespace nowsim
