// What a plan says: which policy, how surely the deadline holds, how splits were found, which machines; and its tables.
#include "experiments/driver/studies/plan_report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/statistics/input_uncertainty.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {

const Alternative* PlanReport::advised() const {
  if (machines && machines->advised) return &*machines->advised;
  return advice.best ? &plans[*advice.best] : nullptr;
}

/// One that is picked among all policies shares its level with the others; fewer machines are measured anew.
double PlanReport::confidence_of_advised() const {
  const double confidence = advised()->plan.confidence;
  return machines && machines->advised ? confidence : promise_confidence(plans.size(), confidence);
}

namespace {

/// "'a' and 'b'".
std::string in_quotes(const Words& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
  return out;
}

std::string deadline_of(const PlanReport& r) { return when_text(r.request, *r.request.deadline_s); }

/// The machines of a set in few words: "n1, n2", "all", "all but n3".
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

/// "3 of the 4 machines (all but snail)".
std::string some_of_all(const Words& some, const Words& all) {
  return std::to_string(some.size()) + " of the " + std::to_string(all.size()) + " machines (" +
         machines_text(some, all) + ")";
}

/// Likewise; "" where nobody asked which machines to use.
std::string advised_machines(const PlanReport& r) {
  if (!r.machines) return "";
  const Words& all = r.machines->by_size.back().machines;
  if (!r.machines->advised) return all.size() == 2 ? "both machines" : "all " + std::to_string(all.size()) + " machines";
  return some_of_all(r.machines->by_size[r.machines->chosen].machines, all);
}

/// On which machines, by which policy, how surely the deadline holds, or how long it takes.
std::string verdict(const PlanReport& r, const Alternative& plan) {
  const std::string machines = advised_machines(r);
  const std::string how = is_queue(r.request, plan.name())
                              ? how_to_hand_out(plan.name()) + ": "
                              : (machines.empty() ? "Split" : "Use " + machines + " and split") + " the work by '" +
                                    plan.name() + "': ";
  if (!r.request.deadline_s) return how + "it takes " + duration_text(plan.tau().value) + " on average" + also_by_clock(r.request, plan.tau().value) + ".";
  if (plan.late().value < 1)
    return how + "the deadline of " + deadline_of(r) + " holds with probability " + kept_text(plan.late()) + ".";
  return "The deadline of " + deadline_of(r) + " does not hold: even " +
         (machines.empty() ? "" : "on " + machines + " ") + "by '" + plan.name() + "' its probability is " +
         kept_text(plan.late()) + "; the job takes " + duration_text(plan.tau().value) + " on average" +
         also_by_clock(r.request, plan.tau().value) + ".";
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
  const std::string so = r.request.bag ? ", in " + std::to_string(r.request.bag->tasks) + " tasks" : ", split so";
  return least + " fit" + by + so + " (the limit is " + amount(most.work_flop.value) + " [" +
         amount(most.work_flop.low) + ", " + amount(most.work_flop.high) + "] at " +
         percent_text(r.confidence_of_advised()) + " confidence); tried on other random numbers, RF is " +
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
  const std::string some = some_of_all(chosen, all);
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

/// What comes of whole items.
std::vector<std::string> about_items(const PlanReport& r) {
  if (!r.in_items) return {};
  const std::string in = "In " + std::to_string(r.items) + (r.items == 1 ? " whole item " : " whole items ");
  std::vector<std::string> out;
  if (r.request.deadline_s)
    out.push_back(in + "the deadline holds with probability " + kept_text(r.in_items->late()) + ".");
  else if (!r.request.risk) out.push_back(in + "it takes " + duration_text(r.in_items->tau().value) + " on average.");
  if (r.request.risk && r.in_items->safe_deadline && std::isfinite(r.in_items->safe_deadline->high))
    out.push_back(in + "promise " + duration_text(r.in_items->safe_deadline->high) + " at a risk of " + percent_text(*r.request.risk) + ".");
  return out;
}

/// Of the policy that is advised, and of the others beside it.
std::vector<std::string> about_advised(const PlanReport& r) {
  const Alternative& plan = *r.advised();
  std::vector<std::string> out{verdict(r, plan)};
  if (r.request.bag)
    for (auto& sentence : about_other_kind(r.request, r.plans, r.advice)) out.push_back(std::move(sentence));
  for (auto& sentence : about_rivals(r)) out.push_back(std::move(sentence));
  for (auto& sentence : promise_sentences(r.request, plan, r.confidence_of_advised())) out.push_back(std::move(sentence));
  if (r.request.risk && plan.most_work) out.push_back(about_work(r, plan));
  for (auto& sentence : about_items(r)) out.push_back(std::move(sentence));
  for (auto& sentence : about_intervals(r)) out.push_back(std::move(sentence));
  if (r.replay)
    for (auto& sentence : replay_sentences(*r.replay, r.request)) out.push_back(std::move(sentence));
  return out;
}

}  // namespace

std::vector<std::string> advice_sentences(const PlanReport& r) {
  std::vector<std::string> out = r.advice.best ? about_advised(r) : Words{"No policy could be simulated."};
  for (auto& sentence : about_splits(r)) out.push_back(std::move(sentence));
  for (auto& sentence : clock_change_sentences(r.request, pointers_to(r.plans))) out.push_back(std::move(sentence));
  return out;
}

namespace {

/// Which machines to use, where that was asked.
std::vector<std::string> machine_sentences(const PlanReport& r) {
  const MachineChoice& m = *r.machines;
  std::vector<std::string> out{about_choice(r)};
  if (m.by_recommended && m.by_recommended->is_complete()) out.push_back(about_recommended(r, *m.by_recommended));
  out.push_back(how_searched(m));
  return out;
}

/// The machines, of any plan that has a scenario: all have the same.
std::vector<Workstation> machines_of(const PlanReport& r) {
  for (const auto& p : r.plans)
    if (p.scenario) return p.scenario->platform->workstations;
  return {};
}

// ---- for people ----------------------------------------------------------------------------------------------------

void say_title(const PlanReport& r, Answer& answer) {
  std::vector<std::string> lines{r.summary.title};
  if (const std::size_t n = machines_of(r).size(); n > 0 && !r.request.platform_file.empty())
    lines.front() += ", " + std::to_string(n) + (n == 1 ? " machine" : " machines");
  lines.front() += deadline_text(r.request);
  if (r.request.work_time_s > 0)
    lines.push_back("(a machine-hour: what one core does in an hour in which its owner leaves it alone, " +
                    format_quantity(work_unit(r.request).flop, Dimension::work) + ")");
  answer.say(std::move(lines));
}

/// "split" or "queue".
std::string kind_of(const PlanReport& r, const Alternative& plan) {
  return is_queue(r.request, plan.name()) ? "queue" : "split";
}

/// Its name, and of a bag its kind.
Fields row_head(const PlanReport& r, const Alternative& plan) {
  if (!r.request.bag) return {text_field("policy", plan.name())};
  return {text_field("kind", kind_of(r, plan)), text_field("by", plan.name())};
}

void show_estimates(const PlanReport& r, const ColumnUnit& unit, Answer& answer) {
  const auto row = [&](const Alternative& p) {
    Fields fields = row_head(r, p);
    for (std::size_t m = 0; m < plan_metrics(true).size(); ++m) {
      const auto metric = static_cast<PlanMetric>(m);
      const auto is_known = [&](const Alternative& one) { return !std::isnan(one.estimate(metric).value); };
      if (std::ranges::any_of(r.plans, is_known)) fields.push_back(estimate_field(p, metric, unit));
    }
    return fields;
  };
  answer.show(table_of(r.plans, row), r.request.bag ? 2 : 1);
}

/// What the risk allows, per policy.
void show_limits(const PlanReport& r, const ColumnUnit& unit, Answer& answer) {
  if (!r.request.risk) return;
  const bool with_work = std::ranges::any_of(r.plans, [](const auto& p) { return p.most_work.has_value(); });
  const WorkUnit of_work = work_unit(r.request);
  const auto row = [&](const Alternative& p) {
    Fields fields = row_head(r, p);
    fields.push_back(promised_field("earliest deadline", p, unit));
    if (!with_work) return fields;
    const auto part = [&p](Estimate WorkLimit::*of) { return p.most_work ? Value((*p.most_work).*of) : Value(); };
    fields.push_back({"most work", part(&WorkLimit::work_flop), kInTable, of_work.name, of_work.flop});
    fields.push_back({"RF there", part(&WorkLimit::late), kInTable, "%", 0.01});
    return fields;
  };
  TextTable table(table_head(row(r.plans.front())));
  for (const auto& p : r.plans)
    if (p.safe_deadline) table.add(table_cells(row(p)));
  std::vector<std::string> notes;
  if (with_work) notes.push_back("  (RF there: of the interval's lower end, on other random numbers)");
  if (r.plans.size() > 1)
    notes.push_back("  (limits: intervals of " + percent_text(promise_confidence(r.plans.size(), r.advice.confidence)) +
                    " each, so that all hold together)");
  answer.say({"what a risk of " + percent_text(*r.request.risk) + " allows:"});
  answer.show(std::move(table), r.request.bag ? 2 : 1);
  answer.say(std::move(notes));
}

/// What a plan gives a machine in tasks, of a bag; NaN where that is not known.
double tasks_of(const PlanReport& r, std::size_t plan, std::size_t machine) {
  const TasksDone& tasks = r.tasks[plan];
  return machine < tasks.size() ? tasks[machine] : kNotKnown;
}

/// In flop; of a queue in the mean.
double part_flop(const PlanReport& r, std::size_t plan, std::size_t machine) {
  if (r.request.bag) return tasks_of(r, plan, machine) * r.request.work_flop / static_cast<double>(r.request.bag->tasks);
  const auto& scenario = r.plans[plan].scenario;
  return scenario ? scenario->share_flop[machine] : kNotKnown;
}

/// In % of the work, or of a bag in tasks.
std::string part_text(const PlanReport& r, std::size_t plan, std::size_t machine) {
  const double part = r.request.bag ? tasks_of(r, plan, machine) : 100 * part_flop(r, plan, machine) / r.request.work_flop;
  return std::isnan(part) ? "-" : format_quantity(part, Dimension::number);
}

/// Machines and the shares that each policy gives them.
void show_split(const PlanReport& r, Answer& answer) {
  const std::vector<Workstation> machines = machines_of(r);
  if (machines.empty()) return;
  const std::vector<MachineView> views = machine_views(*r.begun);
  const auto number = [](double value) { return format_quantity(value, Dimension::number); };
  const auto row = [&](std::size_t i) {
    Fields fields{text_field("machine", machines[i].name),
                  text_field("speed", format_quantity(machines[i].speed_flops, Dimension::speed)),
                  text_field("a", number(views[i].mean_availability)),
                  text_field("TH", number(r.begun->owners[i]->temporal_heterogeneity()))};
    for (std::size_t p = 0; p < r.plans.size(); ++p) fields.push_back(text_field(r.plans[p].name(), part_text(r, p, i)));
    return fields;
  };
  bool are_some = false;
  for (std::size_t i = 0; i < views.size(); ++i) are_some |= views[i].mean_availability != r.begun->owners[i]->mean();
  answer.say({std::string(r.request.bag ? "what each machine does, in tasks; of a queue in the mean"
                                        : "the split, in % of the work") +
              (are_some ? " (a: what owners are expected to leave during the run)" : "") + ":"});
  answer.show(table_of(listed(machines.size()), row), 1, and_more(machines.size(), "--format csv names all"));
}

/// The best set of each size, and which was chosen.
void show_machines(const PlanReport& r, const ColumnUnit& unit, Answer& answer) {
  if (!r.machines) return;
  const auto& by_size = r.machines->by_size;
  const auto row = [&](const SizedChoice& choice) {
    const bool is_chosen = &choice == &by_size[r.machines->chosen];
    Fields fields{text_field("machines", (is_chosen ? "* " : "") + std::to_string(choice.machines.size())),
                  text_field("best of that many", machines_text(choice.machines, by_size.back().machines)),
                  estimate_field(choice.plan, PlanMetric::tau, unit)};
    if (r.request.deadline_s) fields.push_back(estimate_field(choice.plan, PlanMetric::late, unit));
    if (r.request.risk) fields.push_back(promised_field(promised_name(r.request), choice.plan, unit));
    return fields;
  };
  answer.say({"how many machines, by '" + r.machines->policy + "':"});
  answer.show(table_of(by_size, row), 1);
  answer.say(machine_sentences(r));
}

// ---- for programs --------------------------------------------------------------------------------------------------

/// A machine with its owner as it is, not coarse, and what a plan gives it.
Object machine_object(const PlanReport& r, std::size_t plan, std::size_t i) {
  const Scenario& s = *r.plans[plan].scenario;
  const Owner& owner = *r.begun->owners[i];
  const Workstation& w = s.platform->workstations[i];
  Object out{{{"name", w.name},
              {"speed_flops", w.speed_flops},
              {"availability", owner.mean()},
              {"TH", owner.temporal_heterogeneity()},
              {"owner", owner.describe()},
              {"work_flop", part_flop(r, plan, i)}}};
  if (r.request.bag) out.fields.push_back({"tasks", tasks_of(r, plan, i)});
  return out;
}

/// A policy, or a queue. CSV has what was asked and each machine's work with it, JSON the machines.
Fields policy_fields(const PlanReport& r, std::size_t index) {
  const Alternative& p = r.plans[index];
  const WorkLimit most = p.most_work.value_or(WorkLimit{kUnknownEstimate, kUnknownEstimate});
  Fields fields{{"policy", p.name()}, {"work", r.request.work_flop, kInCsv}};
  if (r.request.bag) fields.insert(fields.begin() + 1, {"kind", kind_of(r, p)});
  add_asked(r.request, fields);
  add_estimates(r.request, p, fields);
  fields.push_back({"most_work", most.work_flop, kInCsv});
  fields.push_back({"most_work_RF", most.late, kInCsv});
  if (const auto variance = fit_variance(p.tau()))
    fields.push_back({"tau_share_of_fit", variance->share_of_fit(), kInJson});
  if (p.most_work)
    fields.push_back({"most_work", Object{{{"work_flop", most.work_flop}, {"RF_at_low", most.late}}}, kInJson});
  fields.push_back(
      {"recommended", std::uint64_t{r.advice.best && r.advised()->name() == p.name() ? 1U : 0U}, kInCsv});
  add_run(p.row, fields);
  const std::vector<Workstation> machines = machines_of(r);
  for (std::size_t i = 0; i < machines.size(); ++i)
    fields.push_back({"X_" + machines[i].name, part_flop(r, index, i), kInCsv});
  const auto machine = [&r, index](std::size_t i) -> Value { return machine_object(r, index, i); };
  fields.push_back({"split", List{p.scenario ? p.scenario->size() : 0, machine}, kInJson});
  return fields;
}

Object rival_object(const PlanReport& r, const Rival& rival) {
  return {{{"policy", r.plans[rival.index].name()},
           {"RF_more", rival.late_more},
           {"tau_more", rival.takes_more},
           {"can_be_told", rival.can_be_told()}}};
}

Object sized_object(const SizedChoice& choice) {
  Object object{{{"machines", texts(choice.machines)}, {"tau", choice.plan.tau()}, {"RF", choice.plan.late()}}};
  if (choice.plan.safe_deadline) object.fields.push_back({"safe_deadline", *choice.plan.safe_deadline});
  return object;
}

Object choice_object(const MachineChoice& m) {
  const auto less = [](const Estimate& late, const Estimate& tau) { return Object{{{"RF", late}, {"tau", tau}}}; };
  const auto count = [&](std::size_t k) { return std::uint64_t{m.by_size[k].machines.size()}; };
  const Object of_search = less(m.late_less, m.takes_less), unknown = less(kUnknownEstimate, kUnknownEstimate);
  Value rejected;
  if (m.rejected) rejected = Object{{{"machines", count(*m.rejected)}, {"all_less_these", of_search}}};
  return {{{"policy", m.policy},
           {"sets_tried", std::uint64_t{m.sets_tried}},
           {"all_sets", m.is_exhaustive},
           {"search_seed", m.search_seed},
           {"seed", m.seed},
           {"machines", count(m.chosen)},
           {"advised", m.advised.has_value()},
           {"all_less_chosen", m.takes_all() ? unknown : of_search},
           {"rejected", rejected},
           {"by_size", list_of(m.by_size, sized_object)}}};
}

Object items_object(const PlanReport& r) {
  Object object{{{"items", r.items}, {"tau", r.in_items->tau()}, {"RF", r.in_items->late()}}};
  if (r.in_items->safe_deadline) object.fields.push_back({"safe_deadline", *r.in_items->safe_deadline});
  return object;
}

Object whole_of(const PlanReport& r, const List& policies) {
  const Advice& a = r.advice;
  std::vector<std::string> sentences = advice_sentences(r);
  if (r.machines) std::ranges::move(machine_sentences(r), std::back_inserter(sentences));
  const auto rival = [&r](const Rival& one) { return rival_object(r, one); };
  Object whole{whole_head(r.summary.title, r.request)};
  append(whole.fields,
         {{"confidence", a.confidence},
          {"confidence_of_limits", promise_confidence(r.plans.size(), a.confidence)},
          {"confidence_of_rivals", a.of_each},
          {"policies", policies},
          {"recommended", a.best ? Value(r.advised()->name()) : Value()},
          {"rivals", list_of(a.rivals, rival)},
          {"advice", texts(sentences)}});
  if (r.request.bag)
    append(whole.fields, {{"tasks", static_cast<std::uint64_t>(r.request.bag->tasks)},
                          {"dispatch_s", r.request.bag->dispatch_s}});
  if (!r.summary.remark.empty()) whole.fields.push_back({"remark", r.summary.remark});
  if (r.in_items) whole.fields.push_back({"in_items", items_object(r)});
  if (r.replay) whole.fields.push_back({"replay", replay_object(*r.replay)});
  if (r.machines) whole.fields.push_back({"subset", choice_object(*r.machines)});
  return whole;
}

}  // namespace

Answer plan_answer(PlanReport report) {
  const auto kept = std::make_shared<const PlanReport>(std::move(report));
  const PlanReport& r = *kept;
  Answer answer;
  const ColumnUnit unit = unit_of_times(r.request, pointers_to(r.plans));
  say_title(r, answer);
  show_estimates(r, unit, answer);
  show_limits(r, unit, answer);
  show_split(r, answer);
  show_machines(r, unit, answer);
  if (r.replay) {
    answer.say({"the promise on recorded days:"});
    answer.show(replay_table(*r.replay), 1);
  }
  answer.say(advice_sentences(r));
  answer.say(run_lines(r.summary));
  answer.tables.push_back(rows_of(".csv", r.plans.size(), [&r](std::size_t p) { return policy_fields(r, p); }));
  answer.whole = whole_of(r, answer.tables.front().rows);
  answer.script = [&r](PictureFormat format) { return risk_script(r.request, r.summary, r.plans, format, r.advised()); };
  answer.has_failures = r.summary.has_failures();
  answer.made_of = kept;
  return answer;
}

}  // namespace nowsim
