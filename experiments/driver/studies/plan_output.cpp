// What is said of a plan: tables for people, and the fields of its policies.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/plan_fields.hpp"
#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/statistics/input_uncertainty.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostMachines = 50;  // beyond, CSV and JSON have them all

bool is_known(const PlanReport& r, const PlanColumn& column) {
  return std::ranges::any_of(r.plans, [&](const PolicyPlan& p) { return !std::isnan((p.*column.estimate).value); });
}

/// For all times of the plan.
ColumnUnit unit_of(const PlanReport& r) {
  double most = r.request.deadline_s.value_or(0);
  for (const auto& p : r.plans)
    if (p.tau.value > most) most = p.tau.value;
  return column_unit(most);
}

void write_title(const PlanReport& r, std::ostream& out) {
  out << r.summary.title;
  for (const auto& p : r.plans)
    if (p.scenario && !r.request.platform_file.empty()) {
      out << ", " << p.scenario->size() << (p.scenario->size() == 1 ? " machine" : " machines");
      break;
    }
  if (r.request.deadline_s) out << ", deadline " << duration_text(*r.request.deadline_s);
  if (r.request.work_time_s > 0)
    out << "\n(a machine-hour: what one core does in an hour in which its owner leaves it alone, "
        << format_quantity(work_unit(r.request).flop, Dimension::work) << ')';
  out << "\n\n";
}

void write_estimates(const PlanReport& r, std::ostream& out) {
  const ColumnUnit unit = unit_of(r);
  const auto row = [&](const PolicyPlan& p) {
    Fields fields{{"policy", p.policy, kInTable}};
    for (const auto& column : plan_columns())
      if (is_known(r, column))
        fields.push_back(*column.unit != 0 ? time_field(column.name, p.*column.estimate, unit)
                                           : share_field(column.name, p.*column.estimate));
    return fields;
  };
  TextTable table(table_head(row({})));
  for (const auto& p : r.plans) table.add(table_cells(row(p)));
  table.write(out, 1);
}

/// What the risk allows, per policy.
void write_limits(const PlanReport& r, std::ostream& out) {
  if (!r.request.risk) return;
  const ColumnUnit unit = unit_of(r);
  const bool with_work = std::ranges::any_of(r.plans, [](const auto& p) { return p.most_work.has_value(); });
  const WorkUnit of_work = work_unit(r.request);
  const auto row = [&](const PolicyPlan& p) {
    Fields fields{{"policy", p.policy, kInTable},
                  time_field("earliest deadline", p.safe_deadline.value_or(kUnknownEstimate), unit)};
    if (!with_work) return fields;
    const auto part = [&p](Estimate WorkLimit::*of) { return p.most_work ? Value((*p.most_work).*of) : Value(); };
    fields.push_back({"most work", part(&WorkLimit::work_flop), kInTable, of_work.name, of_work.flop});
    fields.push_back({"RF there", part(&WorkLimit::late), kInTable, "%", 0.01});
    return fields;
  };
  TextTable table(table_head(row({})));
  for (const auto& p : r.plans)
    if (p.safe_deadline) table.add(table_cells(row(p)));
  out << "\nwhat a risk of " << percent_text(*r.request.risk) << " allows:\n\n";
  table.write(out, 1);
  if (with_work) out << "\n  (RF there: of the interval's lower end, on other random numbers)\n";
  if (r.request.policies.size() > 1)
    out << (with_work ? "" : "\n") << "  (limits: intervals of "
        << percent_text(promise_confidence(r.request, r.advice.confidence)) << " each, so that all hold together)\n";
}

/// Machines and the shares that each policy gives them.
void write_split(const PlanReport& r, std::ostream& out) {
  const auto first = std::ranges::find_if(r.plans, [](const auto& p) { return p.scenario != nullptr; });
  if (first == r.plans.end()) return;
  const Scenario& s = *first->scenario;
  std::vector<std::string> head{"machine", "speed", "a", "TH"};
  for (const auto& p : r.plans) head.push_back(p.policy);
  TextTable table(head);
  const std::vector<MachineView> views = machine_views(*r.begun);
  for (std::size_t i = 0; i < std::min(s.size(), kMostMachines); ++i) {
    const Workstation& w = s.platform->workstations[i];
    std::vector<std::string> row{w.name, format_quantity(w.speed_flops, Dimension::speed),
                                 format_quantity(views[i].mean_availability, Dimension::number),
                                 format_quantity(r.begun->owners[i]->temporal_heterogeneity(), Dimension::number)};
    for (const auto& p : r.plans)
      row.push_back(
          p.scenario ? format_quantity(100 * p.scenario->share_flop[i] / r.request.work_flop, Dimension::number) : "-");
    table.add(std::move(row));
  }
  const auto goes_by_clock = [&](std::size_t i) { return views[i].mean_availability != r.begun->owners[i]->mean(); };
  bool are_some = false;
  for (std::size_t i = 0; i < views.size(); ++i) are_some |= goes_by_clock(i);
  out << "\nthe split, in % of the work" << (are_some ? " (a: what owners are expected to leave during the run)" : "") << ":\n\n";
  table.write(out, 1);
  if (s.size() > kMostMachines) out << "  and " << s.size() - kMostMachines << " more (--format csv names all)\n";
}

/// The best set of each size, and which was chosen.
void write_machines(const PlanReport& r, std::ostream& out) {
  if (!r.machines) return;
  const ColumnUnit unit = unit_of(r);
  const auto& by_size = r.machines->by_size;
  const auto row = [&](std::size_t k) {
    const auto& [names, plan] = by_size[k];
    Fields fields{{"machines", (k == r.machines->chosen ? "* " : "") + std::to_string(names.size()), kInTable},
                  {"best of that many", machines_text(names, by_size.back().machines), kInTable},
                  time_field("tau", plan.tau, unit)};
    if (r.request.deadline_s) fields.push_back(share_field("RF", plan.late));
    if (r.request.risk)
      fields.push_back(time_field("T at " + percent_text(1 - *r.request.risk), *plan.safe_deadline, unit));
    return fields;
  };
  TextTable table(table_head(row(0)));
  for (std::size_t k = 0; k < by_size.size(); ++k) table.add(table_cells(row(k)));
  out << "\nhow many machines, by '" << r.machines->policy << "':\n\n";
  table.write(out, 1);
  out << '\n';
  for (const auto& sentence : machine_sentences(r)) out << sentence << '\n';
}

void write_end(const PlanReport& r, std::ostream& out) {
  out << '\n';
  for (const auto& sentence : advice_sentences(r)) out << sentence << '\n';
  for (const auto& sentence : split_sentences(r)) out << sentence << '\n';
  const Provenance p = provenance_of(r.summary);
  out << '\n' << p.counts() << ", " << p.origin() << '\n';
  for (const auto& row : r.summary.rows)
    if (!row.reason.empty())
      out << (row.status == PointStatus::ok ? "imprecise" : status_name(row.status)) << ": "
          << row.values.front() << ": " << row.reason
          << '\n';
  if (!r.summary.remark.empty()) out << "remark: " << r.summary.remark << '\n';
}

void write_text(const PlanReport& r, std::ostream& out) {
  write_title(r, out);
  write_estimates(r, out);
  write_limits(r, out);
  write_split(r, out);
  write_machines(r, out);
  write_end(r, out);
}

// ---- for programs --------------------------------------------------------------------------------------------------

/// The machines, of any plan that has a scenario: all have the same.
std::vector<Workstation> machines_of(const PlanReport& r) {
  for (const auto& p : r.plans)
    if (p.scenario) return p.scenario->platform->workstations;
  return {};
}

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

void add_estimates(const PolicyPlan& p, Fields& fields) {
  add_estimates_of_time(p, fields);
  const WorkLimit most = p.most_work.value_or(WorkLimit{kUnknownEstimate, kUnknownEstimate});
  fields.push_back({"most_work", most.work_flop, kInCsv});
  fields.push_back({"most_work_RF", most.late, kInCsv});
  if (const auto variance = fit_variance(p.tau))
    fields.push_back({"tau_share_of_fit", variance->share_of_fit(), kInJson});
  if (p.most_work)
    fields.push_back({"most_work", Object{{{"work_flop", most.work_flop}, {"RF_at_low", most.late}}}, kInJson});
}

/// A policy. CSV has what was asked and each machine's work with it, JSON the machines.
Fields policy_fields(const PlanReport& r, std::size_t index) {
  const PolicyPlan& p = r.plans[index];
  const ResultRow& row = r.summary.rows[index];
  Fields fields{{"policy", p.policy},
                {"work", r.request.work_flop, kInCsv},
                {"deadline", known(r.request.deadline_s), kInCsv},
                {"risk", known(r.request.risk), kInCsv},
                {"status", std::string(status_name(row.status)), kInJson},
                {"reason", row.reason, kInJson}};
  add_origin(row, kInJson, fields);
  add_estimates(p, fields);
  fields.push_back(
      {"recommended", std::uint64_t{r.advice.best && advised_plan(r).policy == p.policy ? 1U : 0U}, kInCsv});
  add_origin(row, kInCsv, fields);
  fields.push_back({"status", std::string(status_name(row.status)), kInCsv});
  fields.push_back({"reason", row.reason, kInCsv});
  const auto machines = machines_of(r);
  for (std::size_t i = 0; i < machines.size(); ++i)
    fields.push_back({"X_" + machines[i].name, p.scenario ? p.scenario->share_flop[i] : kNotKnown, kInCsv});
  const auto machine = [&r, &p](std::size_t i) -> Value { return machine_object(*p.scenario, *r.begun->owners[i], i); };
  const List split{p.scenario ? p.scenario->size() : 0, machine};
  fields.push_back({"split", split, kInJson});
  return fields;
}

Object rival_object(const PlanReport& r, const Rival& rival) {
  return {{{"policy", r.plans[rival.policy].policy},
           {"RF_more", rival.late_more},
           {"tau_more", rival.takes_more},
           {"can_be_told", rival.can_be_told()}}};
}

Object sized_object(const SizedChoice& choice) {
  Object object{{{"machines", texts(choice.machines)}, {"tau", choice.plan.tau}, {"RF", choice.plan.late}}};
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
  const PlanAdvice& a = r.advice;
  std::vector<std::string> sentences = advice_sentences(r);
  for (const auto& more : {split_sentences(r), r.machines ? machine_sentences(r) : std::vector<std::string>{}})
    sentences.insert(sentences.end(), more.begin(), more.end());
  const auto rival = [&r](const Rival& one) { return rival_object(r, one); };
  Object whole{{{"title", r.summary.title},
                {"version", std::string(version())},
                {"platform", machines_text(r.request)},
                {"work_flop", r.request.work_flop},
                {"deadline_s", known(r.request.deadline_s)},
                {"risk", known(r.request.risk)},
                {"confidence", a.confidence},
                {"confidence_of_limits", promise_confidence(r.request, a.confidence)},
                {"confidence_of_rivals", a.of_each},
                {"policies", policies},
                {"recommended", a.best ? Value(advised_plan(r).policy) : Value()},
                {"rivals", list_of(a.rivals, rival)},
                {"advice", texts(sentences)}}};
  if (!r.summary.remark.empty()) whole.fields.push_back({"remark", r.summary.remark});
  if (r.machines) whole.fields.push_back({"subset", choice_object(*r.machines)});
  return whole;
}

}  // namespace

void write_plan(const PlanReport& r, Format format, std::ostream& out) {
  const auto policy = [&r](std::size_t p) -> Value { return Object{policy_fields(r, p)}; };
  const List policies{r.plans.size(), policy};
  write_document({[&](std::ostream& o) { write_text(r, o); }, policy_fields(r, 0), policies, whole_of(r, policies)},
                 format, out);
}

}  // namespace nowsim
