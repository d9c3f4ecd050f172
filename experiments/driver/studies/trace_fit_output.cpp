// Columns, findings, and one list of fields for CSV and JSON.
#include "experiments/driver/studies/trace_fit_output.hpp"

#include <cmath>
#include <cstdio>
#include <ostream>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/escapes.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Row = std::vector<std::string>;

std::string formatted(const char* format, double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, format, x);
  return buffer;
}

std::string time_text(double seconds) { return format_quantity(seconds, Dimension::time); }

/// "0.5900 ± 0.0240" with two digits of the half-width.
std::string with_interval(const Estimate& e) {
  const double h = e.half_width();
  if (!(h > 0)) return short_number(e.value);
  const int decimals = std::min(9, std::max(0, 1 - static_cast<int>(std::floor(std::log10(h)))));
  char buffer[80];
  std::snprintf(buffer, sizeof buffer, "%.*f ± %.*f", decimals, e.value, decimals, h);
  return buffer;
}

/// Lopsided, so both ends: "36.1 [20.8, 62.8] min".
std::string interval_text(const Estimate& e) {
  const TimeUnit unit = time_unit_for(e.value);
  const auto text = [&](double x) { return formatted("%.3g", x / unit.seconds); };
  return text(e.value) + " [" + text(e.low) + ", " + text(e.high) + "] " + unit.name;
}

double distance_of(const TraceFit& fit) { return fit.value ? *fit.values[*fit.value].distance : std::nan(""); }

Row table_row(const FittedHost& host) {
  const TraceFit& fit = host.fit;
  return {host.name,
          std::to_string(fit.samples),
          time_text(fit.step_s),
          time_text(fit.span_s),
          std::to_string(fit.gaps),
          with_interval(fit.mean),
          with_interval(fit.th),
          interval_text(fit.interval_s),
          std::string(fit.length_fit().name),
          fit.value ? fit.value_name() : "none",
          fit.value ? formatted("%.4f", distance_of(fit)) : "-"};
}

std::string laws_that_fail(const TraceFit& fit) {
  std::string out;
  for (const auto& value : fit.values)
    if (!value.distance && value.name != "constant") out += (out.empty() ? "" : ", ") + std::string(value.name);
  return out;
}

/// What the numbers do not say by themselves.
std::vector<std::string> findings(const FittedHost& host) {
  constexpr double kCoarse = 3, kRough = 0.25;
  const TraceFit& fit = host.fit;
  std::vector<std::string> out;
  const double sd = fit.mean.value * fit.th.value;
  if (!fit.value)
    out.push_back("no law holds TH = " + short_number(fit.th.value) + " at mean " + short_number(fit.mean.value) +
                  ": the owner block replays the trace");
  else if (const std::string failing = laws_that_fail(fit); !failing.empty())
    out.push_back("TH is more than these laws hold at this mean: " + failing);
  if (fit.value && sd > 0 && distance_of(fit) > kRough * sd)
    out.push_back("the values' law is far from the trace's: " + formatted("%.2f", distance_of(fit) / sd) +
                  " of its standard deviation");
  if (!fit.is_resolved)
    out.push_back("the trace is short beside its memory: it is worth " +
                  formatted("%.0f", fit.span_s / fit.memory_s.value) +
                  " independent observations, so its numbers say little of another time");
  if (sd > 0 && fit.memory_s.value < kCoarse * fit.step_s)
    out.push_back("the interval is hardly longer than the step: sample more often");
  if (fit.day && fit.day->share > 0.1)
    out.push_back("the hour of the day explains " + formatted("%.0f", 100 * fit.day->share) +
                  " % of the variance (parts of other periods, 17 to 32 h: up to " +
                  formatted("%.0f", 100 * fit.day->share_of_other_periods) + " %)" +
                  (fit.day->share > 1.5 * fit.day->share_of_other_periods ? ": a day pattern; the owner model's key 'diurnal' describes one"
                                                              : ": no more than its long memory does"));
  return out;
}

void write_table(const std::vector<FittedHost>& hosts, double confidence, std::ostream& out) {
  TextTable table({"trace", "samples", "step", "span", "gaps", "a", "TH", "interval", "length", "value", "distance"},
                  TableLook::list);
  for (const auto& host : hosts) table.add(table_row(host));
  table.write(out, 1);
  out << "\nintervals of " << short_number(100 * confidence)
      << " % confidence; distance: mean difference of quantiles, in availability; nowsim " << version() << '\n';
  for (const auto& host : hosts)
    for (const auto& finding : findings(host)) out << host.name << ": " << finding << '\n';
}

/// A field's name and its value, which is text or a number.
struct HostField {
  std::string name, text;
  bool is_number = true;
};
HostField number_field(const std::string& name, double x) { return {name, std::isfinite(x) ? number_text(x) : ""}; }

std::vector<HostField> fields_of(const FittedHost& host) {
  const TraceFit& fit = host.fit;
  std::vector<HostField> out{{"trace", host.name, false}, {"file", host.file, false}};
  const auto add = [&](const std::string& name, double x) { out.push_back(number_field(name, x)); };
  const auto add_estimate = [&](const std::string& name, const Estimate& e) {
    add(name, e.value);
    add(name + "_low", e.low);
    add(name + "_high", e.high);
  };
  add("samples", static_cast<double>(fit.samples));
  add("step_s", fit.step_s);
  add("span_s", fit.span_s);
  add("gaps", static_cast<double>(fit.gaps));
  add_estimate("mean", fit.mean);
  add_estimate("TH", fit.th);
  add_estimate("memory_s", fit.memory_s);
  add("window", static_cast<double>(fit.window));
  out.push_back({"resolved", fit.is_resolved ? "true" : "false"});
  add_estimate("interval_s", fit.interval_s);
  out.push_back({"length", std::string(fit.length_fit().name), false});
  for (const auto& length : fit.lengths) add("length_distance_" + std::string(length.name), length.distance);
  out.push_back({"value", fit.value ? fit.value_name() : "none", false});
  for (const auto& value : fit.values)
    add("value_distance_" + std::string(value.name), value.distance.value_or(std::nan("")));
  add("day_share", fit.day ? fit.day->share : std::nan(""));
  add("other_periods_share", fit.day ? fit.day->share_of_other_periods : std::nan(""));
  out.push_back({"version", version(), false});
  return out;
}

void write_csv(const std::vector<FittedHost>& hosts, std::ostream& out) {
  std::string head;
  for (const auto& field : fields_of(hosts.front())) head += (head.empty() ? "" : ",") + field.name;
  out << head << '\n';
  for (const auto& host : hosts) {
    std::string row;
    for (const auto& field : fields_of(host)) row += csv_field(field.text) + ",";
    row.pop_back();
    out << row << '\n';
  }
}

void write_json(const std::vector<FittedHost>& hosts, std::ostream& out) {
  out << "[";
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    out << (h == 0 ? "\n" : ",\n");
    std::string object;
    for (const auto& field : fields_of(hosts[h]))
      object += (object.empty() ? "" : ", ") + json_text(field.name) + ": " +
                (!field.is_number     ? json_text(field.text)
                 : field.text.empty() ? "null"
                                      : field.text);
    out << "  {" << object << "}";
  }
  out << "\n]\n";
}

}  // namespace

void write_trace_fits(const std::vector<FittedHost>& hosts, Format format, double confidence, std::ostream& out) {
  if (format == Format::csv) return write_csv(hosts, out);
  if (format == Format::json) return write_json(hosts, out);
  write_table(hosts, confidence, out);
}

}  // namespace nowsim
