// A plan as CSV.
#include <algorithm>
#include <ostream>

#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/text/escapes.hpp"
#include "experiments/driver/text/estimate_formats.hpp"

namespace nowsim {
namespace {

/// A named estimate of a row, known or not.
struct CsvEstimate {
  std::string name;
  Estimate value;
};

std::vector<CsvEstimate> estimates_of(const PolicyPlan& p) {
  std::vector<CsvEstimate> out;
  for (const auto& column : plan_columns()) out.push_back({column.name, p.*column.estimate});
  out.push_back({"safe_deadline", p.safe_deadline.value_or(kUnknownEstimate)});
  out.push_back({"most_work", p.most_work ? p.most_work->work_flop : kUnknownEstimate});
  out.push_back({"most_work_RF", p.most_work ? p.most_work->late : kUnknownEstimate});
  return out;
}

/// The machines' names, of any plan that has a scenario: all have the same.
std::vector<std::string> machines_of(const PlanReport& r) {
  std::vector<std::string> names;
  for (const auto& p : r.plans) {
    if (!p.scenario) continue;
    for (const auto& w : p.scenario->platform->workstations) names.push_back(w.name);
    break;
  }
  return names;
}

void write_head(const PlanReport& r, std::ostream& out) {
  out << "policy,work,deadline,risk";
  for (const auto& e : estimates_of(r.plans.front()))
    out << ',' << e.name << ',' << e.name << "_low," << e.name << "_high";
  out << ",recommended,replications,seed,engine,version,status,reason";
  for (const auto& name : machines_of(r)) out << ',' << csv_field("X_" + name);
  out << '\n';
}

void write_row(const PlanReport& r, std::size_t p, std::ostream& out) {
  const PolicyPlan& plan = r.plans[p];
  const SummaryRow& row = r.summary.rows[p];
  out << csv_field(plan.policy) << ',' << csv_number(r.request.work_flop) << ','
      << csv_number(r.request.deadline_s.value_or(kNotKnown)) << ',' << csv_number(r.request.risk.value_or(kNotKnown));
  for (const auto& e : estimates_of(plan))
    for (const double x : {e.value.value, e.value.low, e.value.high}) out << ',' << csv_number(x);
  out << ',' << (r.advice.best == p ? 1 : 0) << ',' << row.replications << ',' << row.seed << ',' << row.engine << ','
      << row.version << ',' << row.status << ',' << csv_field(row.reason);
  for (std::size_t i = 0; i < machines_of(r).size(); ++i)
    out << ',' << csv_number(plan.scenario ? plan.scenario->share_flop[i] : kNotKnown);
  out << '\n';
}

}  // namespace

void write_plan_csv(const PlanReport& r, std::ostream& out) {
  write_head(r, out);
  for (std::size_t p = 0; p < r.plans.size(); ++p) write_row(r, p, out);
}

}  // namespace nowsim
