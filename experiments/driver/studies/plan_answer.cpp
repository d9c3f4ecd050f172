// A plan as an answer: tables for people, and the fields of its policies.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/study_pictures.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/statistics/input_uncertainty.hpp"

namespace nowsim {
namespace {

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

void show_estimates(const PlanReport& r, const ColumnUnit& unit, Answer& answer) {
  const auto row = [&](const Alternative& p) {
    Fields fields{text_field("policy", p.name())};
    for (std::size_t m = 0; m < plan_metrics(true).size(); ++m) {
      const auto metric = static_cast<PlanMetric>(m);
      const auto is_known = [&](const Alternative& one) { return !std::isnan(one.estimate(metric).value); };
      if (std::ranges::any_of(r.plans, is_known)) fields.push_back(estimate_field(p, metric, unit));
    }
    return fields;
  };
  answer.show(table_of(r.plans, row), 1);
}

/// What the risk allows, per policy.
void show_limits(const PlanReport& r, const ColumnUnit& unit, Answer& answer) {
  if (!r.request.risk) return;
  const bool with_work = std::ranges::any_of(r.plans, [](const auto& p) { return p.most_work.has_value(); });
  const WorkUnit of_work = work_unit(r.request);
  const auto row = [&](const Alternative& p) {
    Fields fields{text_field("policy", p.name()), promised_field("earliest deadline", p, unit)};
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
  answer.show(std::move(table), 1);
  answer.say(std::move(notes));
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
    for (const auto& p : r.plans)
      fields.push_back(
          text_field(p.name(), p.scenario ? number(100 * p.scenario->share_flop[i] / r.request.work_flop) : "-"));
    return fields;
  };
  bool are_some = false;
  for (std::size_t i = 0; i < views.size(); ++i) are_some |= views[i].mean_availability != r.begun->owners[i]->mean();
  answer.say({std::string("the split, in % of the work") +
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

/// @param owner as it is, not coarse.
Object machine_object(const Scenario& s, const Owner& owner, std::size_t i) {
  const Workstation& w = s.platform->workstations[i];
  return {{{"name", w.name},
           {"speed_flops", w.speed_flops},
           {"availability", owner.mean()},
           {"TH", owner.temporal_heterogeneity()},
           {"owner", owner.describe()},
           {"work_flop", s.share_flop[i]}}};
}

/// A policy. CSV has what was asked and each machine's work with it, JSON the machines.
Fields policy_fields(const PlanReport& r, std::size_t index) {
  const Alternative& p = r.plans[index];
  const WorkLimit most = p.most_work.value_or(WorkLimit{kUnknownEstimate, kUnknownEstimate});
  Fields fields{{"policy", p.name()}, {"work", r.request.work_flop, kInCsv}};
  add_asked(r.request, fields);
  add_estimates(p, fields);
  fields.push_back({"most_work", most.work_flop, kInCsv});
  fields.push_back({"most_work_RF", most.late, kInCsv});
  if (const auto variance = fit_variance(p.tau()))
    fields.push_back({"tau_share_of_fit", variance->share_of_fit(), kInJson});
  if (p.most_work)
    fields.push_back({"most_work", Object{{{"work_flop", most.work_flop}, {"RF_at_low", most.late}}}, kInJson});
  fields.push_back(
      {"recommended", std::uint64_t{r.advice.best && advised_plan(r).name() == p.name() ? 1U : 0U}, kInCsv});
  append(fields, run_fields(p.row));
  fields.push_back({"status", std::string(status_name(p.row.status))});
  fields.push_back({"reason", p.row.reason});
  add_work(p, machines_of(r), fields);
  const auto machine = [&r, &p](std::size_t i) -> Value { return machine_object(*p.scenario, *r.begun->owners[i], i); };
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
          {"recommended", a.best ? Value(advised_plan(r).name()) : Value()},
          {"rivals", list_of(a.rivals, rival)},
          {"advice", texts(sentences)}});
  if (!r.summary.remark.empty()) whole.fields.push_back({"remark", r.summary.remark});
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
  answer.say(advice_sentences(r));
  answer.say(run_lines(r.summary));
  const auto policy = [&r](std::size_t p) -> Value { return Object{policy_fields(r, p)}; };
  const List policies{r.plans.size(), policy};
  answer.tables.push_back({".csv", policy_fields(r, 0), policies});
  answer.whole = whole_of(r, policies);
  answer.script = [&r](PictureFormat format) { return plan_picture_script(r, format); };
  answer.has_failures = r.summary.has_failures();
  answer.made_of = kept;
  return answer;
}

}  // namespace nowsim
