// A job under way in tables, CSV and JSON.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/plan_fields.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/studies/under_way_report.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostShown = 50;  // beyond, JSON has them all

std::string number(double value) { return format_quantity(value, Dimension::number); }

std::string percent(double share) { return number(std::round(1000 * share) / 10); }

ColumnUnit unit_of(const UnderWayReport& r) {
  double most = std::max(r.request.deadline_s.value_or(0), r.planned.tau.value);
  for (const auto& way : r.ways.ways) most = std::max(most, way.rest.tau.value);
  return column_unit(most);
}

// ---- for people ------------------------------------------------------------------------------------------------------

std::string title_of(const UnderWayReport& r) {
  return work_text(r.request) + " on " + machines_text(r.request) + ", split by '" + r.planned.policy + "', " +
         duration_text(r.said.elapsed_s) + " after it began";
}

void write_title(const UnderWayReport& r, std::ostream& out) {
  out << title_of(r);
  if (r.request.deadline_s) out << ", deadline " << duration_text(*r.request.deadline_s);
  out << "\n\n";
}

/// The plan, then the ways on; `way` null: the plan.
Fields row_of(const UnderWayReport& r, const std::string& name, const PolicyPlan& plan, const WayOn* way) {
  const ColumnUnit unit = unit_of(r);
  Fields fields{{"", name, kInTable}, time_field("tau", plan.tau, unit), time_field("T_50", plan.median, unit),
                time_field("T_90", plan.t90, unit)};
  if (r.request.risk)
    fields.push_back(time_field("T at " + percent_text(1 - *r.request.risk), plan.safe_deadline.value_or(kUnknownEstimate), unit));
  if (r.ways.rest.deadline_s) fields.push_back(share_field("RF", plan.late));
  const bool is_compared = way != nullptr && way->kind != WayOn::Kind::go_on;
  fields.push_back(time_field("tau less by", is_compared ? way->takes_less : kUnknownEstimate, unit));
  if (r.ways.rest.deadline_s) fields.push_back(points_field("RF less by", is_compared ? way->late_less : kUnknownEstimate));
  for (auto& field : fields)
    if (const auto* e = std::get_if<Estimate>(&field.value); e != nullptr && std::isnan(e->value)) field.value = std::string("-");
  return fields;
}

void write_ways(const UnderWayReport& r, std::ostream& out) {
  TextTable table(table_head(row_of(r, "", r.planned, nullptr)));
  table.add(table_cells(row_of(r, "as planned", r.planned, nullptr)));
  for (std::size_t k = 0; k < r.ways.ways.size(); ++k) {
    const WayOn& way = r.ways.ways[k];
    table.add(table_cells(row_of(r, (k == r.ways.advised ? "* " : "") + way.name(), way.rest, &way)));
  }
  table.write(out, 1);
  out << "\n  (times since the job began; less by: than by going on";
  if (r.ways.ways.size() > 1)
    out << ", intervals of " << format_quantity(100 * r.ways.of_each, Dimension::number) << " % each, so that all hold together";
  out << ")\n";
  if (r.request.risk && r.ways.ways.size() > 1)
    out << "  (T at " << percent_text(1 - *r.request.risk) << ": intervals of "
        << format_quantity(100 * r.ways.of_promise, Dimension::number) << " %, likewise)\n";
}

void write_machines(const UnderWayReport& r, std::ostream& out) {
  const auto& workstations = r.planned.scenario->platform->workstations;
  const WayOn& advised = r.ways.ways[r.ways.advised];
  const bool has_seen = std::ranges::any_of(r.progress.machines, [](const auto& m) { return m.seen.has_value(); });
  const WorkUnit unit = work_unit(r.request.work_flop);
  std::vector<std::string> head{"machine", "part [" + unit.name + "]", "done [%]"};
  if (r.expected) head.push_back("by the plan [%]");
  if (has_seen) head.push_back("seen");
  head.push_back("left [" + unit.name + "]");
  if (r.ways.advised != 0) head.push_back(advised.name() + ": left");
  TextTable table(head);
  for (std::size_t i = 0; i < std::min(workstations.size(), kMostShown); ++i) {
    const MachineProgress& m = r.progress.machines[i];
    std::vector<std::string> row{workstations[i].name, number(m.part_flop / unit.flop),
                                 m.takes_part() ? percent(m.done_flop / m.part_flop) : "-"};
    if (r.expected) {
      const auto& e = r.expected->machines[i];
      row.push_back(e ? percent(e->mean) + " [" + percent(e->low) + ", " + percent(e->high) + "]" : "-");
    }
    if (has_seen) row.push_back(m.seen ? number(*m.seen) : "-");
    row.push_back(number(m.left_flop() / unit.flop));
    if (r.ways.advised != 0) row.push_back(number(advised.rest.scenario->share_flop[i] / unit.flop));
    table.add(std::move(row));
  }
  out << '\n';
  table.write(out, 1);
  if (workstations.size() > kMostShown)
    out << "  and " << workstations.size() - kMostShown << " more (--format json names all)\n";
  if (r.expected) out << "\n  (by the plan: mean and nine of ten of " << r.expected->replications << " simulated beginnings)\n";
}

void write_text(const UnderWayReport& r, std::ostream& out) {
  write_title(r, out);
  write_ways(r, out);
  write_machines(r, out);
  out << '\n';
  for (const auto& sentence : under_way_sentences(r)) out << sentence << '\n';
  const Provenance p = provenance_of(r.summary);
  out << '\n' << p.counts() << ", " << p.origin() << '\n';
  for (const auto& row : r.summary.rows)
    if (row.status != PointStatus::ok) out << status_name(row.status) << ": " << row.values.front() << ": " << row.reason << '\n';
  if (!r.summary.remark.empty()) out << "remark: " << r.summary.remark << '\n';
}

// ---- for programs ----------------------------------------------------------------------------------------------------

const char* kind_name(WayOn::Kind kind) {
  static constexpr const char* kNames[] = {"go_on", "move", "give_up", "add"};
  return kNames[static_cast<std::size_t>(kind)];
}

const ResultRow& summary_row(const UnderWayReport& r, const WayOn& way) {
  return *std::ranges::find_if(r.summary.rows, [&](const ResultRow& row) { return row.values.front() == way.name(); });
}

Fields way_fields(const UnderWayReport& r, std::size_t k) {
  const WayOn& way = r.ways.ways[k];
  Fields fields{{"way", way.name()},
                {"kind", std::string(kind_name(way.kind))},
                {"machine", way.machine},
                {"work", r.request.work_flop, kInCsv},
                {"deadline", known(r.request.deadline_s), kInCsv},
                {"risk", known(r.request.risk), kInCsv},
                {"elapsed", r.said.elapsed_s, kInCsv},
                {"done", r.progress.done_flop() / r.progress.part_flop(), kInCsv}};
  add_estimates_of_time(way.rest, fields);
  fields.push_back({"tau_less", way.takes_less});
  fields.push_back({"RF_less", way.late_less});
  fields.push_back({"advised", std::uint64_t{k == r.ways.advised ? 1U : 0U}});
  add_origin(summary_row(r, way), kForPrograms, fields);
  const auto& workstations = r.planned.scenario->platform->workstations;
  for (std::size_t i = 0; i < workstations.size(); ++i)
    fields.push_back({"X_" + workstations[i].name, way.rest.scenario->share_flop[i], kInCsv});
  const auto machine = [&way, &workstations](std::size_t i) -> Value {
    return Object{{{"name", workstations[i].name}, {"work_flop", way.rest.scenario->share_flop[i]}}};
  };
  fields.push_back({"split", List{workstations.size(), machine}, kInJson});
  return fields;
}

Value expected_value(const std::optional<ExpectedShare>& e) {
  if (!e) return {};
  return Object{{{"mean", e->mean}, {"low", e->low}, {"high", e->high}, {"least", e->least}, {"most", e->most}}};
}

Object machine_object(const UnderWayReport& r, std::size_t i) {
  const MachineProgress& m = r.progress.machines[i];
  return {{{"name", r.planned.scenario->platform->workstations[i].name},
           {"part_flop", m.part_flop},
           {"done_flop", m.done_flop},
           {"left_flop", m.left_flop()},
           {"seen", known(m.seen)},
           {"expected_done", r.expected ? expected_value(r.expected->machines[i]) : Value()}}};
}

Object whole_of(const UnderWayReport& r, const List& ways) {
  Fields planned{{"policy", r.planned.policy}};
  add_estimates_of_time(r.planned, planned);
  const auto machine = [&r](std::size_t i) -> Value { return machine_object(r, i); };
  Object whole{{{"title", title_of(r)},
                {"version", std::string(version())},
                {"platform", machines_text(r.request)},
                {"work_flop", r.request.work_flop},
                {"deadline_s", known(r.request.deadline_s)},
                {"risk", known(r.request.risk)},
                {"elapsed_s", r.said.elapsed_s},
                {"moving_s", r.said.moving_s},
                {"done_share", r.progress.done_flop() / r.progress.part_flop()},
                {"expected_share", r.expected ? expected_value(r.expected->whole) : Value()},
                {"confidence", r.planned.plan.confidence},
                {"confidence_of_each", r.ways.of_each},
                {"planned", Object{planned}},
                {"ways", ways},
                {"advised", r.ways.ways[r.ways.advised].name()},
                {"machines", List{r.progress.machines.size(), machine}},
                {"advice", texts(under_way_sentences(r))}}};
  if (!r.summary.remark.empty()) whole.fields.push_back({"remark", r.summary.remark});
  return whole;
}

}  // namespace

void write_under_way(const UnderWayReport& r, Format format, std::ostream& out) {
  const auto way = [&r](std::size_t k) -> Value { return Object{way_fields(r, k)}; };
  const List ways{r.ways.ways.size(), way};
  write_document({[&](std::ostream& o) { write_text(r, o); }, way_fields(r, 0), ways, whole_of(r, ways)}, format, out);
}

PlanReport report_to_draw(const UnderWayReport& r) {
  PlanReport out;
  out.request = r.request;
  out.summary = r.summary;
  out.summary.title = title_of(r);
  out.plans = {r.planned, r.ways.ways.front().rest};
  out.plans.front().policy = "as planned";
  if (r.ways.advised != 0) out.plans.push_back(r.ways.ways[r.ways.advised].rest);
  return out;
}

}  // namespace nowsim
