// The script of a map of winners: cells as coloured boxes with texts, and a legend of those that win somewhere.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/figure_kinds.hpp"
#include "experiments/driver/pictures/page.hpp"
#include "experiments/driver/pictures/panel_axes.hpp"

namespace nowsim {
namespace {

/// Pixels: of a cell, between panels, of a line of the legend and of the notes, and letters of either size.
constexpr double kLeastCell = 84, kCellHeight = 62, kWinnersGap = 26, kWinnersLegendLine = 24, kNoteLine = 15;
constexpr double kWinnersLetter = 8.4, kSmallLetter = 6.8, kBesideText = 16;
constexpr std::size_t kLongestTies = 15;            // letters; longer lists are counted
constexpr std::size_t kLegendLetters = 20;          // of a line of those that are nowhere best
constexpr double kPlainPart = 1, kTiedPart = 0.42;  // of a cell's colour; the rest is white

/// "+2.3 %", "+35 %", "x12"; by how much more or less.
std::string excess_text(double excess) {
  char text[40];
  if (excess >= 9.95)
    std::snprintf(text, sizeof text, "×%.3g", excess + 1);
  else
    std::snprintf(text, sizeof text, "%s%.*f %%", excess < 0 ? "−" : "+", std::abs(excess) < 0.0995 ? 1 : 0,
                  100 * std::abs(excess));
  return text;
}

/// What a cell shows, top down.
struct CellTexts {
  Label name, ties, excess;
};

const std::vector<WinnerCell>& cells_in(const ResolvedPanel& panel) {
  return std::get<std::vector<WinnerCell>>(panel.content);
}

std::size_t widest(const std::vector<AxisTic>& tics) {
  std::size_t most = 0;
  for (const auto& tic : tics) most = std::max(most, tic.label.width());
  return most;
}

class WinnersWriter {
 public:
  explicit WinnersWriter(const ResolvedFigure& figure)
      : figure_(figure), colours_(distinct_colours(figure.series.size())) {
    find_legend();
    find_page();
  }

  std::string write() {
    script_ << script_head(figure_.name);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) write_cells(p);
    write_texts();
    script_ << begin_pages(page_);
    write_notes();
    write_legend();
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) write_panel(p);
    script_ << end_pages();
    return script_.str();
  }

 private:
  // ---- texts ----

  CellTexts texts_of(const WinnerCell& cell) const {
    CellTexts out{figure_.series[cell.best].label + (cell.is_among_fewer ? "*" : ""), ties_text(cell), {}};
    if (cell.compared && !std::isnan(cell.excess))
      out.excess = figure_.series[*cell.compared].label + " " + excess_text(cell.excess);
    return out;
  }
  Label ties_text(const WinnerCell& cell) const {
    Label out;
    for (const std::size_t tie : cell.ties) out += (out.empty() ? "≈ " : ", ") + figure_.series[tie].label;
    if (out.width() <= kLongestTies || cell.ties.size() < 2) return out;
    return "≈ " + std::to_string(cell.ties.size()) + " others";
  }
  std::string colour_of(const WinnerCell& cell) const {
    return mixed_with_white(colours_[cell.best], cell.ties.empty() ? kPlainPart : kTiedPart);
  }
  bool wins_somewhere(std::size_t series) const {
    return std::ranges::any_of(figure_.panels, [&](const ResolvedPanel& panel) {
      return std::ranges::count(cells_in(panel), series, &WinnerCell::best) > 0;
    });
  }

  // ---- the page ----

  void find_legend() {
    Label losers;
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      if (wins_somewhere(s))
        winners_.push_back(s);
      else
        losers += (losers.empty() ? "nowhere best: " : ", ") + figure_.series[s].label;
    losers_ = wrapped(enhanced(losers), kLegendLetters);
  }
  void find_page() {
    double name = kWinnersLetter * static_cast<double>(widest(figure_.x.tics)), below = 0;
    for (const auto& panel : figure_.panels)
      for (const auto& cell : cells_in(panel)) {
        const CellTexts texts = texts_of(cell);
        name = std::max(name, kWinnersLetter * static_cast<double>(texts.name.width()));
        below = std::max(below, kSmallLetter * static_cast<double>(std::max(texts.ties.width(), texts.excess.width())));
      }
    const double cell_width = std::max(kLeastCell, std::max(name, below) + kBesideText);
    grid_ = {figure_.panels.size(), cell_width * static_cast<double>(figure_.x.values.size()),
             kCellHeight * static_cast<double>(figure_.y->values.size()),
             44 + kWinnersLetter * static_cast<double>(widest(figure_.y->tics)), kWinnersGap};
    page_.width = right() + legend_width();
    title_ = title_lines(figure_.title, page_.width);
    notes_ = wrapped(enhanced(figure_.note), static_cast<std::size_t>((page_.width - 24) / kSmallLetter));
    grid_.above = 24 + 21 * static_cast<double>(title_.size()) + (figure_.has_captions ? 24 : 0);
    const double legend_height = kWinnersLegendLine * static_cast<double>(winners_.size() + 1) +
                                 kNoteLine * static_cast<double>(losers_.size() + 1);
    page_.height = grid_.above + std::max(grid_.panel_height, legend_height - 40) +
                   (62 + kNoteLine * static_cast<double>(notes_.size()) + 22);
  }
  /// Of the last panel.
  double right() const { return grid_.left_of(figure_.panels.size() - 1) + grid_.panel_width; }
  double legend_width() const {
    std::size_t name = figure_.series_label.width(), small = 0;
    for (const std::size_t s : winners_) name = std::max(name, figure_.series[s].label.width());
    for (const auto& line : losers_) small = std::max(small, enhanced_width(line));
    return std::max(40 + kWinnersLetter * static_cast<double>(name), 16 + kSmallLetter * static_cast<double>(small)) +
           14;
  }

  // ---- the script ----

  static std::string id(std::size_t i) { return std::to_string(i + 1); }
  static std::string variable(std::size_t p, std::size_t cell, const char* what) {
    return std::string(what) + "_" + id(p) + "_" + id(cell);
  }
  /// A panel's cells: column, row, colour.
  void write_cells(std::size_t p) {
    std::string rows;
    for (const auto& cell : cells_in(figure_.panels[p]))
      rows += id(cell.column) + "," + id(cell.row) + "," +
              std::to_string(std::stoul(colour_of(cell).substr(1), nullptr, 16)) + "\n";
    script_.block("panel" + id(p), rows, "END_OF_PANEL");
    script_.line("");
  }
  void write_texts() {
    script_.text("title", joined_lines(title_));
    script_.text("footer", figure_.footer);
    script_.text("notes", joined_lines(notes_));
    script_.text("x_label", figure_.x.label);
    script_.text("y_label", figure_.y->label);
    script_.text("series", figure_.series_label);
    script_.text("losers", joined_lines(losers_));
    for (std::size_t k = 0; k < winners_.size(); ++k)
      script_.text("series_" + id(k), figure_.series[winners_[k]].label);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      script_.text("caption_" + id(p), figure_.panels[p].caption);
      const auto& cells = cells_in(figure_.panels[p]);
      for (std::size_t k = 0; k < cells.size(); ++k) {
        const CellTexts texts = texts_of(cells[k]);
        script_.text(variable(p, k, "best"), "{/:Bold " + enhanced(texts.name) + "}");
        script_.text(variable(p, k, "ties"), texts.ties);
        script_.text(variable(p, k, "excess"), texts.excess);
      }
    }
    script_.line("");
  }
  void write_notes() {
    script_.line("set label 3 notes at " +
                 page_.at(12, page_.height - 24 - kNoteLine * (static_cast<double>(notes_.size()) - 0.5)) +
                 " left enhanced font ',9' textcolor rgb '#404040'");
  }
  void write_legend() {
    const double left = right() + 14;
    double top = grid_.above + 8;
    script_.line("set label 4 series at " + page_.at(left, top) + " left enhanced");
    for (std::size_t k = 0; k < winners_.size(); ++k) {
      top += kWinnersLegendLine;
      script_.line("set object " + id(k) + " rectangle from " + page_.at(left, top - 7) + " to " +
                   page_.at(left + 20, top + 7) + " fillcolor rgb '" + colours_[winners_[k]] +
                   "' fillstyle solid 1 noborder");
      script_.line("set label " + std::to_string(k + 10) + " series_" + id(k) + " at " + page_.at(left + 27, top) +
                   " left enhanced");
    }
    script_.line("set label 5 losers at " + page_.at(left, top + kWinnersLegendLine) +
                 " left enhanced font ',9' textcolor rgb '#404040'");
  }
  void write_panel(std::size_t p) {
    script_.line("\n# panel " + id(p));
    script_.line(page_.plot_area(grid_.left_of(p), grid_.above, grid_.panel_width, grid_.panel_height));
    if (figure_.has_captions) script_.line(caption(page_, grid_, p, 6));
    write_cell_axes(p);
    write_cell_texts(p);
    script_.line("unset key; set border linewidth 1 linecolor rgb '#808080'");
    script_.line(figure_.panels[p].has_results
                     ? "plot $panel" + id(p) +
                           " using 1:2:(0.485):(0.475):3 with boxxyerror linecolor rgb variable "
                           "fillstyle solid 1 noborder notitle"
                     : "set label 7 'no results' at graph 0.5, graph 0.5 center\nplot NaN notitle");
    script_.line("unset label; unset object");
  }
  void write_cell_axes(std::size_t p) {
    script_.line("set xlabel x_label enhanced textcolor rgb 'black'");
    script_.line(p == 0 ? "set ylabel y_label enhanced textcolor rgb 'black'" : "unset ylabel");
    script_.line("set xrange [0.5:" + script_number(figure_.x.most) +
                 "]; set yrange [0.5:" + script_number(figure_.y->most) + "]");
    write_values("x", figure_.x.tics, true);
    write_values("y", figure_.y->tics, p == 0);
  }
  void write_values(const std::string& axis, std::vector<AxisTic> tics, bool named) {
    if (!named)
      for (auto& tic : tics) tic.label = {};
    script_.line("set " + axis + "tics scale 0 enhanced textcolor rgb 'black' " + tic_list(tics, true));
  }
  void write_cell_texts(std::size_t p) {
    std::size_t tag = 1000;
    const auto& cells = cells_in(figure_.panels[p]);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::string colour = text_colour_on(colour_of(cells[k]));
      const auto put = [&](const char* what, double above, const char* font) {
        script_.line("set label " + std::to_string(++tag) + " " + variable(p, k, what) + " at first " +
                     id(cells[k].column) + ", first " + script_number(static_cast<double>(cells[k].row + 1) + above) +
                     " center front enhanced font '" + font + "' textcolor rgb '" + colour + "'");
      };
      const CellTexts texts = texts_of(cells[k]);
      const bool tied = !texts.ties.empty(), compared = !texts.excess.empty();
      put("best", tied && compared ? 0.27 : tied || compared ? 0.16 : 0, ",12");
      if (tied) put("ties", compared ? 0 : -0.16, ",9");
      if (compared) put("excess", tied ? -0.25 : -0.18, ",9");
    }
  }

  const ResolvedFigure& figure_;
  std::vector<std::string> colours_;                 ///< by series
  std::vector<std::size_t> winners_;                 ///< series that win somewhere
  std::vector<std::string> losers_, title_, notes_;  ///< lines
  Script script_;
  PanelGrid grid_;
  Page page_;
};

}  // namespace

std::string winners_script(const ResolvedFigure& figure) { return WinnersWriter(figure).write(); }

}  // namespace nowsim
