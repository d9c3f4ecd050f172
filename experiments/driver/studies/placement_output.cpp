// What is said of placements: tables for people, and fields for programs.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/contrast.hpp"
#include "experiments/driver/studies/placement_report.hpp"
#include "experiments/driver/studies/plan_fields.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/shell_word.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostListedMachines = 50;  // beyond, JSON has them all

/// What a placement is more than the best one.
struct BesideBest {
  Estimate more = kUnknownEstimate;
  std::string standing;
};
BesideBest beside_best(const PlacementReport& r, std::size_t row, const std::string& metric) {
  const ComparedRow* compared = r.comparisons.row(metric, row);
  return compared != nullptr ? BesideBest{compared->difference, standing_text(compared->standing)} : BesideBest{};
}

// ---- for people ----------------------------------------------------------------------------------------------------

ColumnUnit unit_of(const PlacementReport& r) {
  double most_s = r.plan.request.deadline_s.value_or(0);
  for (const auto& p : r.plan.plans)
    if (p.tau.value > most_s) most_s = p.tau.value;
  return column_unit(most_s);
}

Field cell(const std::string& name, const std::string& text) { return {name, text, kInTable}; }

void write_table(std::size_t rows, const std::function<Fields(std::size_t)>& row, std::ostream& out) {
  TextTable table(table_head(row(0)));
  for (std::size_t k = 0; k < rows; ++k) table.add(table_cells(row(k)));
  table.write(out, 1);
}

void write_title(const PlacementReport& r, std::ostream& out) {
  const std::size_t machines = r.machines().size(), ranks = r.field.loads.ranks();
  out << r.plan.summary.title << ": " << ranks << (ranks == 1 ? " rank on " : " ranks on ") << machines
      << (machines == 1 ? " machine" : " machines");
  if (r.plan.request.deadline_s) out << ", deadline " << duration_text(*r.plan.request.deadline_s);
  out << "\n\n";
}

void write_estimates(const PlacementReport& r, std::ostream& out) {
  const ColumnUnit unit = unit_of(r);
  const auto row = [&](std::size_t k) {
    const PolicyPlan& p = r.plan.plans[k];
    Fields fields{cell("placement", (r.plan.advice.best == k ? "* " : "") + p.policy)};
    for (const auto& column : plan_columns())
      if (*column.unit != 0) fields.push_back(time_field(column.name, p.*column.estimate, unit));
      else if (r.plan.request.deadline_s) fields.push_back(share_field(column.name, p.*column.estimate));
    if (r.plan.request.risk)
      fields.push_back(time_field("T at " + percent_text(1 - *r.plan.request.risk),
                                  p.safe_deadline.value_or(kUnknownEstimate), unit));
    return fields;
  };
  write_table(r.plan.plans.size(), row, out);
}

void write_comparisons(const PlacementReport& r, std::ostream& out) {
  const ColumnUnit unit = unit_of(r);
  const auto row = [&](std::size_t k) {
    const BesideBest tau = beside_best(r, k, "tau"), late = beside_best(r, k, "RF");
    Fields fields{cell("placement", r.plan.plans[k].policy), time_field("tau more", tau.more, unit),
                  cell("by tau", tau.standing)};
    if (!r.plan.request.deadline_s) return fields;
    fields.push_back(points_field("RF more", late.more));
    fields.push_back(cell("by RF", late.standing));
    return fields;
  };
  out << "\nbeside the best (" << joint_text(r.comparisons) << "):\n\n";
  write_table(r.plan.plans.size(), row, out);
}

void write_machines(const PlacementReport& r, const NamedPlacement& placement, std::ostream& out) {
  const auto ranks = ranks_by_machine(placement.machines, r.machines().size());
  const Scenario& scenario = *r.plan.plans.front().scenario;
  const ColumnUnit unit = unit_of(r);
  TextTable table({"machine", "speed", "cores", "a", "ranks", "their work", "computing [" + std::string(unit.name) + "]"});
  table.read_left(4);
  std::size_t unused = 0, shown = 0;
  for (std::size_t m = 0; m < ranks.size(); ++m) {
    if (ranks[m].empty()) ++unused;
    if (ranks[m].empty() || ++shown > kMostListedMachines) continue;
    const Workstation& w = r.machines()[m];
    double flop = 0;
    for (const std::size_t rank : ranks[m]) flop += r.field.loads.rank_flop[rank];
    table.add({w.name, format_quantity(w.speed_flops, Dimension::speed), std::to_string(w.cores),
               format_quantity(scenario.owners[m]->mean(), Dimension::number), ranks_text(ranks[m]),
               format_quantity(flop, Dimension::work),
               format_quantity(r.field.computing_s(m, ranks[m]) / unit.seconds, Dimension::number)});
  }
  out << "\nwhich rank is where, by '" << placement.name << "':\n\n";
  table.write(out, 1);
  if (shown > kMostListedMachines) out << "  and " << shown - kMostListedMachines << " more (--format json has all)\n";
  out << "\n  (computing: at the machine's mean speed, if nothing makes its ranks wait";
  if (unused > 0) out << "; " << unused << (unused == 1 ? " machine has" : " machines have") << " no rank";
  out << ")\n";
}

void write_keys(const PlacementReport& r, const NamedPlacement& placement, std::ostream& out) {
  const PlacementKeys keys = placement_keys(placement.machines, r.machines());
  const std::string count = std::to_string(keys.ranks_per_machine);
  out << "\nin an experiment, or by flags:\n\n  job.placement: " << keys.machines;
  if (keys.ranks_per_machine > 1) out << "\n  job.ranks_per_machine: " << count;
  out << "\n\n  --set " << shell_word("job.placement=" + keys.machines);
  if (keys.ranks_per_machine > 1) out << " --set job.ranks_per_machine=" << count;
  out << '\n';
}

void write_text(const PlacementReport& r, std::ostream& out) {
  write_title(r, out);
  write_estimates(r, out);
  if (r.plan.plans.size() > 1) write_comparisons(r, out);
  if (const NamedPlacement* placement = r.recommended()) {
    write_machines(r, *placement, out);
    write_keys(r, *placement, out);
  }
  out << '\n';
  for (const auto& sentence : placement_sentences(r)) out << sentence << '\n';
  for (const auto& sentence : r.recording) out << sentence << '\n';
  const Provenance p = provenance_of(r.plan.summary);
  out << '\n' << p.counts() << ", " << p.origin() << '\n';
  for (const auto& row : r.plan.summary.rows)
    if (!row.reason.empty()) out << status_name(row.status) << ": " << row.values.front() << ": " << row.reason << '\n';
}

// ---- for programs --------------------------------------------------------------------------------------------------

Words machine_names(const PlacementReport& r, const Placement& placement) {
  Words names;
  for (const std::size_t machine : placement) names.push_back(r.machines()[machine].name);
  return names;
}

/// A placement. CSV has its machines in one field, with blanks between.
Fields placement_fields(const PlacementReport& r, std::size_t k) {
  const PolicyPlan& p = r.plan.plans[k];
  const ResultRow& row = r.plan.summary.rows[k];
  const Words names = machine_names(r, r.found.best[k].machines);
  std::string in_a_row;
  for (const auto& name : names) in_a_row += (in_a_row.empty() ? "" : " ") + name;
  Fields fields{{"placement", p.policy},
                {"deadline", known(r.plan.request.deadline_s), kInCsv},
                {"risk", known(r.plan.request.risk), kInCsv}};
  add_estimates_of_time(p, fields);
  const BesideBest tau = beside_best(r, k, "tau"), late = beside_best(r, k, "RF");
  fields.push_back({"tau_more", tau.more});
  fields.push_back({"by_tau", tau.standing});
  fields.push_back({"RF_more", late.more});
  fields.push_back({"by_RF", late.standing});
  fields.push_back({"recommended", std::uint64_t{r.plan.advice.best == k ? 1U : 0U}, kInCsv});
  add_origin(row, kForPrograms, fields);
  fields.push_back({"status", std::string(status_name(row.status))});
  fields.push_back({"reason", row.reason});
  fields.push_back({"machines", in_a_row, kInCsv});
  fields.push_back({"machines", texts(names), kInJson});
  return fields;
}

Object machine_object(const PlacementReport& r, std::size_t m, const std::vector<std::size_t>& ranks) {
  const Workstation& w = r.machines()[m];
  const auto rank = [](std::size_t number) -> Value { return std::uint64_t{number}; };
  const List numbers{ranks.size(), [ranks, rank](std::size_t i) { return rank(ranks[i]); }};
  return {{{"name", w.name},
           {"speed_flops", w.speed_flops},
           {"cores", std::uint64_t{static_cast<unsigned>(w.cores)}},
           {"availability", r.plan.plans.front().scenario->owners[m]->mean()},
           {"ranks", numbers},
           {"computing_s", r.field.computing_s(m, ranks)}}};
}

Object whole_of(const PlacementReport& r, const List& placements) {
  const NamedPlacement* best = r.recommended();
  const auto ranks = best != nullptr ? ranks_by_machine(best->machines, r.machines().size())
                                     : std::vector<std::vector<std::size_t>>();
  const List machines{ranks.size(), [&r, ranks](std::size_t m) -> Value { return machine_object(r, m, ranks[m]); }};
  const PlacementKeys keys = best != nullptr ? placement_keys(best->machines, r.machines()) : PlacementKeys();
  return {{{"title", r.plan.summary.title},
           {"version", std::string(version())},
           {"platform", machines_text(r.plan.request)},
           {"trace", r.plan.request.mpi->trace},
           {"ranks", std::uint64_t{r.field.loads.ranks()}},
           {"deadline_s", known(r.plan.request.deadline_s)},
           {"risk", known(r.plan.request.risk)},
           {"confidence", r.plan.advice.confidence},
           {"confidence_of_limits", promise_confidence(r.plan.request, r.plan.advice.confidence)},
           {"placements_tried", std::uint64_t{r.found.tried}},
           {"search_seed", r.found.seed},
           {"search_was_ended", r.found.was_ended},
           {"placements", placements},
           {"recommended", best != nullptr ? Value(best->name) : Value()},
           {"job.placement", keys.machines},
           {"job.ranks_per_machine", std::uint64_t{keys.ranks_per_machine}},
           {"machines", machines},
           {"advice", texts(placement_sentences(r))},
           {"recording", texts(r.recording)},
           {"remarks", texts(r.remarks)}}};
}

}  // namespace

void write_placements(const PlacementReport& r, Format format, std::ostream& out) {
  const auto placement = [&r](std::size_t k) -> Value { return Object{placement_fields(r, k)}; };
  const List placements{r.plan.plans.size(), placement};
  write_document({[&](std::ostream& o) { write_text(r, o); }, placement_fields(r, 0), placements,
                  whole_of(r, placements)},
                 format, out);
}

}  // namespace nowsim
