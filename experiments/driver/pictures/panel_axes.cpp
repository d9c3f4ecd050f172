// One line for each: name, scale, range and tics.
#include "experiments/driver/pictures/panel_axes.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"

namespace nowsim {

namespace {

/// Pixels that a number on an axis takes: along x its letters, along y its height.
constexpr double kTicLetter = 7.8, kTicGap = 14, kTicHeight = 24;

/// A round step, 1, 2 or 5 times a power of ten, of which a range has at most so many.
double round_step(double range, double most) {
  const double least = range / std::max(1.0, most), power = std::pow(10, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= least * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

/// How wide the numbers at the ends of a range are, in steps of it [letters].
double widest_number(double least, double most, double step) {
  const auto rounded = [&](double x) { return short_number(std::round(x / step) * step).size(); };
  return static_cast<double>(std::max({rounded(least), rounded(most), rounded((least + most) / 2)}));
}

/// "autofreq", or the step with which numbers along x do not touch.
std::string x_step(double least, double most, double room) {
  if (room <= 0 || !(most > least)) return "autofreq";
  double step = round_step(most - least, room / (3 * kTicLetter + kTicGap));
  for (int tries = 0; tries < 6; ++tries) {
    const double fitting = round_step(most - least, room / (widest_number(least, most, step) * kTicLetter + kTicGap));
    if (fitting <= step * (1 + 1e-9)) break;
    step = fitting;
  }
  return number_text(step);
}

/// Leaves out what would touch what stands before it; places along a logarithmic or linear axis.
std::vector<AxisTic> fitting_tics(const ResolvedAxis& about, double room) {
  const auto place = [&](double at) { return about.log ? std::log(at) : at; };
  const double per_unit = room / (place(about.most) - place(about.least));
  std::vector<AxisTic> out;
  double end = -kInfinity;
  for (const auto& tic : about.tics) {
    const double middle = (place(tic.at) - place(about.least)) * per_unit;
    const double half = kTicLetter * static_cast<double>(tic.label.width()) / 2;
    if (middle - half < end + 6) continue;
    out.push_back(tic);
    end = middle + half;
  }
  return out;
}

/// What a panel shows of its metric.
ValueRange shown_values(const ResolvedPanel& panel) {
  ValueRange range;
  if (const auto* curves = std::get_if<std::vector<ResolvedCurve>>(&panel.content))
    for (const auto& curve : *curves)
      for (const auto& point : curve.points)
        for (const double y : {point.y, point.low, point.high}) range.add(y, panel.value.log);
  if (const auto* points = std::get_if<std::vector<SurfacePoint>>(&panel.content))
    for (const auto& point : *points) range.add(point.value, panel.value.log);
  return range;
}

}  // namespace

std::string value_step(const ResolvedPanel& panel, double room) {
  const ValueRange shown = shown_values(panel);
  if (room <= 0 || room > 12 * kTicHeight || panel.value.log || !(shown.most > shown.least)) return "autofreq";
  return number_text(round_step(shown.most - shown.least, room / kTicHeight));
}

std::string tic_list(const std::vector<AxisTic>& tics, bool is_enhanced) {
  std::string out;
  for (const auto& [at, label] : tics)
    out +=
        (out.empty() ? "(" : ", ") + tic_string(is_enhanced ? enhanced(label) : label.text()) + " " + number_text(at);
  return (out.empty() ? "(" : out) + ")";
}

void write_axis(Script& script, const std::string& axis, const ResolvedAxis& about, const std::string& label,
                const std::string& label_options, const std::string& tic_options, double room) {
  script.line("set " + axis + "label " + label + " enhanced" + label_options);
  script.line((about.log ? "set logscale " : "unset logscale ") + axis);
  script.line("set " + axis + "range [" + number_text(about.least) + ":" + number_text(about.most) + "]");
  if (about.tics.empty())
    return script.line("set " + axis + "tics " + x_step(about.least, about.most, about.log ? 0 : room) + tic_options);
  const auto tics = room > 0 ? fitting_tics(about, room) : about.tics;
  const bool is_plain = std::ranges::all_of(tics, [](const AxisTic& tic) { return tic.label.is_plain(); });
  script.line("set " + axis + "tics" + tic_options + (is_plain ? " noenhanced " : " enhanced ") +
              tic_list(tics, !is_plain));
}

void write_value_range(Script& script, const ResolvedPanel& panel, double room) {
  script.line("set ytics " + value_step(panel, room));
  if (!panel.has_results)
    return script.line("set yrange [1:2]; set label 4 'no results' at graph 0.5, graph 0.5 center");
  if (std::isnan(panel.value.least)) return script.line("set autoscale y; unset label 4");
  script.line("set yrange [" + number_text(panel.value.least) + ":" + number_text(panel.value.most) +
              "]; unset label 4");
  if (!panel.value.log || panel.value.most >= 100 * panel.value.least) return;
  std::vector<AxisTic> tics;  // gnuplot would name the powers of ten alone, of which there may be one
  for (const double at : log_tics(panel.value.least, panel.value.most)) tics.push_back({at, short_number(at)});
  script.line("set ytics " + tic_list(tics, false));
}

}  // namespace nowsim
