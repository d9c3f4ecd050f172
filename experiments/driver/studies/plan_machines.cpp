// What a plan says of how splits were found, and of machines.
#include <algorithm>
#include <cmath>

#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

/// A difference between values of an objective, in its unit.
std::string difference_text(const SplitObjective& objective, const Estimate& e) {
  if (objective.kind == SplitObjective::Kind::risk) return points_text(e);
  const ColumnUnit unit = column_unit(e.value);
  return estimate_text(in_unit(e, unit.seconds)) + " " + unit.name;
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
  const Estimate size = gain.value < 0 ? Estimate{-gain.value, -gain.high, -gain.low} : gain;
  return found + "; on fresh random numbers " + (gain.value > 0 ? "less" : "more") + " by " +
         difference_text(report.objective, size) + " than by" + than + end;
}

/// The quantile at the risk that was given.
const Estimate& quantile_of(const SizedChoice& choice) { return *choice.plan.safe_deadline; }

/// "RF by 1.2 ± 0.3 points", "tau by 3.1 ± 0.2 min"; nothing where it cannot be told.
Words gains_of(const MachineChoice& m, double risk) {
  Words out;
  const auto sign = [](const Estimate& e) { return e.value > 0 ? "lowers" : "raises"; };
  const auto size = [](const Estimate& e) { return e.value > 0 ? e : Estimate{-e.value, -e.high, -e.low}; };
  if (is_apart_from_zero(m.late_less))
    out.push_back(std::string(sign(m.late_less)) + " RF by " + points_text(size(m.late_less)));
  if (is_apart_from_zero(m.takes_less)) {
    const ColumnUnit unit = column_unit(m.by_size.back().plan.tau.value);
    out.push_back(std::string(sign(m.takes_less)) + " tau by " +
                  estimate_text(in_unit(size(m.takes_less), unit.seconds)) + " " + unit.name);
  }
  if (m.objective != SetObjective::tau && m.by_size[m.chosen].plan.safe_deadline &&
      quantile_of(m.by_size[m.chosen]).high < quantile_of(m.by_size.back()).low)
    out.push_back("lowers the " + percent_text(1 - risk) + " quantile of T from " +
                  duration_text(quantile_of(m.by_size.back()).value) + " to " +
                  duration_text(quantile_of(m.by_size[m.chosen]).value));
  return out;
}

std::string how_searched(const MachineChoice& m) {
  static const std::vector<std::string> objectives{"RF", "the quantile of T at the risk", "tau"};
  return std::to_string(m.sets_tried) +
         (m.is_exhaustive ? " sets of machines tried (all that differ)" : " sets of machines tried") + ", split by '" +
         m.policy + "', judged by " + objectives[static_cast<std::size_t>(m.objective)] + "; seed " +
         std::to_string(m.search_seed) + ". What is said of them is measured anew: seed " + std::to_string(m.seed) +
         ".";
}

/// The recommended policy on the chosen machines and on all.
std::string about_recommended(const PlanReport& r, const PolicyPlan& on_some) {
  const PolicyPlan& on_all = r.plans[*r.advice.best];
  const ColumnUnit unit = column_unit(on_all.tau.value);
  const auto tau = [&](const PolicyPlan& p) { return estimate_text(in_unit(p.tau, unit.seconds)) + " " + unit.name; };
  std::string out = "Split by '" + on_some.policy + "', which takes too long to search by, tau is " + tau(on_some) +
                    " on these and " + tau(on_all) + " on all";
  if (r.request.deadline_s) out += ", RF " + percent_text(on_some.late) + " and " + percent_text(on_all.late);
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
  return by + beside + "; but '" + r.plans[*r.advice.best].policy + "' on all machines is as good as that or better.";
}

}  // namespace

std::vector<std::string> split_sentences(const PlanReport& r) {
  std::vector<std::string> out;
  for (const auto& plan : r.plans) {
    if (!plan.split_report) continue;
    const SplitReport& report = *plan.split_report;
    const auto& statistics = plan.outcome.statistics;
    if (report.search && statistics)
      out.push_back(about_search(report, *report.search, independent_stretches(*plan.scenario, statistics->makespan_s)));
    if (report.second_step && report.second_step->is_kept_out)
      out.push_back("'" + plan.policy + "' keeps the split in proportion: moving work as it wants would lengthen tau.");
  }
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
