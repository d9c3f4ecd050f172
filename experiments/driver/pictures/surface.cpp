// The kind surface: a value at each x and y as a coloured net over a floor.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

std::vector<AxisValue> rising(std::vector<AxisValue> values) {
  std::ranges::stable_sort(values, {}, &AxisValue::at);
  return values;
}

/// What a panel shows at a point, NaN where there is nothing; of several rows the first that a log scale can show, and
/// notes those that it cannot.
double value_of(const ResultRows& rows, const FigurePanel& panel, const ResultTable& summary, OffLogScale& off) {
  for (const ResultRow* row : rows) {
    const Estimate e = summary.estimate(*row, panel.metric);
    const double value = panel.half_width ? e.half_width() : e.value;
    if (!std::isfinite(value)) continue;
    if (!off.takes(value, panel.log)) return value;
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
    const PanelCells cells(summary, panel, {figure.x.key, figure.y->key});
    std::vector<SurfacePoint> points;
    for (const auto& at_y : rising(out.y->values))
      for (const auto& at_x : rising(out.x.values))
        points.push_back({at_x.at, at_y.at, value_of(cells.at({at_x.text, at_y.text}), panel, summary, off)});
    out.panels[p].has_results =
        std::ranges::any_of(points, [](const auto& point) { return std::isfinite(point.value); });
    out.panels[p].content = std::move(points);
    out.panels[p].value = axis_of_values(panel, summary.metric(panel.metric));
  }
  out.remark = off.text();
}

// ---- the script ----

constexpr double kBesideSurface = 125, kBelowSurface = 60, kBetweenRows = 40, kLeastSurface = 200, kBesideSmall = 30;
/// Off the edges of the floor.
constexpr const char* kFloorLabel = " rotate parallel offset 0,-0.6";
constexpr const char* kFloorTics = " offset 0,-0.3";

class SurfaceWriter : public FigureWriter {
 public:
  explicit SurfaceWriter(const ResolvedFigure& figure) : FigureWriter(figure), layout_(figure, needs()) {}

 private:
  static LayoutNeeds needs() {
    return {.plot_width = 500,
            .plot_height = 440,
            .least_height = kLeastSurface,
            .left = 75,
            .right = kBesideSurface,
            .under = kBelowSurface - 24,  // the footer's
            .between = kBelowSurface + kBetweenRows};
  }

  /// x, y and the metric, a block per y, NaN where there is no value.
  void write_data() override {
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      std::string rows;
      const auto& points = std::get<std::vector<SurfacePoint>>(figure_.panels[p].content);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& [x, y, value] = points[i];
        rows += number_text(x) + "," + number_text(y) + "," + (std::isnan(value) ? "NaN" : number_text(value)) + "\n";
        if ((i + 1) % figure_.x.values.size() == 0) rows += "\n";
      }
      write_rows(p, rows);
    }
  }
  void write_texts() override {
    layout_.write_texts(script_);
    script_.text("x_label", figure_.x.label);
    script_.text("y_label", figure_.y->label);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) layout_.write_texts(script_, p);
    script_.line("");
  }
  void begin_page() override { script_ << layout_.begin(); }
  void write_panel(std::size_t p) override {
    const ResolvedPanel& panel = figure_.panels[p];
    const Page& page = layout_.page;
    const PanelGrid& grid = layout_.grid;
    // gnuplot fits a surface into a slot with its labels, but that a small one's stand out of it.
    const double beside = layout_.y_room() > 0 ? kBesideSmall : 0;
    script_.line(
        "set origin " + script_number((grid.left_of(p) - grid.left + beside) / page.width) + "," +
        script_number((page.height - grid.top_of(p) - grid.panel_height - kBelowSurface + 16) / page.height) +
        "; set size " + script_number((grid.beside + grid.panel_width - 20 - beside) / page.width) + "," +
        script_number((grid.panel_height + kBelowSurface + 20) / page.height));
    if (figure_.has_captions) script_.line(layout_.caption_command(p));
    write_axis(script_, "x", figure_.x, "x_label", kFloorLabel, kFloorTics, 0.75 * layout_.x_room());
    write_axis(script_, "y", *figure_.y, "y_label", kFloorLabel, kFloorTics, 0.75 * layout_.x_room());
    script_.line("set zlabel label_" + one_based(p) + " enhanced rotate parallel offset -1,0");
    script_.line(panel.value.log ? "set logscale zcb" : "unset logscale zcb");
    // Of the plot's height the axis has less than half.
    const std::string step = value_step(panel, 0.4 * layout_.y_room());
    if (layout_.y_room() > 0) script_.line("set ztics " + step + "; set cbtics " + step);
    script_.line("set view 58, 325; set xyplane relative 0; set ticslevel 0; set border 127 linewidth 0.8");
    script_.line(std::string("set grid x y z vertical ") + kGridStyle + "; unset key");
    write_colours(p);
    script_.line("set pm3d depthorder border linecolor rgb 'black' linewidth 0.7");
    script_.line(panel.has_results ? "set autoscale z; set autoscale cb; unset label 4"
                                   : "set zrange [1:2]; set cbrange [1:2]; set label 4 'no results' at graph 0.5, "
                                     "graph 0.5, graph 0.5 center");
    script_.line("splot $panel" + one_based(p) +
                 " using 1:2:3 with pm3d notitle, '' using 1:2:3 with linespoints linecolor rgb 'black' linewidth 0.8 "
                 "pointtype 7 pointsize 0.4 notitle");
    if (p == 0) script_.line(unset_page_texts(figure_.remark));
  }
  void write_colours(std::size_t p) {
    constexpr int kSteps = 14;
    const Page& page = layout_.page;
    const PanelGrid& grid = layout_.grid;
    const double right = grid.left_of(p) + grid.panel_width + 40;
    script_.line("set colorbox vertical user origin " + page.at(right, grid.top_of(p) + 0.8 * grid.panel_height) +
                 " size screen " + script_number(14 / page.width) + ", screen " +
                 script_number(0.6 * grid.panel_height / page.height));
    script_ << "set palette defined (";
    for (int i = 0; i <= kSteps; ++i)
      script_ << (i > 0 ? ", " : "") << i << " '" << colour_at(static_cast<double>(i) / kSteps) << "'";
    script_ << ")\n";
  }

  const FigureLayout layout_;
};

std::string surface_script(const ResolvedFigure& figure) { return SurfaceWriter(figure).write(); }

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
