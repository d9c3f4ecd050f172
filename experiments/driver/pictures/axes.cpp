#include "experiments/driver/pictures/axes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>

#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/metrics/growth_law.hpp"

namespace nowsim {
namespace {

constexpr std::string_view kSeconds = "[s]";

constexpr double kMargin = 0.04;       // of the range
constexpr std::size_t kMostTics = 12;  // of an axis whose values are all named

/// Where the last parts that are neither lowered nor raised begin.
std::size_t begin_of_end(const Label& label) {
  std::size_t k = label.parts.size();
  while (k > 0 && label.parts[k - 1].shift.empty()) --k;
  return k;
}

std::string end_on_the_line(const Label& label) {
  std::string text;
  for (std::size_t k = begin_of_end(label); k < label.parts.size(); ++k) text += label.parts[k].text;
  return text;
}

std::vector<double> tics_within(double least, double most, const std::vector<int>& digits) {
  std::vector<double> tics;
  for (double power = std::floor(std::log10(least)); power <= std::log10(most); ++power)
    for (const int digit : digits)
      if (const double tic = digit * std::pow(10, power); tic >= least && tic <= most) tics.push_back(tic);
  return tics;
}

Label power_label(const std::string& exponent) { return label_of("10^{" + exponent + "}"); }

/// 1, 10, ... beyond what is read at a glance.
bool are_long_powers_of_ten(const std::vector<double>& positions) {
  const auto is_power = [](double x) { return x == std::pow(10.0, std::round(std::log10(x))); };
  return std::ranges::max(positions) >= 1e5 && std::ranges::all_of(positions, is_power);
}

/// Words always, few values of a log axis by themselves.
std::vector<AxisTic> tics_of(const AxisScale& scale, bool log) {
  std::vector<AxisTic> out;
  if (!scale.words && (!log || scale.positions.size() > kMostTics)) return out;
  const bool powers = !scale.words && are_long_powers_of_ten(scale.positions);
  for (std::size_t i = 0; i < scale.positions.size(); ++i) {
    const double at = scale.positions[i];
    out.push_back({at, powers        ? power_label(short_number(std::round(std::log10(at))))
                       : scale.words ? Label(short_name(scale.texts[i]))
                                     : Label(short_number(at))});
  }
  return out;
}

std::string made_label(const Metric& metric) {
  return name_in_labels(metric.name) + (metric.unit.empty() ? "" : " [" + metric.unit + "]");
}

/// The unit of an x axis of times.
ColumnUnit unit_of_axis(const FigureAxis& about, const Label& label, const std::vector<double>& values) {
  TimeRange times;
  for (const double value : values) times.add(value);
  return axis_unit(about.unit, label, unit_of_times(times));
}

/// Whether numbers in a unit have at most three digits.
bool are_short_in(const ColumnUnit& unit, const std::vector<double>& positions) {
  return std::ranges::all_of(positions, [&](double at) {
    char text[40];
    std::snprintf(text, sizeof text, "%.2e", at / unit.seconds);
    return std::abs(to_number(text).value_or(0) - at / unit.seconds) <= 1e-9 * std::abs(at / unit.seconds);
  });
}

/// Positions of times, and what the axis says of them, in the unit that suits them.
void tell_positions(const FigureAxis& about, AxisScale& scale, ResolvedAxis& axis) {
  if (scale.dimension != Dimension::time && !tells_seconds(axis.label)) return;
  ColumnUnit unit = unit_of_axis(about, axis.label, scale.positions);
  if (about.log && about.unit.empty() && !are_short_in(unit, scale.positions)) unit = {"s", 1};  // each has its tic
  axis.label = in_unit(axis.label, unit);
  axis.unit = unit.seconds;
  for (double& at : scale.positions) at /= unit.seconds;
}

}  // namespace

ValueRange::ValueRange() : least(kInfinity), most(-least) {}

void ValueRange::add(double y, bool log) {
  if (!std::isfinite(y) || (log && y <= 0)) return;
  least = std::min(least, y);
  most = std::max(most, y);
}

void ValueRange::add(const ValueRange& other) {
  least = std::min(least, other.least);
  most = std::max(most, other.most);
}

ValueRange ValueRange::with_margin(bool log) const {
  ValueRange out = *this;
  if (log) {
    const double factor = most > least ? std::pow(most / least, kMargin) : 2;
    out.least /= factor;
    out.most *= factor;
    return out;
  }
  const double size = std::abs(most), margin = kMargin * (most > least ? most - least : size > 0 ? size : 1);
  out.least -= margin;
  out.most += margin;
  return out;
}

int ValueRange::power_of_ten() const {
  const double size = std::max(std::abs(least), std::abs(most));
  if (!std::isfinite(size) || size == 0 || (size >= 1e-3 && size < 1e6)) return 0;
  return 3 * static_cast<int>(std::floor(std::log10(size) / 3));
}

bool ValueRange::needs_powers() const { return (least < 1e-3 || most > 1e5) && most >= 100 * least; }

std::vector<double> log_tics(double least, double most) {
  auto tics = tics_within(least, most, {1, 2, 5});
  if (tics.size() < 3) tics = tics_within(least, most, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  return tics.size() < 2 ? std::vector<double>{least, most} : tics;
}

double round_step(double range, double most) {
  const double least = range / std::max(1.0, most), power = std::pow(10, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= least * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

ResolvedAxis::ResolvedAxis() : least(std::numeric_limits<double>::quiet_NaN()), most(least) {}

void ResolvedAxis::show(const ValueRange& range) {
  least = range.least;
  most = range.most;
}

ResolvedAxis axis_of_key(const FigureAxis& about, AxisScale scale, bool to_edge) {
  ResolvedAxis out;
  out.shows = about.key;
  out.label =
      about.label.empty() ? with_unit(short_name(about.key), unit_name(scale.dimension)) : label_of(about.label);
  out.log = about.log;
  tell_positions(about, scale, out);
  out.tics = tics_of(scale, about.log);
  for (std::size_t i = 0; i < scale.texts.size(); ++i) out.values.push_back({scale.texts[i], scale.positions[i]});
  if (scale.positions.empty()) return out;
  const auto [least, most] = std::ranges::minmax(scale.positions);
  const double from = about.log ? std::log(least) : least, to = about.log ? std::log(most) : most;
  const double edge = to_edge && most > least ? 0 : most > least && !scale.words ? 0.03 * (to - from) : 0.5;
  const auto back = [&](double at) { return about.log ? std::exp(at) : at; };
  out.least = back(from - edge);
  out.most = back(to + edge);
  return out;
}

ResolvedAxis axis_of_metric(const Metric& metric, const FigureAxis& about, ValueRange values) {
  ResolvedAxis out;
  const bool log = about.log;
  out.shows = metric.name;
  out.is_metric = true;
  out.log = log;
  std::string label = about.label.empty() ? made_label(metric) : about.label;
  if (metric.unit == "s") {
    const ColumnUnit time = unit_of_axis(about, label_of(label), {values.least, values.most});
    label = in_unit(label, time);
    out.unit = time.seconds;
    values.least /= out.unit;
    values.most /= out.unit;
  }
  out.in_powers = log && values.needs_powers();
  out.power = out.in_powers ? 0 : values.power_of_ten();
  out.label = metric_label(label, metric, out.power);
  const double power = std::pow(10, out.power);
  if (values.least > values.most) values.add(power, log);  // no results, so any will do
  const ValueRange shown = values.with_margin(log);
  out.least = shown.least / power;
  out.most = shown.most / power;
  out.unit *= power;
  if (log && shown.most < 100 * shown.least)
    for (const double at : log_tics(values.least / power, values.most / power))
      out.tics.push_back({at, short_number(at)});
  return out;
}

ResolvedAxis axis_of_values(const FigurePanel& panel, const Metric& metric) {
  ResolvedAxis out;
  out.shows = metric.name;
  out.is_metric = true;
  out.log = panel.log;
  const Label name = (panel.half_width ? "half-width of " : "") + label_of(name_in_labels(metric.name));
  out.label = panel.label.empty() ? with_unit(name, metric.unit) : label_of(panel.label);
  return out;
}

Label series_label(const FigureAxis& about) {
  return about.label.empty() ? Label(short_name(about.key.substr(about.key.rfind('.') + 1))) : label_of(about.label);
}

Label value_label(const FigureAxis& about, const std::string& value) {
  const auto own = about.labels.find(value);
  return own == about.labels.end() ? Label(short_name(value)) : label_of(own->second);
}

Label legend_label(const FigureAxis& about, const std::string& value) {
  const auto own = about.labels.find(value);
  return own == about.labels.end() ? series_label(about) + " = " + short_name(value) : label_of(own->second);
}

std::string name_in_labels(const std::string& metric) {
  const auto law = std::ranges::find_if(growth_laws(), [&](const GrowthLaw& l) { return l.name == metric; });
  return law == growth_laws().end() ? metric : law->formula;
}

Label metric_label(const std::string& label, const Metric& metric, int power) {
  std::string text = label.empty() ? made_label(metric) : label;
  if (power == 0) return label_of(text);
  const std::string factor = "10^{" + std::to_string(power) + "}";
  const std::size_t bracket = text.ends_with(']') ? text.rfind('[') : std::string::npos;
  return label_of(bracket == std::string::npos ? text + " [" + factor + "]" : text.insert(bracket + 1, factor + " "));
}

bool tells_seconds(const Label& label) {
  return end_on_the_line(label).ends_with(kSeconds);
}

std::string in_unit(std::string label, const ColumnUnit& unit) {
  const std::string own = std::string("[") + unit.name + "]";
  if (label.ends_with(kSeconds)) return label.replace(label.size() - kSeconds.size(), kSeconds.size(), own);
  return unit.seconds == 1 || label.ends_with(own) ? label : label + " " + own;
}

ColumnUnit axis_unit(const std::string& asked, const Label& label, const ColumnUnit& fitting) {
  const auto own = std::ranges::find(time_axis_units(), asked);
  if (own != time_axis_units().end()) return {own->c_str(), parse_quantity("1" + asked, Dimension::time)};
  return tells_seconds(label) ? fitting : ColumnUnit{"s", 1};
}

Label in_unit(Label label, const ColumnUnit& unit) {
  const std::string end = in_unit(end_on_the_line(label), unit);
  label.parts.resize(begin_of_end(label));
  return label += end;
}

}  // namespace nowsim
