// The script of distributions: per panel bands first, then lines of steps, and the deadline behind them.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/figure_kinds.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/panel_axes.hpp"
#include "experiments/driver/pictures/survival.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostDistributionsInARow = 3;  // panels
constexpr double kDistributionLetter = 8.6;          // of the legend [pixels]
constexpr int kDeadlineTag = 5;                      // of the arrow and the label

const std::vector<ResolvedCurve>& steps_in(const ResolvedPanel& panel) {
  return std::get<std::vector<ResolvedCurve>>(panel.content);
}

class DistributionWriter {
 public:
  explicit DistributionWriter(const ResolvedFigure& figure) : figure_(figure) { find_page(); }

  std::string write() {
    script_ << script_head(figure_.name);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p)
      for (std::size_t c = 0; c < steps_in(figure_.panels[p]).size(); ++c) write_data(p, c);
    write_texts();
    script_ << begin_pages(page_, figure_.remark);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) write_panel(p);
    script_ << end_pages();
    return script_.str();
  }

 private:
  void find_page() {
    const std::size_t rows = figure_.panels.size() > kMostDistributionsInARow ? 2 : 1;
    const double above_plot = 20;  // the deadline's words
    grid_ = {(figure_.panels.size() + rows - 1) / rows, 500, 370, 90, 110};
    grid_.below = 96 + above_plot;
    std::size_t entry = 0;
    for (const auto& series : figure_.series) entry = std::max(entry, series.label.width());
    const double legend = figure_.has_legend ? 70 + kDistributionLetter * static_cast<double>(entry) : 0;
    page_.width = static_cast<double>(grid_.columns) * (grid_.panel_width + grid_.beside) + legend;
    title_ = title_lines(figure_.title, page_.width);
    grid_.above = 22 + 21 * static_cast<double>(title_.size()) + (figure_.has_captions ? 24 : 0) + above_plot;
    page_.height = grid_.top_of(figure_.panels.size() - 1) + grid_.panel_height + 92;
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
    script_.text("title", joined_lines(title_));
    script_.text("footer", figure_.footer);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      script_.text("x_label_" + id(p), figure_.x_of(figure_.panels[p]).label);
      script_.text("label_" + id(p), figure_.panels[p].value.label);
      script_.text("caption_" + id(p), figure_.panels[p].caption);
    }
    for (std::size_t s = 0; s < figure_.series.size(); ++s) script_.text("series_" + id(s), figure_.series[s].label);
    script_.line("");
  }
  void write_panel(std::size_t p) {
    const ResolvedPanel& panel = figure_.panels[p];
    script_.line("\n# panel " + id(p));
    script_.line(page_.plot_area(grid_.left_of(p), grid_.top_of(p), grid_.panel_width, grid_.panel_height));
    if (figure_.has_captions)
      script_.line("set label 3 caption_" + id(p) + " at " +
                   page_.at(grid_.left_of(p) + grid_.panel_width / 2, grid_.top_of(p) - 34) + " center enhanced");
    formats_.write(script_, "x", figure_.x_of(panel).in_powers);
    write_axis(script_, "x", figure_.x_of(panel), "x_label_" + id(p), "", " font ',10'");
    script_.line("set ylabel label_" + id(p) + " enhanced");
    script_.line(panel.value.log ? "set logscale y" : "unset logscale y");
    formats_.write(script_, "y", panel.value.in_powers);
    write_value_range(script_, panel);
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
    script_.line("set key at " +
                 page_.at(grid_.left_of(grid_.columns - 1) + grid_.panel_width + 12, grid_.above + 4) +
                 " left top Left reverse vertical enhanced samplen 3 spacing 1.25");
  }
  [[nodiscard]] std::string colour(std::size_t series) const { return colours(figure_.series.size())[series]; }
  [[nodiscard]] std::string style(std::size_t series) const {
    return "linecolor rgb '" + colour(series) + "' linewidth 2 dashtype " +
           kDashTypes[series % std::size(kDashTypes)];
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
  std::vector<std::string> title_;
  Script script_;
  AxisFormats formats_;
  PanelGrid grid_;
  Page page_;
};

}  // namespace

std::string distribution_script(const ResolvedFigure& figure) { return DistributionWriter(figure).write(); }

}  // namespace nowsim
