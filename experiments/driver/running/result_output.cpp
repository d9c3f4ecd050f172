// Rows of results, and what was decided of their cells, as tables, as CSV and as JSON.
#include "experiments/driver/running/result_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <ranges>

#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/batch_record.hpp"

namespace nowsim {
namespace {

// ---- units, and what has no interval -------------------------------------------------------------------------------

TimeRange range_of_metric(const ResultTable& summary, std::size_t m) {
  TimeRange times;
  for (const auto& row : summary.rows)
    if (row.has_results())
      for (const auto& e : row.estimates[m]) times.add(e.value);
  return times;
}

bool lacks_some(const std::vector<Estimate>& estimates) { return std::ranges::any_of(estimates, lacks_interval); }

/// Metrics that lack intervals in some row of those that a condition holds for.
Words metrics_without(const ResultTable& s, const auto& is_meant) {
  Words names;
  for (std::size_t m = 0; m < s.metrics.size(); ++m) {
    const bool lacks = std::ranges::any_of(s.rows, [&](const ResultRow& row) {
      return row.has_results() && row.observations() > 1 && is_meant(row) && lacks_some(row.estimates[m]);
    });
    if (lacks) names.push_back(s.metrics[m]->name);
  }
  return names;
}

std::string has_none(const Words& names) { return joined(names) + (names.size() == 1 ? " has" : " have"); }

/// Whether a row's estimates lack intervals since it has one replication, or one pair of replications.
bool is_single(const ResultRow& row) {
  return row.has_results() && row.observations() < 2 && std::ranges::any_of(row.estimates, lacks_some);
}

/// Why others lack them, a sentence each: "± ?: on more than 32 workstations T_i has no intervals".
std::vector<std::string> unknown_interval_reasons(const ResultTable& summary) {
  std::vector<std::string> reasons;
  const auto is_large = [](const ResultRow& row) { return row.workstations.size() > kMostWithValues; };
  const auto is_small = [&](const ResultRow& row) { return !is_large(row); };
  if (const Words names = metrics_without(summary, is_large); !names.empty())
    reasons.push_back("± ?: on more than " + std::to_string(kMostWithValues) + " workstations " + has_none(names) +
                      " no intervals");
  if (const Words names = metrics_without(summary, is_small); !names.empty())
    reasons.push_back("± ?: " + has_none(names) + " no interval here, since none is known of what " +
                      (names.size() == 1 ? "it is" : "they are") + " computed from");
  return reasons;
}

// ---- decisions, gathered into the cells in which rows were compared ------------------------------------------------

/// The rows of a cell, of those about which something is decided.
using CellRows = ResultRows;

std::vector<CellRows> decided_cells(const ResultTable& s) {
  std::map<std::size_t, CellRows> cells;
  for (const auto& row : s.rows)
    if (row.decided) cells[row.decided->cell].push_back(&row);
  const auto all = std::views::values(cells);
  return {all.begin(), all.end()};
}

/// The axes that tell cells apart: those along which no cell varies.
std::vector<std::size_t> axes_of_cells(const ResultTable& s, const std::vector<CellRows>& cells) {
  std::vector<std::size_t> axes;
  for (std::size_t a = 0; a < s.axes.size(); ++a) {
    const auto varies = [a](const CellRows& cell) {
      return std::ranges::any_of(cell, [&](const auto* row) { return row->values[a] != cell.front()->values[a]; });
    };
    if (s.axes[a] != cells.front().front()->decided->key && std::ranges::none_of(cells, varies)) axes.push_back(a);
  }
  return axes;
}

/// Replications of a cell's points, or of all cells', and of as many for each as for the one that got most.
struct Spent {
  std::uint64_t replications = 0, equally = 0, least = 0, most = 0;
  [[nodiscard]] std::uint64_t saved() const { return equally - replications; }
};

Spent spent_on(const CellRows& cell) {
  Spent spent{0, 0, cell.front()->replications, 0};
  for (const auto* row : cell) {
    spent.replications += row->replications;
    spent.least = std::min(spent.least, row->replications);
    spent.most = std::max(spent.most, row->replications);
  }
  spent.equally = spent.most * cell.size();
  return spent;
}

std::string range_text(std::uint64_t least, std::uint64_t most) {
  return least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
}

/// A cell's values by how they stand, and its replications.
Fields cell_fields(const ResultTable& s, const std::vector<std::size_t>& axes, const CellRows& cell) {
  const Decided& d = *cell.front()->decided;
  Fields fields;
  Object where;
  for (const std::size_t a : axes) {
    fields.push_back({s.axes[a], cell.front()->values[a], kInTable});
    where.fields.push_back({s.axes[a], cell.front()->values[a]});
  }
  append(fields, {{"axes", where, kInJson},
                  {"key", d.key, kInJson},
                  {"by", d.metric, kInJson},
                  {"indifference", d.indifference, kInJson},
                  {"confidence", cell.front()->confidence, kInJson}});
  for (const Standing standing : {Standing::best, Standing::equal, Standing::worse, Standing::open}) {
    Words values;
    for (const auto* row : cell)
      if (row->decided->standing == standing) values.push_back(s.value(*row, d.key));
    if (standing != Standing::worse)
      fields.push_back({standing_name(standing), values.empty() ? "-" : joined(values), kInTable});
    fields.push_back({standing_name(standing), texts(std::move(values)), kInJson});
  }
  const Spent spent = spent_on(cell);
  append(fields, {{"replications", range_text(spent.least, spent.most), kInTable},
                  {"replications", spent.replications, kInJson},
                  {"saved", spent.saved(), kInTable | kInJson}});
  return fields;
}

List decision_list(const ResultTable& s) {
  const auto cells = decided_cells(s);
  return {cells.size(), [&s, cells, axes = axes_of_cells(s, cells)](std::size_t i) -> Value {
            return Object{cell_fields(s, axes, cells[i])};
          }};
}

/// The cells, and what all that means.
void write_decisions(const ResultTable& s, std::ostream& out) {
  const auto cells = decided_cells(s);
  const auto axes = axes_of_cells(s, cells);
  table_of(cells, [&](const CellRows& cell) { return cell_fields(s, axes, cell); }).write(out, axes.size());
  Spent all;
  for (const auto& cell : cells) {
    const Spent spent = spent_on(cell);
    all.replications += spent.replications;
    all.equally += spent.equally;
  }
  const Decided& d = *cells.front().front()->decided;
  const bool is_share = deciding_metric(d.metric)->is_share;
  out << "\ndecided by " << d.metric << ": with " << short_number(100 * cells.front().front()->confidence)
      << " % confidence, cell by cell, no other value of " << d.key << " is better than the best by more than\n"
      << (is_share ? short_number(d.asked) + " of " : short_number(100 * d.asked) + " % of the least ") << d.metric
      << (is_share ? "" : ", as the first " + std::to_string(kFirstReplications) + " replications had it")
      << "\nequal: measured within that of the best; open: not told after the most replications\n"
      << all.replications << " replications, of " << all.equally
      << " that as many for each as for the longest would take: " << all.saved() << " saved\n"
      << kIntervalsAfterStopping << '\n';
}

/// What a row says of it, in CSV flat: as columns of their own, blank where nothing is decided about the row.
Fields decision_fields(const ResultRow& row, unsigned csv) {
  const Value nothing = std::string();
  if (!row.decided)
    return {{"decided", nothing, csv},
            {"decided_by", nothing, csv},
            {"indifference", Value(), csv},
            {"intervals", nothing, csv}};
  const unsigned in = csv | kInJson;
  return {{"decided", std::string(standing_name(row.decided->standing)), in},
          {"decided_by", row.decided->metric, in},
          {"indifference", row.decided->indifference, in},
          {"intervals", std::string(kAfterStopping), in}};
}

// ---- rows ----------------------------------------------------------------------------------------------------------

bool reduces_variance(const ResultTable& s) {
  return std::ranges::any_of(s.rows,
                             [](const ResultRow& row) { return row.variance_reduction != &kNoVarianceReduction; });
}

/// What a row's columns depend on besides the row.
struct RowColumns {
  std::size_t workstations = 1;  ///< the most of a row with results
  bool variance_reduction = false;
  bool decisions = false;
  std::vector<ColumnUnit> units;  ///< of each metric, in tables
};

RowColumns columns_of(const ResultTable& s) {
  RowColumns columns{1, reduces_variance(s), has_decisions(s), metric_units(s)};
  for (const auto& row : s.rows)
    if (row.has_results()) columns.workstations = std::max(columns.workstations, row.workstations.size());
  return columns;
}

/// A metric's estimates by the workstations' names.
Object estimates_object(const ResultRow& row, const std::vector<Estimate>& estimates) {
  Object object;
  for (std::size_t i = 0; i < estimates.size(); ++i) object.fields.push_back({row.workstations[i], estimates[i]});
  return object;
}

/// The axes by name, with numbers as such.
Object axes_object(const ResultTable& s, const ResultRow& row) {
  Object object;
  for (std::size_t a = 0; a < s.axes.size(); ++a) {
    const auto number = to_number(row.values[a]);
    object.fields.push_back({s.axes[a], number ? Value(*number) : Value(row.values[a])});
  }
  return object;
}

Object metrics_object(const ResultTable& s, const ResultRow& row) {
  Object object;
  for (std::size_t m = 0; row.has_results() && m < s.metrics.size(); ++m) {
    const Metric& metric = *s.metrics[m];
    const auto& estimates = row.estimates[m];
    const Value value = metric.per_workstation ? Value(estimates_object(row, estimates)) : estimates[0];
    object.fields.push_back({metric.name, value});
  }
  return object;
}

/// An estimate as tables and CSV have it.
Field estimate_field(const std::string& name, const Estimate& e, unsigned in, const ColumnUnit& unit) {
  return {name, e, in, unit.name, unit.seconds, true};
}

/// A row's columns of a metric: one, or as many as the largest point has workstations.
void add_metric(const ResultTable& s, const ResultRow& row, std::size_t m, const RowColumns& columns, Fields& fields) {
  const Metric& metric = *s.metrics[m];
  const auto of = [&](std::size_t i) {
    return row.has_results() && i < row.estimates[m].size() ? row.estimates[m][i] : kUnknownEstimate;
  };
  if (!metric.per_workstation)
    return fields.push_back(estimate_field(metric.name, of(0), kInTable | kInCsv, columns.units[m]));
  for (std::size_t i = 0; i < columns.workstations; ++i)
    fields.push_back(estimate_field(metric.name + "_" + std::to_string(i + 1), of(i), kInCsv, columns.units[m]));
}

Fields row_fields(const ResultTable& s, const ResultRow& row, const RowColumns& columns) {
  Fields fields = axis_fields(s, row, kInTable | kInCsv);
  fields.push_back({"axes", axes_object(s, row), kInJson});
  for (std::size_t m = 0; m < s.metrics.size(); ++m) add_metric(s, row, m, columns, fields);
  const bool is_reduced = row.variance_reduction != &kNoVarianceReduction;
  const std::string reduction = row.variance_reduction->name;
  append(fields, {{"metrics", metrics_object(s, row), kInJson},
                  {"replications", row.replications},
                  {"seed", row.seed},
                  {"confidence", row.confidence, kInJson},
                  {"engine", row.engine},
                  {"version", row.version},
                  {"status", std::string(status_name(row.status))},
                  {"variance_reduction", reduction, is_reduced ? kInJson : 0},
                  {"reason", row.reason, row.reason.empty() ? kInCsv : kForPrograms},
                  {"variance_reduction", reduction, columns.variance_reduction ? kInCsv : 0}});
  append(fields, decision_fields(row, columns.decisions ? kInCsv : 0));
  if (row.split) fields.push_back({"split", split_object(row), kInJson});
  return fields;
}

/// A row of which nothing is known but its columns.
ResultRow blank_row(const ResultTable& s) {
  ResultRow row;
  row.values.resize(s.axes.size());
  return row;
}

/// A workstation's columns of the metrics that are one per workstation.
Fields workstation_fields(const ResultTable& s, const ResultRow& row, std::size_t i,
                          const std::vector<ColumnUnit>& units) {
  Fields fields = axis_fields(s, row, kInTable | kInCsv);
  fields.push_back({"workstation", i < row.workstations.size() ? row.workstations[i] : "", kInTable});
  for (std::size_t m = 0; m < s.metrics.size(); ++m) {
    const Metric& metric = *s.metrics[m];
    const Estimate e = row.has_results() && metric.per_workstation ? row.estimates[m][i] : kUnknownEstimate;
    if (metric.per_workstation) fields.push_back(estimate_field(metric.name, e, kInTable, units[m]));
  }
  return fields;
}

bool has_metrics(const ResultTable& s, bool per_workstation) {
  return std::ranges::any_of(s.metrics, [&](const Metric* m) { return m->per_workstation == per_workstation; });
}

/// "1000", or the range where a precision decided.
std::string replications_text(const ResultTable& s) {
  std::uint64_t least = 0, most = 0;
  for (const auto& row : s.rows) {
    if (!row.has_results()) continue;
    least = most == 0 ? row.replications : std::min(least, row.replications);
    most = std::max(most, row.replications);
  }
  return range_text(least, most);
}

std::string one_or_several(const ResultTable& s, const std::function<std::string(const ResultRow&)>& of) {
  const auto values = values_that_ran(s, of);
  return values.empty() ? "-" : values.size() == 1 ? values.front().first : "several";
}

/// Points of which there is something to say: the first few with their reasons; CSV and JSON have all.
void write_exceptions(const ResultTable& s, PointStatus status, const std::string& word, std::ostream& out) {
  constexpr std::size_t kMost = 3;
  std::size_t count = 0;
  for (const auto& row : s.rows) {
    if (row.told_status() != status || row.reason.empty() || ++count > kMost) continue;
    out << word << ": " << point_text(s, row) << (s.axes.empty() ? "" : ": ") << row.reason << '\n';
  }
  if (count > kMost) out << word << ": and " << count - kMost << " more points (--format csv gives every reason)\n";
}

void write_table(const ResultTable& s, std::ostream& out) {
  out << s.title << "\n\n";
  point_table(s, true).write(out, s.axes.size());
  const bool any_results = has_run(s);
  if (any_results && has_metrics(s, true)) workstation_table(s).write(out << '\n', s.axes.size() + 1);
  out << '\n';
  if (has_decisions(s)) write_decisions(s, out);
  out << (any_results ? run_line(s) : std::string("no results, nowsim ") + version()) << '\n';
  for (const std::string& reason : unknown_interval_reasons(s)) out << reason << '\n';
  for (const PointStatus status : {PointStatus::infeasible, PointStatus::failed})
    write_exceptions(s, status, status_name(status), out);
  write_exceptions(s, PointStatus::ok, "imprecise", out);
  if (!s.remark.empty()) out << "remark: " << s.remark << '\n';
}

/// All of it; JSON's outer object.
Object whole_of(const ResultTable& s, const List& rows) {
  Object units;
  for (const Metric* metric : s.metrics) units.fields.push_back({metric->name, metric->unit});
  Object whole{{{"title", s.title}, {"version", std::string(version())}, {"units", units}, {"points", rows}}};
  if (has_decisions(s)) whole.fields.push_back({"decisions", decision_list(s)});
  if (!s.remark.empty()) whole.fields.push_back({"remark", s.remark});
  return whole;
}

}  // namespace

std::vector<ColumnUnit> metric_units(const ResultTable& summary) {
  std::vector<ColumnUnit> units;
  std::vector<std::size_t> in_seconds;
  std::vector<TimeRange> ranges;
  for (std::size_t m = 0; m < summary.metrics.size(); ++m) {
    units.push_back({summary.metrics[m]->unit.c_str(), 1});
    if (summary.metrics[m]->unit != "s") continue;
    in_seconds.push_back(m);
    ranges.push_back(range_of_metric(summary, m));
  }
  const auto told = units_of_times(ranges);
  for (std::size_t i = 0; i < told.size(); ++i) units[in_seconds[i]] = told[i];
  return units;
}

bool has_decisions(const ResultTable& summary) {
  return std::ranges::any_of(summary.rows, [](const ResultRow& row) { return row.decided.has_value(); });
}

bool lacks_interval(const Estimate& estimate) {
  return !std::isnan(estimate.value) && std::isnan(estimate.half_width());
}

std::vector<std::pair<std::string, std::size_t>> values_that_ran(
    const ResultTable& s, const std::function<std::string(const ResultRow&)>& of) {
  std::vector<std::pair<std::string, std::size_t>> values;
  for (const auto& row : s.rows) {
    if (!row.has_results()) continue;
    const std::string value = of(row);
    auto known = std::ranges::find(values, value, &std::pair<std::string, std::size_t>::first);
    if (known == values.end()) known = values.insert(known, {value, 0});
    ++known->second;
  }
  return values;
}

Provenance provenance_of(const ResultTable& s) {
  return {replications_text(s),
          one_or_several(s, [](const ResultRow& r) { return fmt::format("{:.4g} %", 100 * r.confidence); }),
          one_or_several(s, [](const ResultRow& r) { return std::to_string(r.seed); }),
          one_or_several(s, [](const ResultRow& r) { return r.engine; }),
          one_or_several(s, [](const ResultRow& r) { return r.version; }),
          reduces_variance(s)
              ? one_or_several(s, [](const ResultRow& r) { return std::string(r.variance_reduction->name); })
              : "",
          std::ranges::any_of(s.rows, is_single)};
}

std::string Provenance::counts() const {
  if (has_single && replications == "1") return "1 replication (± ?: one has no interval)";
  const std::string of = confidence == "several" ? "at several confidences" : confidence + " confidence";
  return replications + (replications == "1" ? " replication" : " replications") + ", ± " + of +
         (has_single ? " (± ?: one replication, or a pair, has no interval)" : "");
}

std::string Provenance::origin() const {
  return "seed " + seed + ", engine " + engine +
         (variance_reduction.empty() ? "" : ", variance reduction: " + variance_reduction) + ", nowsim " + version;
}

Fields axis_fields(const ResultTable& table, const ResultRow& row, unsigned in) {
  Fields fields;
  for (std::size_t a = 0; a < table.axes.size(); ++a) fields.push_back({table.axes[a], row.values[a], in});
  return fields;
}

Fields run_fields(const ResultRow& row, unsigned in) {
  return {{"replications", row.replications, in},
          {"seed", row.seed, in},
          {"engine", row.engine, in},
          {"version", row.version, in}};
}

bool has_run(const ResultTable& table) { return std::ranges::any_of(table.rows, &ResultRow::has_results); }

std::string run_line(const ResultTable& table, const std::string& of_intervals) {
  const Provenance p = provenance_of(table);
  return p.counts() + (of_intervals.empty() ? "" : " (" + of_intervals + ")") + ", " + p.origin();
}

std::vector<std::string> run_lines(const ResultTable& table) {
  std::vector<std::string> lines{run_line(table)};
  for (const auto& row : table.rows)
    if (!row.reason.empty())
      lines.push_back((row.status == PointStatus::ok ? "imprecise" : status_name(row.status)) + std::string(": ") +
                      (row.values.empty() ? "" : row.values.front() + ": ") + row.reason);
  if (!table.remark.empty()) lines.push_back("remark: " + table.remark);
  return lines;
}

TextTable point_table(const ResultTable& s, bool with_all) {
  if (!has_metrics(s, false)) return TextTable({});
  const RowColumns columns{.units = metric_units(s)};
  TextTable table(table_head(row_fields(s, blank_row(s), columns)));
  for (const auto& row : s.rows)
    if (with_all || row.has_results()) table.add(table_cells(row_fields(s, row, columns)));
  return table;
}

TextTable workstation_table(const ResultTable& s) {
  if (!has_metrics(s, true)) return TextTable({});
  const auto units = metric_units(s);
  TextTable table(table_head(workstation_fields(s, blank_row(s), 0, units)));
  for (const auto& row : s.rows)
    for (std::size_t i = 0; row.has_results() && i < row.workstations.size(); ++i)
      table.add(table_cells(workstation_fields(s, row, i, units)));
  return table;
}

void write_summary(const ResultTable& summary, Format format, std::ostream& out) {
  const RowColumns columns = columns_of(summary);
  const auto fields = [&](const ResultRow& row) { return Object{row_fields(summary, row, columns)}; };
  const List rows = list_of(summary.rows, fields);
  write_document({[&](std::ostream& o) { write_table(summary, o); },
                  row_fields(summary, blank_row(summary), columns), rows, whole_of(summary, rows)},
                 format, out);
}

}  // namespace nowsim
