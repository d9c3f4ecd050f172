// What a plan says of how splits were found, and of machines.
#include <algorithm>
#include <cmath>

#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/plan_text.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/statistics/paired.hpp"

namespace nowsim {
namespace {

/// An estimate of an objective, in its unit.
std::string objective_value(const SplitObjective& objective, const Estimate& e) {
  if (objective.kind == SplitObjective::Kind::risk) return percent_text(e);
  const ColumnUnit unit = column_unit(e.value);
  return estimate_text(in_unit(e, unit.seconds)) + " " + unit.name;
}

std::string about_search(const SplitReport& report, const SearchRecord& search) {
  const bool is_risk = report.objective.kind == SplitObjective::Kind::risk;
  const std::string what =
      is_risk ? "RF at " + duration_text(report.objective.deadline_s) : objective_text(report.objective);
  const std::string found = "'optimal' minimises " + what + ": " + std::to_string(search.evaluations) + " splits tried";
  const Estimate& gain = search.improvement;
  const std::string than = " '" + search.best_other + "', the best of the others";
  if (!is_apart_from_zero(gain)) return found + "; on fresh random numbers it cannot be told from" + than + ".";
  const Estimate size = gain.value < 0 ? Estimate{-gain.value, -gain.high, -gain.low} : gain;
  return found + "; on fresh random numbers " + (gain.value > 0 ? "less" : "more") + " by " +
         objective_value(report.objective, size) + " than by" + than + ".";
}

/// The quantile at the risk that was given.
const Estimate& quantile_of(const SizedChoice& choice) { return *choice.plan.safe_deadline; }

/// "RF by 1.2 ± 0.3 %", "tau by 3.1 ± 0.2 min"; nothing where it cannot be told.
Words gains_of(const MachineChoice& m, double risk) {
  Words out;
  const auto sign = [](const Estimate& e) { return e.value > 0 ? "lowers" : "raises"; };
  const auto size = [](const Estimate& e) { return e.value > 0 ? e : Estimate{-e.value, -e.high, -e.low}; };
  if (is_apart_from_zero(m.late_less))
    out.push_back(std::string(sign(m.late_less)) + " RF by " + estimate_text(in_unit(size(m.late_less), 0.01)) +
                  " percentage points");
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

std::string about_choice(const MachineChoice& m, double risk) {
  const Words& all = m.by_size.back().machines;
  const Words& chosen = m.by_size[m.chosen].machines;
  const std::string by = "By '" + m.policy + "' use ",
                    use_all = by + "all " + std::to_string(all.size()) + " machines: ";
  if (m.rejected) return use_all + "the best set of fewer that the search found is worse on fresh random numbers.";
  if (m.takes_all()) return use_all + "the search found no set of fewer that is better.";
  const std::string use = by + std::to_string(chosen.size()) + " of the " + std::to_string(all.size()) + " machines (" +
                          machines_text(chosen, all) + ")";
  const Words gains = gains_of(m, risk);
  if (gains.empty()) return use + " or all of them: they cannot be told apart.";
  return use + ": compared with all, that " + joined(gains) + ".";
}

}  // namespace

std::vector<std::string> split_sentences(const PlanReport& r) {
  std::vector<std::string> out;
  for (const auto& plan : r.plans) {
    if (!plan.split_report) continue;
    const SplitReport& report = *plan.split_report;
    if (report.search) out.push_back(about_search(report, *report.search));
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
  std::vector<std::string> out{about_choice(m, r.request.risk.value_or(0))};
  if (m.by_recommended && m.by_recommended->is_complete()) out.push_back(about_recommended(r, *m.by_recommended));
  out.push_back(how_searched(m));
  return out;
}

}  // namespace nowsim
