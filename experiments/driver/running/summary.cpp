// Writing estimates in three formats.
#include "experiments/driver/running/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <ostream>

#include "experiments/driver/running/split_output.hpp"
#include "experiments/driver/text/escapes.hpp"
#include "experiments/driver/text/estimate_formats.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

// ---- table ------------------------------------------------------------------------------------------------------

std::string fixed(double value, int decimals) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  return buffer;
}

std::string general(double value, int digits) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  return buffer;
}

/// The power of ten of a number's first digit, once it is rounded to two: 1 for 9.96, which is shown as 10.
int exponent_of(double value) {
  const int exponent = static_cast<int>(std::floor(std::log10(value)));
  return value >= 9.95 * std::pow(10, exponent) ? exponent + 1 : exponent;
}

/// Rounded to a power of ten: places < 0 are digits before the point.
std::string rounded_to(double value, int places) {
  if (places >= 0) return fixed(value, places);
  const double unit = std::pow(10, -places);
  return fixed(std::round(value / unit) * unit, 0);
}

/// The same, but with the first digit at least.
std::string rounded_or_first(double value, int places) {
  return rounded_to(value, value == 0 ? places : std::max(places, -exponent_of(std::abs(value))));
}

/// Whether an interval is so wide that a value known not to be 0 would be rounded to it.
bool is_first_digit_lost(const Estimate& e, int places) {
  return (e.low > 0 || e.high < 0) && exponent_of(std::abs(e.value)) < -places;
}

/// An interval that reaches further than this many half-widths to one side is written with both ends.
constexpr double kLopsided = 1.3;

/// Whether value and ends are whole numbers, as sizes that were solved for are: they have no decimal places.
bool is_whole(const Estimate& e) {
  return e.value == std::floor(e.value) && e.low == std::floor(e.low) && e.high == std::floor(e.high);
}

/// A value with as many digits as its interval's half-width makes meaningful (two digits of it). An interval that is
/// mere rounding (all replications were the same) is not shown; where one replication gives none, there is a '?'. Of
/// whole numbers in an interval that reaches further on one side it has its ends: their half-width need not be whole.
std::string show(const Estimate& e) {
  if (std::isnan(e.value)) return "-";
  const double h = e.half_width();
  if (std::isnan(h)) return general(e.value, 6) + " ± ?";
  if (!(h > 1e-10 * std::abs(e.value))) return general(e.value, 6);
  if (std::isinf(h)) return general(e.value, 3) + " [" + general(e.low, 3) + ", " + general(e.high, 3) + "]";
  const int two_digits = 1 - exponent_of(h);
  const int places = is_whole(e) ? std::min(two_digits, 0) : two_digits;
  const bool readable = places <= 9 && std::abs(e.value) < 1e9;
  if (readable && is_first_digit_lost(e, places))
    return rounded_or_first(e.value, places) + " [" + rounded_or_first(e.low, places) + ", " +
           rounded_or_first(e.high, places) + "]";
  const double wide_side = std::max(e.high - e.value, e.value - e.low);
  if (readable && (wide_side > kLopsided * h || (is_whole(e) && wide_side > h)))
    return rounded_to(e.value, places) + " [" + rounded_to(e.low, places) + ", " + rounded_to(e.high, places) + "]";
  return readable ? rounded_to(e.value, places) + " ± " + rounded_to(h, places) : general(e.value, 6) + " ± " + general(h, 2);
}

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
      if (!s.metrics[m]->per_workstation) cells.push_back(row.has_results() ? show(row.estimates[m].front()) : "-");
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
        if (s.metrics[m]->per_workstation) cells.push_back(show(row.estimates[m][i]));
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

/// What to say of a point that is less precise than was asked for; "" where nothing was, or it is as precise (though it
/// may have had fewer replications than the least that a stopping rule wants).
std::string missed_precision(const RunPlan& plan, const MetricContext& context, const PointStatistics& statistics) {
  if (plan.precision <= 0) return "";
  const Estimate e = plan.watched(context, statistics);
  StoppingRule rule = plan.rule();
  rule.min_replications = 2;
  if (rule.satisfied(e, statistics.makespan_s.count())) return "";
  const std::string reached = e.value != 0 && std::isfinite(e.half_width())
                                  ? "± " + general(100 * e.half_width() / std::abs(e.value), 2) + " %"
                                  : "not known";
  return "the interval of " + plan.precision_of->name + " is " + reached + ", not ± " +
         general(100 * plan.precision, 4) + " %, after the most replications";
}

std::optional<ReferencePoint> reference_of(const Experiment& experiment, const Point& point,
                                           const PointOutcome& outcome) {
  if (!point.reference || !outcome.reference) return std::nullopt;
  const Point& reference = experiment.points[*point.reference];
  return ReferencePoint{reference.scenario.get(), outcome.reference.get(), reference.solved.get()};
}

}  // namespace

SummaryRow summarise_point(const Experiment& experiment, const Point& point, const PointOutcome& outcome,
                           QuantileMemo* quantiles) {
  SummaryRow row;
  row.values = point.values;
  row.engine = engine_name(outcome.engine);
  row.version = outcome.version;
  row.seed = point.plan.seed;
  row.confidence = point.plan.confidence;
  if (!point.scenario) {  // nothing ran, by no method
    const bool failed = !point.failure.empty();
    row.status = failed ? "failed" : "infeasible";
    row.reason = failed ? point.failure : point.infeasible;
    row.is_unsolved = point.is_unsolved;
    row.engine.clear();
    row.version.clear();
    return row;
  }
  row.variance_reduction = point.plan.variance_reduction;
  row.split = point.split_report;
  for (const auto& w : point.scenario->platform->workstations) row.workstations.push_back(w.name);
  if (!outcome.statistics) {
    row.status = "pending";
    return row;
  }
  if (!outcome.failure.empty()) {
    row.status = "failed";
    row.reason = outcome.failure;
    return row;
  }
  row.replications = outcome.statistics->makespan_s.count();
  const MetricContext context{point.scenario.get(), point.plan.deadline_s, {point.plan.confidence, quantiles},
                              outcome.baseline_s ? &*outcome.baseline_s : nullptr, outcome.step1.get(),
                              point.solved.get(), reference_of(experiment, point, outcome),
                              outcome.baseline_makespans_s};
  for (const Metric* metric : experiment.metrics)
    row.estimates.push_back(metric->estimate(context, *outcome.statistics));
  row.reason = missed_precision(point.plan, context, *outcome.statistics);
  return row;
}

std::string point_text(const Summary& s, const SummaryRow& row) {
  std::string text;
  for (std::size_t a = 0; a < s.axes.size(); ++a) text += (a > 0 ? " " : "") + s.axes[a] + "=" + row.values[a];
  return text;
}

std::string estimate_text(const Estimate& e) { return show(e); }

bool Summary::has_failures() const {
  return std::any_of(rows.begin(), rows.end(), [](const SummaryRow& row) { return row.status == "failed"; });
}

std::string metric_heading(const Metric& metric) {
  return metric.unit.empty() ? metric.name : metric.name + " [" + metric.unit + "]";
}

Provenance provenance_of(const Summary& s) {
  return {replications_text(s),
          one_or_several(s, [](const SummaryRow& r) { return general(100 * r.confidence, 4) + " %"; }),
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

Summary summarise(const Experiment& experiment, const std::vector<PointOutcome>& outcomes) {
  Summary summary{experiment.title, experiment.file, experiment.axes, experiment.metrics, {}};
  QuantileMemo quantiles;
  for (std::size_t p = 0; p < experiment.points.size(); ++p)
    summary.rows.push_back(summarise_point(experiment, experiment.points[p], outcomes[p], &quantiles));
  return summary;
}

void write_summary(const Summary& summary, Format format, std::ostream& out) {
  switch (format) {
    case Format::table: return write_table(summary, out);
    case Format::csv: return write_csv(summary, out);
    case Format::json: return write_json(summary, out);
  }
}

}  // namespace nowsim
