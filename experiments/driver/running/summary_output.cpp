// The rows of a summary as a table, as CSV and as JSON.
#include "experiments/driver/running/summary_output.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "experiments/driver/running/split_output.hpp"
#include "experiments/driver/text/escapes.hpp"
#include "experiments/driver/text/estimate_formats.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

// ---- table ------------------------------------------------------------------------------------------------------

bool reduces_variance(const Summary& s) {
  return std::ranges::any_of(s.rows,
                             [](const SummaryRow& row) { return row.variance_reduction != &kNoVarianceReduction; });
}

void write_main_table(const Summary& s, std::ostream& out) {
  std::vector<std::string> head = s.axes;
  for (const Metric* metric : s.metrics)
    if (!metric->per_workstation) head.push_back(metric_heading(*metric));
  if (head.size() == s.axes.size()) return;
  TextTable table(head);
  for (const auto& row : s.rows) {
    std::vector<std::string> cells = row.values;
    for (std::size_t m = 0; m < s.metrics.size(); ++m)
      if (!s.metrics[m]->per_workstation) cells.push_back(row.has_results() ? estimate_text(row.estimates[m].front()) : "-");
    table.add(std::move(cells));
  }
  table.write(out, s.axes.size());
}

/// The per-workstation metrics: a line per point and workstation.
void write_workstation_table(const Summary& s, std::ostream& out) {
  std::vector<std::string> head = s.axes;
  head.emplace_back("workstation");
  const std::size_t keep = head.size();
  for (const Metric* metric : s.metrics)
    if (metric->per_workstation) head.push_back(metric_heading(*metric));
  if (head.size() == keep) return;
  TextTable table(head);
  for (const auto& row : s.rows) {
    for (std::size_t i = 0; row.has_results() && i < row.workstations.size(); ++i) {
      std::vector<std::string> cells = row.values;
      cells.push_back(row.workstations[i]);
      for (std::size_t m = 0; m < s.metrics.size(); ++m)
        if (s.metrics[m]->per_workstation) cells.push_back(estimate_text(row.estimates[m][i]));
      table.add(std::move(cells));
    }
  }
  out << '\n';
  table.write(out, keep);
}

/// "1000", or the range where a precision decided.
std::string replications_text(const Summary& s) {
  std::uint64_t least = 0, most = 0;
  for (const auto& row : s.rows) {
    if (!row.has_results()) continue;
    least = most == 0 ? row.replications : std::min(least, row.replications);
    most = std::max(most, row.replications);
  }
  return least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
}

std::string one_or_several(const Summary& s, const auto& of) {
  std::string first;
  for (const auto& row : s.rows) {
    if (!row.has_results()) continue;
    if (first.empty()) first = of(row);
    else if (first != of(row)) return "several";
  }
  return first.empty() ? "-" : first;
}

/// Points of which there is something to say: the first few with their reasons; CSV and JSON have all.
void write_exceptions(const Summary& s, const std::string& status, const std::string& word, std::ostream& out) {
  constexpr std::size_t kMost = 3;
  std::size_t count = 0;
  for (const auto& row : s.rows) {
    if (row.status != status || row.reason.empty() || ++count > kMost) continue;
    out << word << ": " << point_text(s, row) << (s.axes.empty() ? "" : ": ") << row.reason << '\n';
  }
  if (count > kMost) out << word << ": and " << count - kMost << " more points (--format csv gives every reason)\n";
}

/// How the results came about.
void write_provenance(const Summary& s, std::ostream& out) {
  const Provenance p = provenance_of(s);
  out << p.replications << (p.replications == "1" ? " replication" : " replications") << ", ± "
      << (p.confidence == "several" ? "at several confidences" : p.confidence + " confidence") << ", " << p.origin()
      << '\n';
}

void write_table(const Summary& s, std::ostream& out) {
  out << s.title << '\n' << '\n';
  write_main_table(s, out);
  const bool any_results = std::ranges::any_of(s.rows, &SummaryRow::has_results);
  if (any_results) write_workstation_table(s, out);
  out << '\n';
  if (any_results) write_provenance(s, out);
  else out << "no results, nowsim " << version() << '\n';
  for (const char* status : {"infeasible", "failed"}) write_exceptions(s, status, status, out);
  write_exceptions(s, "ok", "imprecise", out);
}

// ---- CSV --------------------------------------------------------------------------------------------------------

/// How many columns a metric takes: one, or as many as the largest point with results has
/// workstations.
std::size_t columns_of(const Summary& s, std::size_t m) {
  std::size_t most = 1;
  if (s.metrics[m]->per_workstation)
    for (const auto& row : s.rows)
      if (row.has_results()) most = std::max(most, row.workstations.size());
  return most;
}

/// An estimate's columns: its value, and the interval's half-width and ends.
void write_csv_names(const std::string& name, std::ostream& out) {
  for (const char* part : {"", "_hw", "_low", "_high"}) out << name << part << ',';
}

void write_csv_estimate(const Estimate& e, std::ostream& out) {
  for (const double number : {e.value, e.half_width(), e.low, e.high}) out << csv_number(number) << ',';
}

void write_csv_head(const Summary& s, std::ostream& out) {
  for (const auto& axis : s.axes) out << csv_field(axis) << ',';
  for (std::size_t m = 0; m < s.metrics.size(); ++m) {
    const std::string& name = s.metrics[m]->name;
    if (!s.metrics[m]->per_workstation) {
      write_csv_names(name, out);
      continue;
    }
    for (std::size_t i = 1; i <= columns_of(s, m); ++i) write_csv_names(name + "_" + std::to_string(i), out);
  }
  out << "replications,seed,engine,version,status,reason" << (reduces_variance(s) ? ",variance_reduction\n" : "\n");
}

void write_csv_row(const Summary& s, const SummaryRow& row, std::ostream& out) {
  for (const auto& value : row.values) out << csv_field(value) << ',';
  for (std::size_t m = 0; m < s.metrics.size(); ++m) {
    for (std::size_t i = 0; i < columns_of(s, m); ++i) {
      const bool known = row.has_results() && i < row.estimates[m].size();
      if (known) write_csv_estimate(row.estimates[m][i], out);
      else out << ",,,,";
    }
  }
  out << row.replications << ',' << row.seed << ',' << row.engine << ',' << row.version << ',' << row.status << ','
      << csv_field(row.reason);
  if (reduces_variance(s)) out << ',' << row.variance_reduction->name;
  out << '\n';
}

void write_csv(const Summary& s, std::ostream& out) {
  write_csv_head(s, out);
  for (const auto& row : s.rows) write_csv_row(s, row, out);
}

// ---- JSON -------------------------------------------------------------------------------------------------------

std::string json_metric(const Metric& metric, const SummaryRow& row, const std::vector<Estimate>& estimates) {
  if (!metric.per_workstation) return json_estimate(estimates.front());
  std::string out = "{";
  for (std::size_t i = 0; i < estimates.size(); ++i)
    out += (i > 0 ? ", " : "") + json_text(row.workstations[i]) + ": " + json_estimate(estimates[i]);
  return out + "}";
}

void write_json_row(const Summary& s, const SummaryRow& row, std::ostream& out) {
  out << "    {\"axes\": {";
  for (std::size_t a = 0; a < s.axes.size(); ++a) {
    const auto number = to_number(row.values[a]);
    out << (a > 0 ? ", " : "") << json_text(s.axes[a]) << ": "
        << (number ? number_text(*number) : json_text(row.values[a]));
  }
  out << "}, \"metrics\": {";
  for (std::size_t m = 0; row.has_results() && m < s.metrics.size(); ++m)
    out << (m > 0 ? ", " : "") << json_text(s.metrics[m]->name) << ": "
        << json_metric(*s.metrics[m], row, row.estimates[m]);
  out << "}, \"replications\": " << row.replications << ", \"seed\": " << row.seed << ", \"confidence\": "
      << json_number(row.confidence) << ", \"engine\": "
      << json_text(row.engine) << ", \"version\": " << json_text(row.version) << ", \"status\": " << json_text(row.status);
  if (row.variance_reduction != &kNoVarianceReduction)
    out << ", \"variance_reduction\": " << json_text(row.variance_reduction->name);
  if (!row.reason.empty()) out << ", \"reason\": " << json_text(row.reason);
  if (row.split) out << ", \"split\": " << split_json(row);
  out << "}";
}

void write_json(const Summary& s, std::ostream& out) {
  out << "{\n  \"title\": " << json_text(s.title) << ",\n  \"version\": " << json_text(version())
      << ",\n  \"units\": {";
  for (std::size_t m = 0; m < s.metrics.size(); ++m)
    out << (m > 0 ? ", " : "") << json_text(s.metrics[m]->name) << ": " << json_text(s.metrics[m]->unit);
  out << "},\n  \"points\": [\n";
  for (std::size_t r = 0; r < s.rows.size(); ++r) {
    write_json_row(s, s.rows[r], out);
    out << (r + 1 < s.rows.size() ? ",\n" : "\n");
  }
  out << "  ]\n}\n";
}

}  // namespace

std::string metric_heading(const Metric& metric) {
  return metric.unit.empty() ? metric.name : metric.name + " [" + metric.unit + "]";
}

Provenance provenance_of(const Summary& s) {
  return {replications_text(s),
          one_or_several(s, [](const SummaryRow& r) { return fmt::format("{:.4g} %", 100 * r.confidence); }),
          one_or_several(s, [](const SummaryRow& r) { return std::to_string(r.seed); }),
          one_or_several(s, [](const SummaryRow& r) { return r.engine; }),
          one_or_several(s, [](const SummaryRow& r) { return r.version; }),
          reduces_variance(s)
              ? one_or_several(s, [](const SummaryRow& r) { return std::string(r.variance_reduction->name); })
              : ""};
}

std::string Provenance::origin() const {
  return "seed " + seed + ", engine " + engine +
         (variance_reduction.empty() ? "" : ", variance reduction: " + variance_reduction) + ", nowsim " + version;
}

void write_summary(const Summary& summary, Format format, std::ostream& out) {
  switch (format) {
    case Format::table: return write_table(summary, out);
    case Format::csv: return write_csv(summary, out);
    case Format::json: return write_json(summary, out);
  }
}

}  // namespace nowsim
