// A plan for people.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "experiments/driver/running/summary_output.hpp"
#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/plan_text.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

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
    if (p.scenario) {
      out << ", " << p.scenario->size() << (p.scenario->size() == 1 ? " machine" : " machines");
      break;
    }
  if (r.request.deadline_s) out << ", deadline " << duration_text(*r.request.deadline_s);
  out << "\n\n";
}

void write_estimates(const PlanReport& r, std::ostream& out) {
  const ColumnUnit unit = unit_of(r);
  std::vector<std::string> head{"policy"};
  std::vector<PlanColumn> columns;
  for (const auto& column : plan_columns()) {
    if (!is_known(r, column)) continue;
    columns.push_back(column);
    head.push_back(std::string(column.name) + " [" + (*column.unit != 0 ? unit.name : "%") + "]");
  }
  TextTable table(head);
  for (const auto& p : r.plans) {
    std::vector<std::string> row{p.policy};
    for (const auto& column : columns)
      row.push_back(estimate_text(in_unit(p.*column.estimate, *column.unit != 0 ? unit.seconds : 0.01)));
    table.add(std::move(row));
  }
  table.write(out, 1);
}

/// What the risk allows, per policy.
void write_limits(const PlanReport& r, std::ostream& out) {
  if (!r.request.risk) return;
  const ColumnUnit unit = unit_of(r);
  const std::string risk = percent_text(*r.request.risk);
  std::vector<std::string> head{"policy", "earliest deadline [" + std::string(unit.name) + "]"};
  const bool with_work = std::ranges::any_of(r.plans, [](const auto& p) { return p.most_work.has_value(); });
  const WorkUnit of_work = work_unit(r.request.work_flop);
  if (with_work) head.insert(head.end(), {"most work [" + of_work.name + "]", "RF there [%]"});
  TextTable table(head);
  for (const auto& p : r.plans) {
    if (!p.safe_deadline) continue;
    std::vector<std::string> row{p.policy, estimate_text(in_unit(*p.safe_deadline, unit.seconds))};
    if (p.most_work)
      row.insert(row.end(), {estimate_text(in_unit(p.most_work->work_flop, of_work.flop)),
                             estimate_text(in_unit(p.most_work->late, 0.01))});
    table.add(std::move(row));
  }
  out << "\nwhat a risk of " << risk << " allows:\n\n";
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
  for (std::size_t i = 0; i < std::min(s.size(), kMostMachines); ++i) {
    const Workstation& w = s.platform->workstations[i];
    std::vector<std::string> row{w.name, format_quantity(w.speed_flops, Dimension::speed),
                                 format_quantity(s.owners[i]->mean(), Dimension::number),
                                 format_quantity(s.owners[i]->temporal_heterogeneity(), Dimension::number)};
    for (const auto& p : r.plans)
      row.push_back(
          p.scenario ? format_quantity(100 * p.scenario->share_flop[i] / r.request.work_flop, Dimension::number) : "-");
    table.add(std::move(row));
  }
  out << "\nthe split, in % of the work:\n\n";
  table.write(out, 1);
  if (s.size() > kMostMachines) out << "  and " << s.size() - kMostMachines << " more (--format csv names all)\n";
}

/// The best set of each size, and which was chosen.
void write_machines(const PlanReport& r, std::ostream& out) {
  if (!r.machines) return;
  const ColumnUnit unit = unit_of(r);
  std::vector<std::string> head{"machines", "best of that many", std::string("tau [") + unit.name + "]"};
  if (r.request.deadline_s) head.emplace_back("RF [%]");
  if (r.request.risk) head.push_back("T at " + percent_text(1 - *r.request.risk) + " [" + unit.name + "]");
  TextTable table(head);
  for (std::size_t k = 0; k < r.machines->by_size.size(); ++k) {
    const auto& [names, plan] = r.machines->by_size[k];
    std::vector<std::string> row{(k == r.machines->chosen ? "* " : "") + std::to_string(names.size()),
                                 machines_text(names, r.machines->by_size.back().machines),
                                 estimate_text(in_unit(plan.tau, unit.seconds))};
    if (r.request.deadline_s) row.push_back(estimate_text(in_unit(plan.late, 0.01)));
    if (r.request.risk) row.push_back(estimate_text(in_unit(*plan.safe_deadline, unit.seconds)));
    table.add(std::move(row));
  }
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
  out << '\n' << p.replications << " replications, ± " << p.confidence << " confidence, " << p.origin() << '\n';
  for (const auto& row : r.summary.rows)
    if (!row.reason.empty())
      out << (row.status == "ok" ? "imprecise" : row.status) << ": " << row.values.front() << ": " << row.reason
          << '\n';
}

}  // namespace

void write_plan_table(const PlanReport& r, std::ostream& out) {
  write_title(r, out);
  write_estimates(r, out);
  write_limits(r, out);
  write_split(r, out);
  write_machines(r, out);
  write_end(r, out);
}

void write_plan(const PlanReport& r, Format format, std::ostream& out) {
  switch (format) {
    case Format::table:
      return write_plan_table(r, out);
    case Format::csv:
      return write_plan_csv(r, out);
    case Format::json:
      return write_plan_json(r, out);
  }
}

}  // namespace nowsim
