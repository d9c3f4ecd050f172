// What is said of a trace: its fields, findings and picture.
#include "experiments/driver/studies/trace_fit_output.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "experiments/driver/pictures/clock_axis.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/studies/trace_fit_habits.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/user_laws.hpp"

namespace nowsim {

namespace {

std::string time_text(double seconds) { return format_quantity(seconds, Dimension::time); }

/// "0.5900 ± 0.0240" with two digits of the half-width.
std::string with_interval(const Estimate& e) {
  const double h = e.half_width();
  if (!(h > 0)) return short_number(e.value);
  const int decimals = std::min(9, std::max(0, 1 - static_cast<int>(std::floor(std::log10(h)))));
  return fmt::format("{:.{}f} ± {:.{}f}", e.value, decimals, h, decimals);
}

/// Lopsided, so both ends: "36.1 [20.8, 62.8] min".
std::string interval_text(const Estimate& e) {
  const TimeUnit unit = time_unit_for(e.value);
  return fmt::format("{:.3g} [{:.3g}, {:.3g}] {}", e.value / unit.seconds, e.low / unit.seconds, e.high / unit.seconds,
                     unit.name);
}

std::string laws_that_fail(const LoadFit& fit) {
  std::string out;
  for (const auto& value : fit.values)
    if (!value.distance && value.name != "constant") out += (out.empty() ? "" : ", ") + std::string(value.name);
  return out;
}

/// What the numbers do not say by themselves.
std::vector<std::string> findings(const FittedHost& host) {
  constexpr double kCoarse = 3;
  const LoadFit& fit = host.fit;
  std::vector<std::string> out;
  if (host.habits) return out;  // the block has none of this
  const double sd = fit.mean.value * fit.th.value;
  if (!fit.value)
    out.push_back("no law holds TH = " + short_number(fit.th.value) + " at mean " + short_number(fit.mean.value) +
                  ": the owner block has the trace's own values");
  else if (const std::string failing = laws_that_fail(fit); !failing.empty())
    out.push_back("TH is more than these laws hold at this mean: " + failing);
  if (fit.value && !fit.is_near())
    out.push_back("the nearest law, " + std::string(fit.values[*fit.value].name) + ", is " +
                  fmt::format("{:.2f}", *fit.values[*fit.value].distance / sd) +
                  " standard deviations from the values: the owner block has the trace's own");
  if (!fit.is_resolved)
    out.push_back("the trace is short beside its memory: it is worth " +
                  fmt::format("{:.0f}", fit.taken_s / fit.memory_s.value) +
                  " independent observations, so its numbers say little of another time");
  if (sd > 0 && fit.memory_s.value < kCoarse * fit.step_s)
    out.push_back("the interval is hardly longer than the step: sample more often");
  if (fit.day && fit.day->share > 0.1)
    out.push_back("the hour of the day explains " + fmt::format("{:.0f}", 100 * fit.day->share) +
                  " % of the variance (parts of other periods, 17 to 32 h: up to " +
                  fmt::format("{:.0f}", 100 * fit.day->share_of_other_periods) + " %)" +
                  (fit.day->share > 1.5 * fit.day->share_of_other_periods ? ": a day pattern; the owner model's key 'diurnal' describes one"
                                                              : ": no more than its long memory does"));
  return out;
}

/// What is said of a trace; names that stand for texts of a table and for numbers are two.
Fields fit_fields(const FittedHost& host) {
  const LoadFit& fit = host.fit;
  const auto count = [](auto n) { return Value(static_cast<std::uint64_t>(n)); };
  Fields fields{{"trace", host.name, kEverywhere},
                {"file", host.file},
                {"samples", count(fit.samples), kEverywhere},
                {"step", time_text(fit.step_s), kInTable},
                {"step_s", fit.step_s},
                {"span", time_text(fit.span_s), kInTable},
                {"span_s", fit.span_s},
                {"gaps", count(fit.gaps.count), kEverywhere},
                {"a", with_interval(fit.mean), kInTable}};
  add_numbers(fields, "mean", fit.mean);
  fields.push_back({"TH", with_interval(fit.th), kInTable});
  add_numbers(fields, "TH", fit.th);
  add_numbers(fields, "memory_s", fit.memory_s);
  fields.push_back({"window", count(fit.window)});
  fields.push_back({"resolved", fit.is_resolved});
  fields.push_back({"interval", interval_text(fit.interval_s), kInTable});
  add_numbers(fields, "interval_s", fit.interval_s);
  fields.push_back({"length", std::string(fit.length_fit().name), kEverywhere});
  for (const auto& length : fit.lengths)
    fields.push_back({"length_distance_" + std::string(length.name), length.distance});
  fields.push_back({"value", fit.value_name(), kEverywhere});
  fields.push_back({"distance", fmt::format("{:.4f}", fit.value_distance()), kInTable});
  for (const auto& value : fit.values)
    fields.push_back({"value_distance_" + std::string(value.name), known(value.distance)});
  fields.push_back({"day_share", fit.day ? fit.day->share : kNotKnown});
  fields.push_back({"other_periods_share", fit.day ? fit.day->share_of_other_periods : kNotKnown});
  fields.push_back({"no_data_share", fit.gaps.missing_s / fit.span_s});
  fields.push_back({"version", std::string(version())});
  return fields;
}

/// What fits of machines that were recorded at the same time do not have of them.
std::string about_together(const std::vector<FittedHost>& hosts) {
  constexpr double kSome = 0.1;
  std::vector<const LoadSeries*> traces;
  for (const auto& host : hosts) traces.push_back(&host.trace);
  const auto correlation = mean_correlation(traces);
  if (!correlation || std::abs(*correlation) < kSome) return "";
  return "these were recorded at the same time, and what they leave has a correlation of " +
         fmt::format("{:.2f}", *correlation) +
         " in the mean of all pairs: fitted owners have nothing in common; the model 'trace' replays them as they were together";
}

Words lines_on(const std::vector<FittedHost>& hosts, const HabitsAnswer& habits, double confidence) {
  Words lines{"intervals of " + short_number(100 * confidence) +
              " % confidence; distance: mean difference of quantiles, in availability; nowsim " + version()};
  for (const auto& host : hosts)
    for (const auto& finding : findings(host)) lines.push_back(host.name + ": " + finding);
  if (const std::string together = about_together(hosts); !habits.fit && !together.empty()) lines.push_back(together);
  for (auto& sentence : habits_sentences(habits)) lines.push_back(std::move(sentence));
  return lines;
}

}  // namespace

Answer trace_fit_answer(std::vector<FittedHost> given, const HabitsAnswer& habits, double confidence, const TimeZone& zone) {
  const auto kept = std::make_shared<const std::vector<FittedHost>>(std::move(given));
  const std::vector<FittedHost>& hosts = *kept;
  Answer answer;
  answer.show(table_of(hosts, fit_fields, TableLook::list), 1);
  answer.say(lines_on(hosts, habits, confidence));
  answer.tables.push_back(rows_of(".csv", hosts.size(), [&hosts](std::size_t h) { return fit_fields(hosts[h]); }));
  answer.whole = answer.tables.front().rows;
  answer.script = [&hosts, zone](PictureFormat format) { return trace_fit_script(hosts, format, zone); };
  answer.made_of = kept;
  return answer;
}

namespace {

// ---- fits of traces ----

constexpr std::size_t kFitColumns = 700;  // of a series: finer pieces cannot be seen
constexpr std::size_t kLongestHost = 32;  // letters of a trace's name that have room above a panel
enum FitSeries : std::size_t { kMeasured, kItsRange, kFitted, kItsDeviation };

/// Mean, least and greatest value of so many equal parts of a series.
std::vector<ResolvedPoint> pieces(const std::vector<double>& x, double step) {
  std::vector<ResolvedPoint> out;
  const std::size_t n = std::min(kFitColumns, x.size());
  for (std::size_t c = 0; c < n; ++c) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(c * x.size() / n);
    const auto end = x.begin() + static_cast<std::ptrdiff_t>((c + 1) * x.size() / n);
    double sum = 0;
    for (auto i = begin; i != end; ++i) sum += *i;
    const double at = 0.5 * static_cast<double>((begin - x.begin()) + (end - x.begin())) * step;
    out.push_back(
        {at, sum / static_cast<double>(end - begin), *std::min_element(begin, end), *std::max_element(begin, end)});
  }
  return out;
}

ResolvedPanel fit_panel(const std::string& caption, const ResolvedAxis& x, const ResolvedAxis& value,
                        std::vector<ResolvedCurve> curves) {
  ResolvedPanel out;
  out.caption = Label(caption);
  out.x = x;
  // gnuplot's own tics of longer numbers would touch.
  if (x.tics.empty() && short_number(round_step(x.most - x.least, 10)).size() > 3) add_round_tics(*out.x);
  out.value = value;
  out.content = std::move(curves);
  return out;
}

/// The same by the clock, where there are gaps NaN.
std::vector<ResolvedPoint> pieces_by_clock(const LoadSeries& trace, double step_s, double unit_s) {
  struct Piece {
    double sum = 0, seconds = 0;
    ValueRange range = {};
  };
  const double end_s = trace.clock_end_s();
  const std::size_t n = std::clamp<std::size_t>(static_cast<std::size_t>(end_s / step_s), 1, kFitColumns);
  const double piece_s = end_s / static_cast<double>(n);
  std::vector<Piece> all(n);
  const auto clock_s = trace.clock_s();
  for (std::size_t i = 0; i < clock_s.size(); ++i) {
    const double to_s = clock_s[i] + trace.duration_s[i];
    for (auto c = static_cast<std::size_t>(clock_s[i] / piece_s); c < n; ++c) {
      const double begin_s = static_cast<double>(c) * piece_s;
      const double seconds = std::min(to_s, begin_s + piece_s) - std::max(clock_s[i], begin_s);
      if (!(seconds > 0)) break;
      all[c].sum += seconds * trace.availability[i];
      all[c].seconds += seconds;
      all[c].range.add(trace.availability[i], false);
    }
  }
  std::vector<ResolvedPoint> out;
  for (std::size_t c = 0; c < n; ++c)
    out.push_back({(static_cast<double>(c) + 0.5) * piece_s / unit_s, all[c].seconds > 0 ? all[c].sum / all[c].seconds : kNotKnown,
                   all[c].range.least, all[c].range.most});
  return out;
}

/// By whose clock a trace's stamps are: their own, or a zone's; none where they do not say which day it was.
std::optional<AxisClock> clock_of_trace(const Stamp& first, const TimeZone& zone) {
  const auto begin = wall_clock(first, &zone);
  if (!begin || !begin->day) return std::nullopt;
  if (first.kind == StampKind::civil) return axis_clock(*begin);
  return AxisClock{{static_cast<double>(first.whole_s) + first.rest_s, zone}};
}

/// By the clock from the first sample on.
ResolvedAxis series_axis(const AxisClock& clock, bool with_zone, double end_s, const TimeUnit& unit) {
  const std::size_t most_tics = end_s > 3.5 * kDay_s ? 7 : 6;  // of days, or of times, which are longer
  ResolvedAxis x = axis_from(0, end_s / unit.seconds,
                             "time, from " + clock.clock.full_text() + (with_zone ? " (" + clock.clock.zone.name() + ")" : ""));
  x.tics = clock_tics(clock, 0, end_s, unit.seconds, most_tics);
  return x;
}

ResolvedPanel series_panel(const FittedHost& host, const TimeZone& zone) {
  const auto four_digits = [](double x) { return short_number(std::round(x * 1e4) / 1e4); };
  const auto clock = clock_of_trace(host.trace.first, zone);
  const double end_s = clock ? host.trace.clock_end_s() : host.fit.taken_s;
  const TimeUnit unit = time_unit_for(end_s);
  const double end = end_s / unit.seconds, a = host.fit.mean.value, sd = a * host.fit.th.value;
  const auto measured = clock ? pieces_by_clock(host.trace, host.fit.step_s, unit.seconds)
                              : pieces(even_samples(host.trace), host.fit.step_s / unit.seconds);
  std::vector<ResolvedCurve> curves;
  add_stretches(curves, kItsRange, Shape::band, measured);
  add_stretches(curves, kMeasured, Shape::line, measured);
  curves.push_back(curve_of(kFitted, Shape::line, {{0, a}, {end, a}}));
  for (const double y : {a - sd, a + sd}) curves.push_back(curve_of(kItsDeviation, Shape::line, {{0, y}, {end, y}}));
  const std::string name = shortened(short_name(host.name), kLongestHost);
  return fit_panel(
      name + ": a = " + four_digits(a) + ", TH = " + four_digits(host.fit.th.value),
      clock ? series_axis(*clock, host.trace.first.kind != StampKind::civil, end_s, unit)
            : axis_from(0, end, std::string("time [") + unit.name + (host.trace.cuts.empty() ? "]" : "], without gaps")),
      axis_from(0, 1.02, "availability"), std::move(curves));
}

ResolvedPanel values_panel(const FittedHost& host) {
  constexpr std::size_t kParts = 400;
  const LoadFit& fit = host.fit;
  const std::vector<double> measured = load_quantiles(host.trace, kParts);
  const DistributionPtr law = fit.is_near()
                                  ? make_value_law(fit.value_name(), std::min(fit.mean.value, 1.0), fit.th.value)
                                  : empirical(fit.own_values);
  std::vector<ResolvedPoint> of_trace, of_law;
  ValueRange range;
  for (const double x : measured) range.add(x, false);
  for (std::size_t i = 0; i < kParts; ++i) {
    const double u = (static_cast<double>(i) + 0.5) / kParts, x = law->quantile(u);
    of_trace.push_back({measured[i], u});
    of_law.push_back({x, u});
    range.add(x, false);
  }
  const double margin = std::max(0.02 * (range.most - range.least), 1e-4);
  return fit_panel(
      fit.is_near() ? "values: " + fit.value_name() : "values: their own",
      axis_from(range.least - margin, range.most + margin, "availability"),
      axis_from(0, 1.02, "share of the time below"),
      {curve_of(kMeasured, Shape::line, std::move(of_trace)), curve_of(kFitted, Shape::line, std::move(of_law))});
}

ResolvedPanel memory_panel(const FittedHost& host) {
  const LoadFit& fit = host.fit;
  const std::vector<double> x = even_samples(host.trace);
  const auto lags = std::clamp<std::size_t>(fit.window * 3 / 2, 10, x.size() - 1);
  const std::size_t stride = lags / kFitColumns + 1;
  const std::vector<double> rho = autocorrelation(x, lags, stride);
  const TimeUnit unit = time_unit_for(static_cast<double>(lags) * fit.step_s);
  std::vector<ResolvedPoint> of_trace, of_law;
  for (std::size_t k = 0; k < rho.size(); ++k) {
    const double lag_s = static_cast<double>(k * stride) * fit.step_s;
    of_trace.push_back({lag_s / unit.seconds, rho[k]});
    of_law.push_back(
        {lag_s / unit.seconds, interval_autocorrelation(fit.length_fit().name, fit.interval_s.value, lag_s)});
  }
  return fit_panel(
      "memory: " + std::string(fit.length_fit().name) + ", " + format_quantity(fit.interval_s.value, Dimension::time),
      axis_from(0, static_cast<double>(lags) * fit.step_s / unit.seconds, std::string("lag [") + unit.name + "]"),
      axis_from(std::min(-0.05, *std::ranges::min_element(rho) - 0.05), 1.02, "autocorrelation"),
      {curve_of(kMeasured, Shape::line, std::move(of_trace)), curve_of(kFitted, Shape::line, std::move(of_law))});
}

}  // namespace

std::string trace_fit_script(const std::vector<FittedHost>& hosts, PictureFormat format, const TimeZone& zone) {
  if (std::ranges::all_of(hosts, [](const FittedHost& host) { return host.habits.has_value(); }))
    return habits_script(hosts, format, zone);
  const std::size_t rows = std::min(hosts.size(), kMostFitRows);
  const std::string left_out =
      hosts.size() > rows ? "; not drawn: the other " + std::to_string(hosts.size() - rows) + " traces" : "";
  ResolvedFigure out = picture_of("fit", "Owner model intervals, fitted to measured availability",
                                  "series: mean and range of each pixel, a and a ± its standard deviation; nowsim " +
                                      std::string(version()) + left_out,
                                  format);
  const std::string fitted = colour_at(0.2);
  out.series = {{"measured", "measured", false, {}, SeriesStyle{"#505050"}},
                {"range", "range in a pixel", false, {}, SeriesStyle{"#d4d4d4"}},
                {"fitted", "fitted", false, {}, SeriesStyle{fitted}},
                {"deviation", "a ± its standard deviation", false, {}, SeriesStyle{fitted, "2"}}};
  out.has_captions = true;
  for (std::size_t r = 0; r < rows; ++r)
    for (auto& panel : {series_panel(hosts[r], zone), values_panel(hosts[r]), memory_panel(hosts[r])}) out.panels.push_back(panel);
  return layered_script(
      out,
      {.most_columns = 3, .plot_width = 350, .plot_height = 180, .left = 76, .right = 18, .has_legend_below = true});
}

}  // namespace nowsim
