// The script of distributions: per panel bands first, then lines of steps, and the deadline behind them.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/figure_kinds.hpp"
#include "experiments/driver/pictures/figure_layout.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/panel_axes.hpp"
#include "experiments/driver/pictures/series_styles.hpp"
#include "experiments/driver/pictures/survival.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostDistributionsInARow = 3;  // panels
constexpr double kOverPlot = 20;                     // the deadline's words [pixels]
constexpr int kDeadlineTag = 5;                      // of the arrow and the label

const std::vector<ResolvedCurve>& steps_in(const ResolvedPanel& panel) {
  return std::get<std::vector<ResolvedCurve>>(panel.content);
}

class DistributionWriter {
 public:
  explicit DistributionWriter(const ResolvedFigure& figure)
      : figure_(figure), layout_(figure, needs_of(figure)), styles_(series_styles(figure)) {}

  std::string write() {
    script_ << script_head(figure_.name);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p)
      for (std::size_t c = 0; c < steps_in(figure_.panels[p]).size(); ++c) write_data(p, c);
    write_texts();
    script_ << layout_.begin();
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) write_panel(p);
    script_ << end_pages();
    return script_.str();
  }

 private:
  static LayoutNeeds needs_of(const ResolvedFigure& figure) {
    const std::size_t rows = figure.panels.size() > kMostDistributionsInARow ? 2 : 1;
    return {.most_columns = (figure.panels.size() + rows - 1) / rows, .over = kOverPlot, .between = 96 + kOverPlot};
  }
  static std::string id(std::size_t i) { return std::to_string(i + 1); }
  static std::string steps(std::size_t p, std::size_t c) { return "steps_" + id(p) + "_" + id(c); }

  /// The corners of the steps: time, share, and the ends of the band, which a log scale cuts off.
  void write_data(std::size_t p, std::size_t c) {
    const ResolvedPanel& panel = figure_.panels[p];
    const double least = panel.value.log ? panel.value.least : 0;
    std::string rows;
    const ResolvedPoint* before = nullptr;
    const auto corner = [&](double x, const ResolvedPoint& of) {
      rows += number_text(x) + "," + number_text(of.y);
      if (figure_.has_bands)
        rows += "," + number_text(std::max(of.low, least)) + "," + number_text(std::max(of.high, least));
      rows += "\n";
    };
    for (const auto& point : steps_in(panel)[c].points) {
      if (before != nullptr) corner(point.x, *before);
      corner(point.x, point);
      before = &point;
    }
    if (before != nullptr) script_.block(steps(p, c), rows);
  }
  void write_texts() {
    layout_.write_texts(script_);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      script_.text("x_label_" + id(p), layout_.x_label(figure_.x_of(figure_.panels[p]).label));
      script_.text("label_" + id(p), layout_.y_label(figure_.panels[p].value.label));
      script_.text("caption_" + id(p), layout_.caption(figure_.panels[p].caption));
    }
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      script_.text("series_" + id(s), layout_.legend_text(figure_.series[s].label));
    script_.line("");
  }
  void write_panel(std::size_t p) {
    const ResolvedPanel& panel = figure_.panels[p];
    script_.line("\n# panel " + id(p));
    script_.line(layout_.plot_area(p));
    if (figure_.has_captions) script_.line(layout_.caption_command(p));
    formats_.write(script_, "x", figure_.x_of(panel).in_powers);
    write_axis(script_, "x", figure_.x_of(panel), "x_label_" + id(p), "", " font " + layout_.page.font(10),
               layout_.x_room());
    script_.line("set ylabel label_" + id(p) + " enhanced" + layout_.y_label_offset(panel.value.label));
    script_.line(panel.value.log ? "set logscale y" : "unset logscale y");
    formats_.write(script_, "y", panel.value.in_powers);
    write_value_range(script_, panel, layout_.y_room());
    script_.line("set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'; set border linewidth 1.2");
    write_deadline(panel);
    write_key(p);
    write_plot(p);
    if (p == 0) script_.line(unset_page_texts(figure_.remark));
  }
  void write_deadline(const ResolvedPanel& panel) {
    const std::string tag = std::to_string(kDeadlineTag);
    if (!panel.deadline_s) return script_.line("unset arrow " + tag + "; unset label " + tag);
    const ResolvedAxis& x = figure_.x_of(panel);
    const double at = *panel.deadline_s / x.unit;
    script_.line(deadline_mark(*panel.deadline_s, number_text(at), (at - x.least) / (x.most - x.least), kDeadlineTag,
                               kDeadlineTag));
  }
  [[nodiscard]] bool has_key(std::size_t p) const {
    return figure_.has_legend && p + 1 == figure_.panels.size();
  }
  void write_key(std::size_t p) {
    if (!has_key(p)) return script_.line("unset key");
    script_.line(layout_.key());
  }
  [[nodiscard]] const std::string& colour(std::size_t series) const { return styles_[series].colour; }
  [[nodiscard]] std::string style(std::size_t series) const {
    return "linecolor rgb '" + colour(series) + "' linewidth 2 dashtype " + styles_[series].dash;
  }
  void write_plot(std::size_t p) {
    const auto& curves = steps_in(figure_.panels[p]);
    script_ << "plot NaN notitle";
    for (std::size_t c = 0; c < curves.size() && figure_.has_bands; ++c)
      if (!curves[c].points.empty())
        script_ << ", \\\n  $" << steps(p, c) << " using 1:3:4 with filledcurves fillcolor rgb '" << colour(c)
                << "' fillstyle transparent solid 0.2 noborder notitle";
    for (std::size_t c = 0; c < curves.size(); ++c)
      if (!curves[c].points.empty())
        script_ << ", \\\n  $" << steps(p, c) << " using 1:2 with lines " << style(c) << " notitle";
    for (std::size_t s = 0; s < figure_.series.size() && has_key(p); ++s)
      script_ << ", \\\n  keyentry with lines " << style(s) << " title series_" << id(s);
    script_ << "\n";
  }

  const ResolvedFigure& figure_;
  const FigureLayout layout_;
  const std::vector<SeriesStyle> styles_;
  Script script_;
  AxisFormats formats_;
};

}  // namespace

std::string distribution_script(const ResolvedFigure& figure) { return DistributionWriter(figure).write(); }

}  // namespace nowsim
