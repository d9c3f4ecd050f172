// The kind workstations: a point's machines side by side in their order, and a series of marks per metric.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"

namespace nowsim {
namespace {

constexpr int kWorkstationMarks[] = {7, 4, 9};               // a full disc, an open square, a full triangle
constexpr const char* kMarkSizes[] = {"0.7", "1.1", "0.8"};  // the open one around the others
/// Workstations whose names stand below the axis, also on a page of a given size.
constexpr std::size_t kMostNamed = 40, kMostNamedInPrint = 20;

/// A workstation of a panel and its estimates of the panel's metrics.
struct MarkedWorkstation {
  std::string name;
  double sorted_by = 0;
  std::vector<Estimate> estimates;
};

/// The point's workstations that have all values, in their order.
std::vector<MarkedWorkstation> workstations_of(const std::string& sort, const FigurePanel& panel,
                                               const ResultTable& summary) {
  const ResultRows rows = rows_at(summary, panel.where);
  const auto first = std::ranges::find_if(rows, &ResultRow::has_results);
  std::vector<MarkedWorkstation> out;
  if (first == rows.end()) return out;
  const ResultRow& row = **first;
  for (std::size_t i = 0; i < row.workstations.size(); ++i) {
    MarkedWorkstation one{row.workstations[i], 0, {}};
    for (const auto& metric : panel.metrics) one.estimates.push_back(summary.estimates(row, metric)[i]);
    if (!sort.empty()) one.sorted_by = summary.estimates(row, sort)[i].value;
    const auto is_known = [](const Estimate& e) { return std::isfinite(e.value); };
    if (std::isfinite(one.sorted_by) && std::ranges::all_of(one.estimates, is_known)) out.push_back(std::move(one));
  }
  std::ranges::stable_sort(out, std::ranges::greater{}, &MarkedWorkstation::sorted_by);
  return out;
}

/// Their slots, named.
ResolvedAxis axis_of_names(const Label& label, const std::vector<MarkedWorkstation>& workstations) {
  ResolvedAxis out;
  out.label = label;
  for (const auto& one : workstations) {
    const auto at = static_cast<double>(out.values.size() + 1);
    out.values.push_back({one.name, at});
    out.tics.push_back({at, short_name(one.name)});
  }
  out.least = 0.25;
  out.most = static_cast<double>(std::max<std::size_t>(workstations.size(), 1)) + 0.75;
  return out;
}

Label label_of_values(const FigurePanel& panel, const ResultTable& summary) {
  if (!panel.label.empty()) return label_of(panel.label);
  Label names;
  for (const auto& metric : panel.metrics) names += (names.empty() ? "" : ", ") + label_of(metric);
  return with_unit(names, summary.metric(panel.metrics.front()).unit);
}

Label metric_name(const FigureAxis& about, const std::string& metric) {
  const auto own = about.labels.find(metric);
  return label_of(own == about.labels.end() ? metric : own->second);
}

/// A metric's marks, with bars where they have a length.
ResolvedCurve marks_of(std::size_t metric, std::size_t series, const FigurePanel& panel,
                       const std::vector<MarkedWorkstation>& workstations) {
  ResolvedCurve out{series, series, panel.metrics[metric], false, panel.where, {}, Shape::marks};
  for (const auto& one : workstations) {
    const Estimate& e = one.estimates[metric];
    out.points.push_back({static_cast<double>(out.points.size() + 1), e.value});
    if (!std::isfinite(e.low) || !std::isfinite(e.high) || e.low >= e.high) continue;
    out.points.back().low = e.low;
    out.points.back().high = e.high;
    out.has_intervals = true;
  }
  return out;
}

bool show_same_metrics(const FigurePanel& a, const FigurePanel& b) { return a.metrics == b.metrics; }

void resolve_workstations(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  OffLogScale off;
  out.x.label = figure.x.label.empty()
                    ? "workstation" + (figure.sort.empty() ? Label() : ", by falling " + label_of(figure.sort))
                    : label_of(figure.x.label);
  for (const auto& panel : figure.panels)
    for (const auto& metric : panel.metrics)
      if (std::ranges::count(out.series, metric, &ResolvedSeries::value) == 0)
        out.series.push_back({metric, metric_name(figure.series, metric)});
  out.has_legend = out.series.size() > 1;
  for (std::size_t s = 0; s < out.series.size(); ++s)
    out.series[s].style =
        SeriesStyle{colours(out.series.size())[s], "1", kWorkstationMarks[s % 3], false, kMarkSizes[s % 3]};
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const FigurePanel& panel = figure.panels[p];
    ResolvedPanel& resolved = out.panels[p];
    const auto workstations = workstations_of(figure.sort, panel, summary);
    resolved.has_results = !workstations.empty();
    resolved.x = axis_of_names(out.x.label, workstations);
    resolved.value.label = label_of_values(panel, summary);
    resolved.value.log = panel.log;
    std::vector<ResolvedCurve> curves;
    for (std::size_t m = 0; m < panel.metrics.size() && resolved.has_results; ++m) {
      const auto series = std::ranges::find(out.series, panel.metrics[m], &ResolvedSeries::value);
      curves.push_back(marks_of(m, static_cast<std::size_t>(series - out.series.begin()), panel, workstations));
      for (const auto& point : curves.back().points) off.takes(point.y, panel.log);
    }
    resolved.content = std::move(curves);
  }
  for (std::size_t p = 0; p < figure.panels.size(); ++p)
    out.panels[p].value.show(shown_values(figure, out, p, show_same_metrics).with_margin(figure.panels[p].log));
  out.remark = off.text();
}

/// Below the plots stand the names of no more workstations than `most`.
std::string workstations_script(const ResolvedFigure& figure) {
  const std::size_t most = figure.print.is_sized() ? kMostNamedInPrint : kMostNamed;
  std::size_t longest = 0;
  for (const auto& panel : figure.panels)
    for (const auto& tic : panel.x->tics)
      if (panel.x->values.size() <= most) longest = std::max(longest, tic.label.width());
  return layered_script(figure, {.most_columns = figure.panels.size(),
                                 .plot_width = 520,
                                 .plot_height = 330,
                                 .left = 92,
                                 .under = std::max(18.0, 6.6 * static_cast<double>(longest) + 6) + 42,
                                 .legend_options = "samplen 1 spacing 1.25",
                                 .names = most});
}

}  // namespace

namespace figures {

FigureKind workstations() {
  return {.name = "workstations",
          .summary = "metrics of each workstation of a point",
          .keys = {"sort", "labels", "same_scale"},
          .panel_keys = {"metrics", "scale", "unit"},
          .has_wide_panels = true,
          .has_bars = true,
          .resolve = resolve_workstations,
          .script = workstations_script};
}

}  // namespace figures
}  // namespace nowsim
