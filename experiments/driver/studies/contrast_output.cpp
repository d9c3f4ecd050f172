// Tables, sentences, and rows of fields.
#include "experiments/driver/studies/contrast_output.hpp"

#include <algorithm>
#include <ostream>

#include "experiments/driver/running/decision_output.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/contrast_text.hpp"
#include "experiments/driver/studies/isoefficiency_text.hpp"
#include "experiments/driver/text/text_table.hpp"

namespace nowsim {
namespace {

constexpr const char* kBetterNames[] = {"unknown", "lower", "higher"};

// ---- for people ------------------------------------------------------------------------------------------------

std::string told_of(const ContrastCell& cell, const ContrastValue& value) {
  return cell.nothing.empty() ? standing_text(value.standing) : "";
}

/// A value's columns; the first of a cell names it.
Fields table_fields(const ContrastReport& report, const MetricContrasts& contrasts, const ColumnUnit& unit,
                    const ContrastCell& cell, const ContrastValue& value, bool is_first) {
  Fields fields;
  for (const auto& [key, at] : cell.at) fields.push_back({short_key(key), is_first ? at : std::string(), kInTable});
  if (contrasts.metric->per_workstation)
    fields.push_back({"workstation", is_first ? cell.workstation : std::string(), kInTable});
  const std::string from = "from " + shortened(compared_name(report), 20);
  const bool is_one = value.standing == ContrastStanding::compared_with;
  const auto difference = [&](const Estimate& e) { return is_one ? Value() : Value(e); };
  const Fields more{{short_key(report.key), value.value, kInTable},
                    {contrasts.metric->name, value.estimate, kInTable, unit.name, unit.seconds},
                    {from, difference(value.difference), kInTable, difference_unit(unit), unit.seconds},
                    {"that is", difference(value.percent), kInTable, "%"},
                    {"told", told_of(cell, value), kInTable}};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

void write_cells(const ContrastReport& report, const MetricContrasts& contrasts, std::ostream& out) {
  const auto known = std::ranges::find_if(contrasts.cells, [](const auto& cell) { return !cell.values.empty(); });
  if (known == contrasts.cells.end()) return;
  const ColumnUnit unit = contrast_unit(contrasts);
  const Fields head = table_fields(report, contrasts, unit, *known, known->values.front(), true);
  TextTable table(table_head(head));
  for (const auto& cell : contrasts.cells)
    for (const auto& value : cell.values)
      table.add(table_cells(table_fields(report, contrasts, unit, cell, value, &value == cell.values.data())));
  table.write(out, head.size() - 4);
  out << '\n';
}

/// Cells in which nothing is compared, and points without results: the first of them.
void write_left_out(const ContrastReport& report, std::ostream& out) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> lines;
  for (const auto& contrasts : report.metrics)
    for (const auto& cell : contrasts.cells)
      if (!cell.nothing.empty())
        lines.push_back("not compared by " + contrasts.metric->name + ": " + cell_text(cell) +
                        (cell_text(cell).empty() ? "" : ": ") + cell.nothing);
  for (const auto& [r, reason] : report.left_out) {
    const ResultRow& row = report.summary.rows[r];
    lines.push_back((row.has_results() ? "left out" : status_name(row.told_status())) + std::string(": ") +
                    point_text(report.summary, row) + (reason.empty() ? "" : ": ") + reason);
  }
  for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i) out << lines[i] << '\n';
  if (lines.size() > kMost) out << "and " << lines.size() - kMost << " more (--format csv gives every reason)\n";
  if (!lines.empty()) out << '\n';
}

void write_text(const ContrastReport& report, std::ostream& out) {
  out << report.summary.title << ": " << question_of(report, report.metrics.front()) << "\n\n";
  for (const auto& contrasts : report.metrics) {
    if (&contrasts != report.metrics.data()) out << question_of(report, contrasts) << "\n\n";
    write_cells(report, contrasts, out);
    for (const auto& sentence : contrast_sentences(report, contrasts)) out << sentence << '\n';
    out << '\n';
  }
  write_left_out(report, out);
  const Provenance p = provenance_of(report.summary);
  if (p.seed == "-") return;  // nothing has results
  if (has_decisions(report.summary)) out << kIntervalsAfterStopping << '\n';
  out << p.counts() << " (" << joint_text(report) << "), " << p.origin() << '\n';
}

// ---- for programs ----------------------------------------------------------------------------------------------

/// One row for programs; of a point that is compared nowhere without a cell.
struct ContrastEntry {
  const MetricContrasts* contrasts;
  const ContrastCell* cell;
  const ContrastValue* value;
  const ResultRow* row;
  std::string reason;
};

std::vector<ContrastEntry> entries_of(const ContrastReport& report) {
  std::vector<ContrastEntry> out;
  for (const auto& contrasts : report.metrics)
    for (const auto& cell : contrasts.cells)
      for (const auto& value : cell.values)
        out.push_back({&contrasts, &cell, &value, &report.summary.rows[value.row], cell.nothing});
  for (const auto& contrasts : report.metrics)
    for (const auto& [row, reason] : report.left_out)
      out.push_back({&contrasts, nullptr, nullptr, &report.summary.rows[row], reason});
  return out;
}

/// What CSV and JSON say of a value.
Fields value_fields(const ContrastReport& report, const ContrastEntry& entry) {
  const bool is_compared = entry.value != nullptr && entry.cell->nothing.empty();
  const auto of = [&](Estimate ContrastValue::*estimate) {
    return entry.value != nullptr ? entry.value->*estimate : kUnknownEstimate;
  };
  return {{"value", of(&ContrastValue::estimate)},
          {"against", report.against.empty() ? std::string("best") : report.against, kInCsv},
          {"difference", of(&ContrastValue::difference)},
          {"percent", of(&ContrastValue::percent)},
          {"told", is_compared ? std::string(standing_text(entry.value->standing)) : std::string()},
          {"paired", is_compared ? pairing_word(*entry.cell) : std::string(), kInCsv},
          {"together", std::uint64_t{is_compared ? entry.cell->values.size() - 1 : 0}, kInCsv},
          {"confidence", entry.row->confidence},
          {"replications", entry.row->replications},
          {"intervals", std::string(entry.row->decided ? kAfterStopping : ""),
           has_decisions(report.summary) ? kForPrograms : 0},
          {"seed", entry.row->seed},
          {"engine", entry.row->engine},
          {"version", entry.row->version},
          {"status", std::string(status_name(entry.row->status))},
          {"reason", entry.reason}};
}

bool has_workstations(const ContrastReport& report) {
  return std::ranges::any_of(report.metrics, [](const auto& m) { return m.metric->per_workstation; });
}

Fields row_fields_of(const ContrastReport& report, const ContrastEntry& entry) {
  Fields fields{{"metric", entry.contrasts->metric->name}, {"unit", entry.contrasts->metric->unit}};
  for (std::size_t a = 0; a < report.summary.axes.size(); ++a)
    fields.push_back({report.summary.axes[a], entry.row->values[a]});
  if (has_workstations(report))
    fields.push_back({"workstation", entry.cell != nullptr ? entry.cell->workstation : std::string()});
  const Fields more = value_fields(report, entry);
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

Object axes_at(const ContrastReport& report, const ResultRow& row) {
  Object object;
  for (std::size_t a = 0; a < report.summary.axes.size(); ++a)
    object.fields.push_back({report.summary.axes[a], row.values[a]});
  return object;
}

Object value_object(const ContrastReport& report, const ContrastEntry& entry) {
  Fields fields{{"at", axes_at(report, *entry.row)}};
  const Fields more = value_fields(report, entry);
  fields.insert(fields.end(), more.begin(), more.end());
  return {fields};
}

Object cell_object(const ContrastReport& report, const MetricContrasts& contrasts, const ContrastCell& cell) {
  Object where;
  for (const auto& [key, value] : cell.at) where.fields.push_back({key, value});
  if (!cell.workstation.empty()) where.fields.push_back({"workstation", cell.workstation});
  const auto value = [&](const ContrastValue& one) {
    return value_object(report, {&contrasts, &cell, &one, &report.summary.rows[one.row], ""});
  };
  return {{{"where", where},
           {"paired", pairing_word(cell)},
           {"together", std::uint64_t{cell.values.empty() ? 0 : cell.values.size() - 1}},
           {"not_compared", cell.nothing},
           {"values", list_of(cell.values, value)}}};
}

Object metric_object(const ContrastReport& report, const MetricContrasts& contrasts) {
  const auto cell = [&](const ContrastCell& one) { return cell_object(report, contrasts, one); };
  return {{{"metric", contrasts.metric->name},
           {"unit", contrasts.metric->unit},
           {"better", std::string(kBetterNames[static_cast<std::size_t>(contrasts.better)])},
           {"says", texts(contrast_sentences(report, contrasts))},
           {"cells", list_of(contrasts.cells, cell)}}};
}

Object whole_of(const ContrastReport& report) {
  const auto metric = [&](const MetricContrasts& one) { return metric_object(report, one); };
  const auto left = [&](const RowLeftOut& one) {
    return Object{{{"at", axes_at(report, report.summary.rows[one.row])}, {"reason", one.reason}}};
  };
  return {{{"title", report.summary.title},
           {"version", std::string(version())},
           {"key", report.key},
           {"against", report.against.empty() ? std::string("best") : report.against},
           {"metrics", list_of(report.metrics, metric)},
           {"left_out", list_of(report.left_out, left)}}};
}

}  // namespace

void write_contrasts(const ContrastReport& report, Format format, std::ostream& out) {
  const auto entries = entries_of(report);
  const auto fields = [&](const ContrastEntry& entry) { return Object{row_fields_of(report, entry)}; };
  const ContrastEntry first{report.metrics.data(), nullptr, nullptr, report.summary.rows.data(), ""};
  write_document({[&](std::ostream& o) { write_text(report, o); }, row_fields_of(report, first),
                  list_of(entries, fields), whole_of(report)},
                 format, out);
}

}  // namespace nowsim
