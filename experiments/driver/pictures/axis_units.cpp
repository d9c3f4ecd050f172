// Panels of one metric as one range of times, then every position divided.
#include "experiments/driver/pictures/axis_units.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "experiments/driver/pictures/figure_rows.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::string_view kSeconds = "[s]";

/// What a panel shows a metric by: panels alike in it share a unit.
auto shown_metric(const FigurePanel& panel) {
  return std::tuple(panel.metric, panel.metrics, panel.half_width, panel.unit);
}

bool shows_seconds(const FigurePanel& panel, const ResultTable& summary) {
  const std::string& name = panel.metrics.empty() ? panel.metric : panel.metrics.front();
  return !name.empty() && summary.metric(name).unit == "s";
}

/// What lies along a panel's axis of its metric: values, and with `ends` those of intervals.
std::vector<double*> along_axis(PanelContent& content, bool ends) {
  std::vector<double*> out;
  if (auto* curves = std::get_if<std::vector<ResolvedCurve>>(&content))
    for (auto& curve : *curves)
      for (auto& point : curve.points) {
        out.push_back(&point.y);
        if (ends) out.insert(out.end(), {&point.low, &point.high});
      }
  if (auto* points = std::get_if<std::vector<SurfacePoint>>(&content))
    for (auto& point : *points) out.push_back(&point.value);
  return out;
}

/// Panels that show times by the same metric, and the unit that is asked of them.
struct MetricPanels {
  const FigurePanel* first;
  std::vector<std::size_t> panels;
  TimeRange times;
};

std::vector<MetricPanels> panels_with_times(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  std::vector<MetricPanels> groups;
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const FigurePanel& panel = figure.panels[p];
    if (std::holds_alternative<std::vector<WinnerCell>>(out.panels[p].content) || !shows_seconds(panel, summary))
      continue;
    auto group = std::ranges::find_if(
        groups, [&](const MetricPanels& g) { return shown_metric(*g.first) == shown_metric(panel); });
    if (group == groups.end()) group = groups.insert(groups.end(), {&panel, {}, {}});
    group->panels.push_back(p);
    for (const double* value : along_axis(out.panels[p].content, false)) group->times.add(*value);
  }
  return groups;
}

/// The axis as the panel's resolver left it, in seconds, and all that lies along it.
void divide(const FigurePanel& about, const ColumnUnit& fitting, ResolvedPanel& panel) {
  ResolvedAxis& axis = panel.value;
  const ColumnUnit unit = axis_unit(about.unit, axis.label, fitting);
  axis.label = in_unit(axis.label, unit);
  axis.unit = unit.seconds;
  axis.least /= unit.seconds;
  axis.most /= unit.seconds;
  for (double* value : along_axis(panel.content, true)) *value /= unit.seconds;
  ValueRange shown;
  for (const double* value : along_axis(panel.content, false)) shown.add(*value, axis.log);
  axis.in_powers = axis.in_powers && shown.needs_powers();
}

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

/// What stands in brackets at a label's end.
std::string unit_told(const Label& label) {
  const std::string end = end_on_the_line(label);
  const std::size_t bracket = end.rfind('[');
  return bracket == end.npos || !end.ends_with(']') ? "" : end.substr(bracket + 1, end.size() - bracket - 2);
}

/// The panels with a curve of this series.
std::vector<const ResolvedPanel*> panels_with(const ResolvedFigure& figure, std::size_t series) {
  std::vector<const ResolvedPanel*> out;
  for (const auto& panel : figure.panels)
    if (const auto* curves = std::get_if<std::vector<ResolvedCurve>>(&panel.content))
      if (std::ranges::count(*curves, series, &ResolvedCurve::series) > 0) out.push_back(&panel);
  return out;
}

/// Levels that are called by their numbers, in the units of their axes: "3", or where these differ "3 h = 180 min".
void name_levels(ResolvedFigure& out) {
  for (std::size_t s = 0; s < out.series.size(); ++s) {
    if (!out.series[s].level) continue;
    const auto panels = panels_with(out, s);
    const bool has_one_unit = std::ranges::adjacent_find(panels, [](const auto* a, const auto* b) {
                                return a->value.unit != b->value.unit;
                              }) == panels.end();
    std::vector<std::string> names;
    for (const auto* panel : panels) {
      const double at = *out.series[s].level / panel->value.unit;
      const std::string name = panel->value.unit == 1 ? number_text(at) : short_number(at);
      const std::string unit = has_one_unit ? "" : " " + unit_told(panel->value.label);
      if (std::ranges::count(names, name + unit) == 0) names.push_back(name + unit);
    }
    std::string label;
    for (const auto& name : names) label += (label.empty() ? "" : " = ") + name;
    if (!label.empty()) out.series[s].label = label;
  }
}

}  // namespace

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

void tell_times(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  const auto groups = panels_with_times(figure, summary, out);
  std::vector<TimeRange> ranges;
  for (const auto& group : groups) ranges.push_back(group.times);
  const auto units = units_of_times(ranges);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const std::size_t p : groups[g].panels) divide(figure.panels[p], units[g], out.panels[p]);
  name_levels(out);
}

}  // namespace nowsim
