// The script of marks of workstations: their names below, a mark per metric, bars first.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/figure_kinds.hpp"
#include "experiments/driver/pictures/figure_layout.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/panel_axes.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr int kWorkstationsPointTypes[] = {7, 4,
                                           9};     // of a panel's metrics: a full disc, an open square, a full triangle
constexpr double kPointSizes[] = {0.7, 1.1, 0.8};  // the open one around the others
constexpr std::size_t kMostNamed = 40;             // workstations whose names stand below the axis
/// Pixels: a letter of the names, what a name takes along x, and what stands below the names.
constexpr double kNameLetter = 6.6, kNameWidth = 10, kBelowNames = 42;

const std::vector<ResolvedCurve>& marks_in(const ResolvedPanel& panel) {
  return std::get<std::vector<ResolvedCurve>>(panel.content);
}

/// Of the names below the plots, of no more workstations than `most`.
double names_height(const ResolvedFigure& figure, std::size_t most) {
  std::size_t longest = 0;
  for (const auto& panel : figure.panels)
    for (const auto& tic : panel.x->tics)
      if (panel.x->values.size() <= most) longest = std::max(longest, tic.label.width());
  return std::max(18.0, kNameLetter * static_cast<double>(longest) + 6);
}

FigureLayout layout_with_names(const ResolvedFigure& figure, std::size_t most) {
  return FigureLayout(figure, {.most_columns = figure.panels.size(),
                               .plot_width = 520,
                               .plot_height = 330,
                               .left = 92,
                               .under = names_height(figure, most) + kBelowNames,
                               .legend_options = "samplen 1 spacing 1.25"});
}

/// How many workstations a panel names: of small panels fewer.
std::size_t most_named(const ResolvedFigure& figure) {
  const double width = layout_with_names(figure, kMostNamed).grid.panel_width;
  return std::min(kMostNamed, static_cast<std::size_t>(width / kNameWidth));
}

class WorkstationsWriter {
 public:
  explicit WorkstationsWriter(const ResolvedFigure& figure)
      : figure_(figure),
        most_named_(most_named(figure)),
        layout_(layout_with_names(figure, most_named_)),
        names_(names_height(figure, most_named_)) {}

  std::string write() {
    script_ << script_head(figure_.name);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) write_data(p);
    write_texts();
    script_ << layout_.begin();
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) write_panel(p);
    script_ << end_pages();
    return script_.str();
  }

 private:
  bool has_names(std::size_t p) const { return figure_.panels[p].x->values.size() <= most_named_; }
  static std::string id(std::size_t i) { return std::to_string(i + 1); }

  /// Per workstation its slot, and per metric value and the ends of its bar: none where unknown or of no length.
  void write_data(std::size_t p) {
    std::string rows;
    for (std::size_t i = 0; i < figure_.panels[p].x->values.size(); ++i) {
      rows += id(i);
      for (const auto& marks : marks_in(figure_.panels[p])) {
        const ResolvedPoint& point = marks.points[i];
        rows += "," + number_text(point.y) +
                (std::isnan(point.low) ? ",NaN,NaN" : "," + number_text(point.low) + "," + number_text(point.high));
      }
      rows += "\n";
    }
    script_.block("panel" + id(p), rows, "END_OF_PANEL");
    script_.line("");
  }
  void write_texts() {
    layout_.write_texts(script_);
    script_.text("x_label", layout_.x_label(figure_.x.label));
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      script_.text("label_" + id(p), layout_.y_label(figure_.panels[p].value.label));
      script_.text("caption_" + id(p), layout_.caption(figure_.panels[p].caption));
    }
    for (std::size_t s = 0; s < figure_.series.size(); ++s) script_.text("series_" + id(s), layout_.legend_text(figure_.series[s].label));
    script_.line("");
  }
  void write_panel(std::size_t p) {
    script_.line("\n# panel " + id(p));
    script_.line(layout_.plot_area(p));
    if (figure_.has_captions) script_.line(layout_.caption_command(p));
    write_name_axis(p);
    script_.line(figure_.panels[p].value.log ? "set logscale y" : "unset logscale y");
    write_value_range(script_, figure_.panels[p], layout_.y_room());
    write_key(p);
    script_.line(
        "set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'; set errorbars 0.7; set border linewidth 1.2");
    write_marks(p);
    if (p == 0) script_.line(unset_page_texts(figure_.remark));
  }
  void write_name_axis(std::size_t p) {
    const ResolvedAxis& x = *figure_.panels[p].x;
    const PanelGrid& grid = layout_.grid;
    // gnuplot would put an axis' label where it guesses that the names end.
    script_.line("set label 5 x_label at " +
                 layout_.page.at(grid.left_of(p) + grid.panel_width / 2, grid.top_of(p) + grid.panel_height + names_ + 22) +
                 " center enhanced");
    script_.line("set ylabel label_" + id(p) + " enhanced" + layout_.y_label_offset(figure_.panels[p].value.label));
    script_.line("set xrange [" + number_text(x.least) + ":" + script_number(x.most) + "]");
    const std::string small = layout_.page.font(9), usual = layout_.page.font(12);
    script_.line(has_names(p) ? "set xtics rotate by 90 right noenhanced font " + small + " " + tic_list(x.tics, false)
                              : "set xtics norotate autofreq font " + usual);
  }
  bool has_key(std::size_t p) const { return figure_.has_legend && p + 1 == figure_.panels.size(); }
  void write_key(std::size_t p) {
    if (!has_key(p)) return script_.line("unset key");
    script_.line(layout_.key());
  }
  std::string colour(std::size_t series) const {
    return "linecolor rgb '" + colours(figure_.series.size())[series] + "' linewidth 1.4";
  }
  std::string style(std::size_t series) const {
    return colour(series) + " pointtype " +
           std::to_string(kWorkstationsPointTypes[series % std::size(kWorkstationsPointTypes)]) + " pointsize " +
           short_number(kPointSizes[series % std::size(kPointSizes)]);
  }
  /// Bars first: gnuplot blanks what lies behind a mark with a bar.
  void write_marks(std::size_t p) {
    const auto& marks = marks_in(figure_.panels[p]);
    script_ << "plot NaN notitle";
    for (std::size_t m = 0; m < marks.size(); ++m)
      if (marks[m].has_intervals)
        script_ << ", \\\n  $panel" << id(p) << " using 1:" << 3 * m + 2 << ":" << 3 * m + 3 << ":" << 3 * m + 4
                << " with yerrorbars " << colour(marks[m].series) << " pointtype -1 notitle";
    for (std::size_t m = 0; m < marks.size(); ++m)
      script_ << ", \\\n  $panel" << id(p) << " using 1:" << 3 * m + 2 << " with points " << style(marks[m].series)
              << " notitle";
    for (std::size_t s = 0; s < figure_.series.size() && has_key(p); ++s)
      script_ << ", \\\n  keyentry with points " << style(s) << " title series_" << id(s);
    script_ << "\n";
  }

  const ResolvedFigure& figure_;
  const std::size_t most_named_;
  const FigureLayout layout_;
  const double names_;  ///< their height
  Script script_;
};

}  // namespace

std::string workstations_script(const ResolvedFigure& figure) { return WorkstationsWriter(figure).write(); }

}  // namespace nowsim
