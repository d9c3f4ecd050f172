// The script of marks of workstations: their names below, a mark per metric, bars first.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/figure_kinds.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/panel_axes.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr int kWorkstationsPointTypes[] = {7, 4,
                                           9};     // of a panel's metrics: a full disc, an open square, a full triangle
constexpr double kPointSizes[] = {0.7, 1.1, 0.8};  // the open one around the others
constexpr std::size_t kMostNamed = 40;             // workstations whose names stand below the axis
/// Pixels: a panel, beside it, a letter of the names and of the legend.
constexpr double kWorkstationsWidth = 520, kWorkstationsHeight = 330, kWorkstationsLeft = 92, kRight = 20,
                 kNameLetter = 6.6, kWorkstationsLetter = 8.6;

const std::vector<ResolvedCurve>& marks_in(const ResolvedPanel& panel) {
  return std::get<std::vector<ResolvedCurve>>(panel.content);
}

class WorkstationsWriter {
 public:
  explicit WorkstationsWriter(const ResolvedFigure& figure) : figure_(figure) { find_page(); }

  std::string write() {
    script_ << script_head(figure_.name);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) write_data(p);
    write_texts();
    script_ << begin_pages(page_, figure_.remark);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) write_panel(p);
    script_ << end_pages();
    return script_.str();
  }

 private:
  bool has_names(std::size_t p) const { return figure_.panels[p].x->values.size() <= kMostNamed; }
  void find_page() {
    std::size_t longest = 0, entry = 0;
    for (std::size_t p = 0; p < figure_.panels.size(); ++p)
      for (const auto& tic : figure_.panels[p].x->tics)
        if (has_names(p)) longest = std::max(longest, tic.label.width());
    for (const auto& series : figure_.series) entry = std::max(entry, series.label.width());
    const double legend = figure_.has_legend ? 55 + kWorkstationsLetter * static_cast<double>(entry) + 15 : 0;
    names_ = std::max(18.0, kNameLetter * static_cast<double>(longest) + 6);
    grid_ = {figure_.panels.size(), kWorkstationsWidth, kWorkstationsHeight, kWorkstationsLeft,
             kWorkstationsLeft + kRight};
    page_.width = static_cast<double>(figure_.panels.size()) * (grid_.panel_width + grid_.beside) + legend;
    title_ = title_lines(figure_.title, page_.width);
    grid_.above = 22 + 21 * static_cast<double>(title_.size()) + (figure_.has_captions ? 24 : 0);
    page_.height = grid_.above + grid_.panel_height + names_ + 66;
  }
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
    script_.text("title", joined_lines(title_));
    script_.text("footer", figure_.footer);
    script_.text("x_label", figure_.x.label);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      script_.text("label_" + id(p), figure_.panels[p].value.label);
      script_.text("caption_" + id(p), figure_.panels[p].caption);
    }
    for (std::size_t s = 0; s < figure_.series.size(); ++s) script_.text("series_" + id(s), figure_.series[s].label);
    script_.line("");
  }
  void write_panel(std::size_t p) {
    script_.line("\n# panel " + id(p));
    script_.line(page_.plot_area(grid_.left_of(p), grid_.above, grid_.panel_width, grid_.panel_height));
    if (figure_.has_captions) script_.line(caption(page_, grid_, p));
    write_name_axis(p);
    script_.line(figure_.panels[p].value.log ? "set logscale y" : "unset logscale y");
    write_value_range(script_, figure_.panels[p]);
    write_key(p);
    script_.line(
        "set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'; set errorbars 0.7; set border linewidth 1.2");
    write_marks(p);
    if (p == 0) script_.line(unset_page_texts(figure_.remark));
  }
  void write_name_axis(std::size_t p) {
    const ResolvedAxis& x = *figure_.panels[p].x;
    // gnuplot would put an axis' label where it guesses that the names end.
    script_.line("set label 5 x_label at " +
                 page_.at(grid_.left_of(p) + grid_.panel_width / 2, grid_.above + grid_.panel_height + names_ + 22) +
                 " center enhanced");
    script_.line("set ylabel label_" + id(p) + " enhanced");
    script_.line("set xrange [" + number_text(x.least) + ":" + script_number(x.most) + "]");
    script_.line(has_names(p) ? "set xtics rotate by 90 right noenhanced font ',9' " + tic_list(x.tics, false)
                              : "set xtics norotate autofreq font ',12'");
  }
  bool has_key(std::size_t p) const { return figure_.has_legend && p + 1 == figure_.panels.size(); }
  void write_key(std::size_t p) {
    if (!has_key(p)) return script_.line("unset key");
    script_.line("set key at " + page_.at(grid_.left_of(p) + grid_.panel_width + 12, grid_.above + 4) +
                 " left top Left reverse vertical enhanced samplen 1 spacing 1.25");
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
  std::vector<std::string> title_;  ///< lines
  double names_ = 0;                ///< their height
  Script script_;
  PanelGrid grid_;
  Page page_;
};

}  // namespace

std::string workstations_script(const ResolvedFigure& figure) { return WorkstationsWriter(figure).write(); }

}  // namespace nowsim
