// The table of kinds; captions, footer and units of times, which are alike in all of them.
#include "experiments/driver/pictures/resolved_figure.hpp"

#include <algorithm>
#include <tuple>

#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/error.hpp"
#include "sim/base/registry.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace figures {

using FigureKindMaker = FigureKind();

// clang-format off
/// In the order in which they are listed. Each stands in a file of its own.
NOWSIM_LISTED(FigureKindMaker, kAll,
              curves,
              surface,
              winners,
              workstations,
              distribution,
              spread);
// clang-format on

}  // namespace figures

FigureKinds builtin_figures() {
  static const std::vector<FigureKind> kinds = made(figures::kAll);
  return kinds;
}

namespace {

/// "policy = equal, TH = 0.28": which rows a panel has for itself; what all panels have is not said.
Label conditions_text(const FigurePanel& panel) {
  Label out;
  for (const auto& condition : panel.where) {
    if (condition.place.key.starts_with("figure.where.")) continue;
    FigureAxis key;
    key.key = condition.key;
    out += (out.empty() ? "" : ", ") + series_label(key) + " = " + short_name(condition.value);
  }
  return out;
}

Label panel_text(const FigurePanel& panel) {
  return panel.title.empty() ? conditions_text(panel) : label_of(panel.title);
}

bool has_panel_captions(const Figure& figure) {
  return figure.panels.size() > 1 || !panel_text(figure.panels.front()).empty();
}

/// A panel's title or its conditions, behind its letter where there are several panels.
Label panel_caption(const Figure& figure, std::size_t panel) {
  const std::string letter =
      figure.panels.size() > 1 ? "(" + std::string(1, static_cast<char>('a' + panel % 26)) + ") " : "";
  return letter + panel_text(figure.panels[panel]);
}

/// "with owner.TH = 0.3, job.size = 4".
std::string changes_text(const Figure& figure) {
  std::string out;
  for (const auto& change : figure.changes) out += (out.empty() ? "with " : ", ") + short_name(change);
  return out;
}

/// How the results came about; bars or bands are of the confidence, where a figure shows any.
std::string footer_text(const Provenance& p, bool has_bars, bool has_bands) {
  if (p.replications == "1") return "1 replication, " + p.origin();
  const std::string level = p.confidence == "several" ? "several confidences" : p.confidence + " confidence";
  return p.replications + " replications, " + (has_bars ? "bars: " + level + ", " : "") +
         (has_bands ? "bands: " + level + " at each t, " : "") + p.origin();
}

/// What a figure's rows have no value of.
std::string wanted(const Figure& figure) {
  const FigurePanel& panel = figure.panels.front();
  if (figure.kind->shows_times) return "no point has replications";
  return panel.metrics.empty() ? "no row has a value of " + panel.metric
                               : "no workstation has a value of " + panel.metrics.front();
}

// ---- units of times ----

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

/// What stands in brackets at a label's end.
std::string unit_told(const Label& label) {
  const std::string end = label.parts.empty() || !label.parts.back().shift.empty() ? "" : label.text();
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

/// Turns the panels' axes of metrics, and what lies along them, into the units that suit them, alike where panels show
/// the same metric; what is not in seconds stays. Levels that are called by their numbers are called by those.
void tell_times(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  const auto groups = panels_with_times(figure, summary, out);
  std::vector<TimeRange> ranges;
  for (const auto& group : groups) ranges.push_back(group.times);
  const auto units = units_of_times(ranges);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const std::size_t p : groups[g].panels) divide(figure.panels[p], units[g], out.panels[p]);
  name_levels(out);
}

constexpr std::size_t kMostSteps = 2000;    // of a curve, but for its ends; finer ones cannot be seen
constexpr std::size_t kPartOfTheRest = 100;  // of what is left towards an end, which no step takes more of

}  // namespace

ResolvedFigure resolved_figure(const Figure& figure, const ResultTable& summary, const std::string& name) {
  ResolvedFigure out;
  out.name = name;
  out.kind = figure.kind->name;
  const FigurePrint& print = figure.print;
  out.title = print.title.value_or(summary.title);
  out.changes = changes_text(figure);
  out.print = print;
  out.provenance = provenance_of(summary);
  out.has_captions = has_panel_captions(figure);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    out.panels.emplace_back();
    out.panels[p].caption = panel_caption(figure, p);
    out.panels[p].where = figure.panels[p].where;
  }
  figure.kind->resolve(figure, summary, out);
  tell_times(figure, summary, out);
  if (print.has_footer) {
    out.footer = footer_text(out.provenance, figure.kind->has_bars, out.has_bands);
    if (out.title.empty() && !out.changes.empty()) out.footer += ", " + out.changes;
  }
  if (std::ranges::none_of(out.panels, &ResolvedPanel::has_results))
    throw RunError("there is nothing to draw in the figure " + name + ": " + wanted(figure));
  return out;
}

std::string figure_script(const Figure& figure, const ResultTable& summary, const std::string& name) {
  return figure.kind->script(resolved_figure(figure, summary, name));
}

AxisScale scale_of_key(const ResultTable& summary, const std::string& key) {
  return scale_of(key.empty() ? std::vector<std::string>() : summary.values(key));
}

void add_series(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  out.series_key = figure.series.key;
  out.series_label = series_label(figure.series);
  for (const auto& value : scale_of_key(summary, out.series_key).texts)
    out.series.push_back({value, legend_label(figure.series, value)});
  if (out.series_key.empty()) out.series.push_back({"", "simulated"});
}

ResolvedCurve series_curve(const Figure& figure, const ResolvedFigure& resolved, const FigurePanel& panel,
                           std::size_t series) {
  ResolvedCurve out{series, series, panel.metric, false, panel.where, {}};
  if (!figure.series.key.empty()) out.where.push_back({figure.series.key, resolved.series[series].value, {}});
  return out;
}

ResultRows rows_at(const ResultTable& summary, const std::vector<FigureCondition>& conditions) {
  return summary.rows_that([&](const ResultRow& row) {
    return std::ranges::all_of(conditions, [&](const auto& c) { return summary.value(row, c.key) == c.value; });
  });
}

PanelCells::PanelCells(const ResultTable& summary, const FigurePanel& panel, const std::vector<std::string>& keys) {
  std::vector<std::size_t> axes;
  for (const auto& key : keys) axes.push_back(summary.axis_index(key));
  for (auto& cell : summary.cells(axes, rows_at(summary, panel.where)))
    cells_.emplace(std::move(cell.at), std::move(cell.rows));
}

ResultRows PanelCells::at(const std::vector<std::string>& values) const {
  const auto cell = cells_.find(values);
  return cell == cells_.end() ? ResultRows() : cell->second;
}

bool OffLogScale::takes(double value, bool log) {
  if (!log || !(value <= 0)) return false;
  ++points;
  below = below || value < 0;
  return true;
}

std::string OffLogScale::text() const {
  if (points == 0) return "";
  return std::to_string(points) + (points == 1 ? " point at 0" : " points at 0") + (below ? " or below" : "") +
         " cannot be shown on a log scale";
}

std::vector<SurvivalStep> survival_steps(std::vector<double> times_s) {
  std::ranges::sort(times_s);
  const std::size_t n = times_s.size();
  std::vector<SurvivalStep> steps;
  std::size_t taken = 0;  // times behind the last step
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t nearest_end = std::min(k + 1, n - 1 - k);
    const std::size_t wide = std::min(n / kMostSteps, nearest_end / kPartOfTheRest) + 1;
    if (k + 1 - taken < wide) continue;
    taken = k + 1;
    steps.push_back({times_s[k], n - taken});
  }
  return steps;
}

}  // namespace nowsim
