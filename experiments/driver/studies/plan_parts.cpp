// Units and fields of answers about a deadline.
#include "experiments/driver/studies/plan_parts.hpp"

#include <algorithm>
#include <numeric>

#include "experiments/driver/text/estimate_text.hpp"

namespace nowsim {

std::string kept_text(const Estimate& late) {
  return percent_text(Estimate{1 - late.value, 1 - late.high, 1 - late.low});
}

Estimate size_of(const Estimate& e) { return e.value < 0 ? Estimate{-e.value, -e.high, -e.low} : e; }

std::string time_text(const Estimate& s, const ColumnUnit& unit) {
  return estimate_text(in_unit(s, unit.seconds)) + " " + unit.name;
}

std::string promised_name(const PlanRequest& r) { return "T at " + percent_text(1 - *r.risk); }

std::string deadline_text(const PlanRequest& r) {
  return r.deadline_s ? ", deadline " + duration_text(*r.deadline_s) : "";
}

std::vector<const Alternative*> pointers_to(const std::vector<Alternative>& all) {
  std::vector<const Alternative*> out;
  for (const auto& one : all) out.push_back(&one);
  return out;
}

ColumnUnit unit_of_times(const PlanRequest& request, const std::vector<const Alternative*>& all) {
  double most_s = request.deadline_s.value_or(0);
  for (const auto* one : all)
    if (const double tau_s = one->tau().value; tau_s > most_s) most_s = tau_s;
  return column_unit(most_s);
}

Field text_field(const std::string& name, const std::string& text) { return {name, text, kInTable}; }
Field time_field(const std::string& name, const Estimate& s, const ColumnUnit& unit) {
  return {name, s, kInTable, unit.name, unit.seconds};
}
Field share_field(const std::string& name, const Estimate& share) { return {name, share, kInTable, "%", 0.01}; }
Field points_field(const std::string& name, const Estimate& difference) {
  return {name, difference, kInTable, "points", 0.01};
}

Field estimate_field(const Alternative& one, PlanMetric metric, const ColumnUnit& unit) {
  const std::string& name = plan_metrics(true)[static_cast<std::size_t>(metric)]->name;
  const Estimate e = one.estimate(metric);
  return metric == PlanMetric::late ? share_field(name, e) : time_field(name, e, unit);
}

Field promised_field(const std::string& name, const Alternative& one, const ColumnUnit& unit) {
  return time_field(name, one.safe_deadline.value_or(kUnknownEstimate), unit);
}

std::vector<std::size_t> listed(std::size_t machines) {
  std::vector<std::size_t> out(std::min(machines, kMostListed));
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

std::vector<std::string> and_more(std::size_t machines, const std::string& where) {
  if (machines <= kMostListed) return {};
  return {"  and " + std::to_string(machines - kMostListed) + " more (" + where + ")"};
}

void add_estimates(const Alternative& one, Fields& fields) {
  const auto metrics = plan_metrics(true);
  for (std::size_t m = 0; m < metrics.size(); ++m)
    fields.push_back({metrics[m]->name, one.estimate(static_cast<PlanMetric>(m)), one.is_complete() ? kForPrograms : kInCsv});
  fields.push_back({"safe_deadline", one.safe_deadline.value_or(kUnknownEstimate), one.safe_deadline ? kForPrograms : kInCsv});
}

void add_asked(const PlanRequest& r, Fields& fields) {
  fields.push_back({"deadline", known(r.deadline_s), kInCsv});
  fields.push_back({"risk", known(r.risk), kInCsv});
}

void add_work(const Alternative& one, const std::vector<Workstation>& machines, Fields& fields) {
  for (std::size_t i = 0; i < machines.size(); ++i)
    fields.push_back({"X_" + machines[i].name, one.scenario ? one.scenario->share_flop[i] : kNotKnown, kInCsv});
}

Fields whole_head(const std::string& title, const PlanRequest& r) {
  return {{"title", title},
          {"version", std::string(version())},
          {"platform", machines_text(r)},
          {"work_flop", r.work_flop, r.mpi ? 0 : kInJson},
          {"deadline_s", known(r.deadline_s), kInJson},
          {"risk", known(r.risk), kInJson}};
}

}  // namespace nowsim
