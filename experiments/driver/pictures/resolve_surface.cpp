// The kind surface, and what it shows as data: a value at each x and y, row by row.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/figure_kinds.hpp"
#include "experiments/driver/pictures/figure_rows.hpp"

namespace nowsim {
namespace {

std::vector<AxisValue> rising(std::vector<AxisValue> values) {
  std::ranges::stable_sort(values, {}, &AxisValue::at);
  return values;
}

/// What a panel shows at a point, NaN where there is nothing; of several rows the first that a log scale can show, and
/// notes those that it cannot.
double value_at(const Figure& figure, const FigurePanel& panel, const ResultTable& summary, const AxisValue& x,
                const AxisValue& y, OffLogScale& off) {
  for (const auto& row : summary.rows) {
    if (summary.value(row, figure.x.key) != x.text || summary.value(row, figure.y->key) != y.text)
      continue;
    const Estimate e = summary.estimate(row, panel.metric);
    const double value = panel.half_width ? e.half_width() : e.value;
    if (!fits(summary, row, panel.where) || !std::isfinite(value)) continue;
    if (!panel.log || value > 0) return value;
    off.add(value);
  }
  return kNotKnown;
}

void resolve_surface(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  const AxisScale x = scale_of_key(summary, figure.x.key), y = scale_of_key(summary, figure.y->key);
  out.x = axis_of_key(figure.x, x, true);
  out.y = axis_of_key(*figure.y, y, true);
  OffLogScale off;
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const FigurePanel& panel = figure.panels[p];
    std::vector<SurfacePoint> points;
    for (const auto& at_y : rising(out.y->values))
      for (const auto& at_x : rising(out.x.values))
        points.push_back({at_x.at, at_y.at, value_at(figure, panel, summary, at_x, at_y, off)});
    out.panels[p].has_results =
        std::ranges::any_of(points, [](const auto& point) { return std::isfinite(point.value); });
    out.panels[p].content = std::move(points);
    out.panels[p].value = axis_of_values(panel, summary.metric(panel.metric));
  }
  out.remark = off.text();
}

}  // namespace

namespace figures {

FigureKind surface() {
  return {.name = "surface",
          .summary = "metrics over two swept keys",
          .keys = {"x", "x_scale", "x_unit", "y", "y_label", "y_scale", "y_unit"},
          .panel_keys = {"metric", "shows", "scale", "unit"},
          .needs = {{"y", "a surface needs a second swept key, such as y: owner.SH"}},
          .over_one_axis = "curves",
          .resolve = resolve_surface,
          .script = surface_script};
}

}  // namespace figures
}  // namespace nowsim
