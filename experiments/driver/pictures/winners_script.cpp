// Writing the map: cells as coloured boxes with texts, and a legend of those that win somewhere.
#include "experiments/driver/pictures/winners_script.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "experiments/driver/pictures/colours.hpp"
#include "experiments/driver/pictures/figure_rows.hpp"
#include "experiments/driver/pictures/figure_texts.hpp"
#include "experiments/driver/pictures/label_text.hpp"
#include "experiments/driver/pictures/page_places.hpp"
#include "experiments/driver/pictures/picture_page.hpp"
#include "experiments/driver/pictures/winners.hpp"
#include "experiments/driver/reading/axis_scale.hpp"
#include "experiments/driver/running/summary_output.hpp"
#include "sim/base/error.hpp"

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

/// What a cell shows, top down, in gnuplot's enhanced mode.
struct CellTexts {
  std::string name, ties, excess;
};

struct Cell {
  std::size_t column, row;
  Winner winner;
  CellTexts texts;
};

class WinnersWriter {
 public:
  WinnersWriter(const Figure& figure, const Summary& summary, const std::string& name)
      : figure_(figure),
        summary_(summary),
        name_(name),
        x_(scale_of(values_of_key(summary, figure.x.key))),
        y_(scale_of(values_of_key(summary, figure.y.key))),
        series_(scale_of(values_of_key(summary, figure.series.key))),
        colours_(distinct_colours(series_.texts.size())) {
    for (const auto& panel : figure.panels) panels_.push_back(cells_of(panel));
    if (std::ranges::all_of(panels_, [](const auto& cells) { return cells.empty(); }))
      throw RunError("there is nothing to draw in the figure " + name + ": no row has a value of " +
                     figure.panels.front().metric);
    find_legend();
    find_page();
  }

  std::string write() {
    out_ << script_head(name_);
    for (std::size_t p = 0; p < panels_.size(); ++p) write_cells(p);
    write_texts();
    out_ << begin_pages(width_, height_);
    write_notes();
    write_legend();
    for (std::size_t p = 0; p < panels_.size(); ++p) write_panel(p);
    out_ << end_pages();
    return out_.str();
  }

 private:
  // ---- what is drawn ----

  std::vector<Cell> cells_of(const FigurePanel& panel) const {
    std::vector<Cell> out;
    for (std::size_t i = 0; i < x_.texts.size(); ++i)
      for (std::size_t j = 0; j < y_.texts.size(); ++j)
        if (auto winner = winner_at(figure_, panel, summary_, x_.texts[i], y_.texts[j])) {
          CellTexts texts = texts_of(*winner);
          out.push_back({i, j, std::move(*winner), std::move(texts)});
        }
    return out;
  }
  static std::string text_of(const FigureAxis& axis, const std::string& value) {
    const auto own = axis.labels.find(value);
    return own == axis.labels.end() ? name_text(value) : label_text(own->second);
  }
  std::string series_text(const std::string& value) const { return text_of(figure_.series, value); }
  CellTexts texts_of(const Winner& winner) const {
    CellTexts out{series_text(winner.best) + (winner.is_among_fewer ? "*" : ""), ties_text(winner), ""};
    if (!winner.compared.empty() && !std::isnan(winner.excess))
      out.excess = series_text(winner.compared) + " " + excess_text(winner.excess);
    return out;
  }
  std::string ties_text(const Winner& winner) const {
    std::string out;
    for (const auto& tie : winner.ties) out += (out.empty() ? "≈ " : ", ") + series_text(tie);
    if (label_width(out) <= kLongestTies || winner.ties.size() < 2) return out;
    return "≈ " + std::to_string(winner.ties.size()) + " others";
  }
  std::size_t index_of(const std::string& value) const {
    return static_cast<std::size_t>(std::ranges::find(series_.texts, value) - series_.texts.begin());
  }
  std::string colour_of(const Winner& winner) const {
    return mixed_with_white(colours_[index_of(winner.best)], winner.ties.empty() ? kPlainPart : kTiedPart);
  }

  // ---- texts ----

  /// Values stand on the axis as they are written, with their units: the label has none.
  static std::string label_of(const FigureAxis& axis) { return axis_label(axis, AxisScale{}); }
  std::string series_name() const {
    const std::string& key = figure_.series.key;
    return figure_.series.label.empty() ? name_text(key.substr(key.rfind('.') + 1)) : label_text(figure_.series.label);
  }
  /// "lowest tau", with the panel's letter where panels differ in it.
  std::string criterion() const {
    std::vector<std::string> all;
    for (const auto& panel : figure_.panels)
      all.push_back((panel.highest_is_best ? "highest " : "lowest ") +
                    label_text(panel.label.empty() ? panel.metric : panel.label));
    if (std::ranges::all_of(all, [&](const std::string& one) { return one == all.front(); })) return all.front();
    std::string out;
    for (std::size_t p = 0; p < all.size(); ++p)
      out += (p > 0 ? ", (" : "(") + std::string(1, static_cast<char>('a' + p)) + ") " + all[p];
    return out;
  }
  bool any_cell(bool (*is)(const Cell&)) const {
    return std::ranges::any_of(panels_, [&](const auto& cells) { return std::ranges::any_of(cells, is); });
  }
  std::string notes() const {
    const std::string confidence = provenance_of(summary_).confidence;
    std::string out = "In each cell: the " + series_name() + " with the " + criterion() + ", and how far that of " +
                      (figure_.against.empty() ? "the second best"
                                               : series_text(figure_.against) + ", or where it is best the second's,") +
                      " is from it.";
    if (any_cell([](const Cell& c) { return !c.winner.ties.empty(); }))
      out += " Lighter: not told apart from those behind ≈ (intervals of differences, " + confidence +
             " together in a cell, for means whose correlation is not negative).";
    if (any_cell([](const Cell& c) { return c.winner.is_among_fewer; })) out += " *: of fewer, not all have results.";
    return out;
  }
  std::string footer() const {
    const Provenance p = provenance_of(summary_);
    return p.replications + (p.replications == "1" ? " replication, " : " replications, ") + p.origin();
  }

  // ---- places, in pixels from the page's upper left corner ----

  void find_legend() {
    std::string losers;
    for (const auto& value : series_.texts) {
      const auto wins = [&](const Cell& c) { return c.winner.best == value; };
      if (std::ranges::any_of(panels_, [&](const auto& cells) { return std::ranges::any_of(cells, wins); }))
        winners_.push_back(value);
      else
        losers += (losers.empty() ? "" : ", ") + series_text(value);
    }
    if (!losers.empty()) losers_ = wrapped("nowhere best: " + losers, kLegendLetters);
  }
  static std::size_t longest(const std::vector<std::string>& texts) {
    std::size_t most = 0;
    for (const auto& text : texts) most = std::max(most, label_width(text));
    return most;
  }
  std::vector<std::string> tic_texts(const FigureAxis& axis, const AxisScale& scale) const {
    std::vector<std::string> out;
    for (const auto& value : scale.texts) out.push_back(text_of(axis, value));
    return out;
  }
  void find_page() {
    std::vector<std::string> names{}, small = losers_;
    cell_width_ = kLeastCell;
    for (const auto& cells : panels_)
      for (const auto& cell : cells) {
        const double name = kWinnersLetter * static_cast<double>(label_width(cell.texts.name));
        const double below = kSmallLetter * static_cast<double>(longest({cell.texts.ties, cell.texts.excess}));
        cell_width_ = std::max(cell_width_, std::max(name, below) + kBesideText);
      }
    cell_width_ =
        std::max(cell_width_, kWinnersLetter * static_cast<double>(longest(tic_texts(figure_.x, x_))) + kBesideText);
    for (const auto& value : winners_) names.push_back(series_text(value));
    left_ = 44 + kWinnersLetter * static_cast<double>(longest(tic_texts(figure_.y, y_)));
    legend_ = std::max(40 + kWinnersLetter * static_cast<double>(std::max(longest(names), label_width(series_name()))),
                       16 + kSmallLetter * static_cast<double>(longest(small))) +
              14;
    width_ = panel_left(panels_.size() - 1) + panel_width() + legend_;
    title_ = title_lines(summary_.title, width_);
    notes_ = wrapped(notes(), static_cast<std::size_t>((width_ - 24) / kSmallLetter));
    above_ = 24 + 21 * static_cast<double>(title_.size()) + (has_captions(figure_) ? 24 : 0);
    const double legend_height = kWinnersLegendLine * static_cast<double>(winners_.size() + 1) +
                                 kNoteLine * static_cast<double>(losers_.size() + 1);
    below_ = 62 + kNoteLine * static_cast<double>(notes_.size()) + 22;
    height_ = above_ + std::max(panel_height(), legend_height - 40) + below_;
  }
  double panel_width() const { return cell_width_ * static_cast<double>(x_.texts.size()); }
  double panel_height() const { return kCellHeight * static_cast<double>(y_.texts.size()); }
  double panel_left(std::size_t p) const { return left_ + static_cast<double>(p) * (panel_width() + kWinnersGap); }
  std::string screen(double x, double y) const { return PageSize{width_, height_}.at(x, y); }

  // ---- the script ----

  void line(const std::string& text) { out_ << text << '\n'; }
  /// All texts are variables: nothing of them stands in a command.
  void text(const std::string& variable, const std::string& value) { line(variable + " = " + script_string(value)); }
  /// A panel's cells: column, row, colour.
  void write_cells(std::size_t p) {
    line("$panel" + std::to_string(p + 1) + " << END_OF_PANEL");
    for (const Cell& cell : panels_[p])
      line(std::to_string(cell.column + 1) + "," + std::to_string(cell.row + 1) + "," +
           std::to_string(std::stoul(colour_of(cell.winner).substr(1), nullptr, 16)));
    line("END_OF_PANEL\n");
  }
  static std::string variable(std::size_t p, std::size_t cell, const char* what) {
    return std::string(what) + "_" + std::to_string(p + 1) + "_" + std::to_string(cell + 1);
  }
  void write_texts() {
    text("title", joined_lines(title_));
    text("footer", footer());
    text("notes", joined_lines(notes_));
    text("x_label", label_of(figure_.x));
    text("y_label", label_of(figure_.y));
    text("series", series_name());
    text("losers", joined_lines(losers_));
    for (std::size_t s = 0; s < winners_.size(); ++s) text("series_" + std::to_string(s + 1), series_text(winners_[s]));
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      text("caption_" + std::to_string(p + 1), panel_caption(figure_, p));
      for (std::size_t k = 0; k < panels_[p].size(); ++k) {
        const CellTexts& texts = panels_[p][k].texts;
        text(variable(p, k, "best"), "{/:Bold " + texts.name + "}");
        text(variable(p, k, "ties"), texts.ties);
        text(variable(p, k, "excess"), texts.excess);
      }
    }
    line("");
  }
  void write_notes() {
    line("set label 3 notes at " + screen(12, height_ - 24 - kNoteLine * (static_cast<double>(notes_.size()) - 0.5)) +
         " left enhanced font ',9' textcolor rgb '#404040'");
  }
  void write_legend() {
    const double left = panel_left(panels_.size() - 1) + panel_width() + 14;
    double top = above_ + 8;
    line("set label 4 series at " + screen(left, top) + " left enhanced");
    for (std::size_t s = 0; s < winners_.size(); ++s) {
      top += kWinnersLegendLine;
      const std::string id = std::to_string(s + 1);
      line("set object " + id + " rectangle from " + screen(left, top - 7) + " to " + screen(left + 20, top + 7) +
           " fillcolor rgb '" + colours_[index_of(winners_[s])] + "' fillstyle solid 1 noborder");
      line("set label " + std::to_string(s + 10) + " series_" + id + " at " + screen(left + 27, top) +
           " left enhanced");
    }
    line("set label 5 losers at " + screen(left, top + kWinnersLegendLine) +
         " left enhanced font ',9' textcolor rgb '#404040'");
  }
  void write_panel(std::size_t p) {
    const std::string id = std::to_string(p + 1);
    line("\n# panel " + id);
    const double left = panel_left(p);
    line(PageSize{width_, height_}.plot_area(left, above_, panel_width(), panel_height()));
    if (has_captions(figure_))
      line("set label 6 caption_" + id + " at " + screen(left + panel_width() / 2, above_ - 14) + " center enhanced");
    write_axes(p);
    write_cell_texts(p);
    line("unset key; set border linewidth 1 linecolor rgb '#808080'");
    if (panels_[p].empty())
      line("set label 7 'no results' at graph 0.5, graph 0.5 center\nplot NaN notitle");
    else
      line("plot $panel" + id +
           " using 1:2:(0.485):(0.475):3 with boxxyerror linecolor rgb variable "
           "fillstyle solid 1 noborder notitle");
    line("unset label; unset object");
  }
  void write_axes(std::size_t p) {
    line("set xlabel x_label enhanced textcolor rgb 'black'");
    line(p == 0 ? "set ylabel y_label enhanced textcolor rgb 'black'" : "unset ylabel");
    line("set xrange [0.5:" + script_number(static_cast<double>(x_.texts.size()) + 0.5) +
         "]; set yrange [0.5:" + script_number(static_cast<double>(y_.texts.size()) + 0.5) + "]");
    write_tics("x", tic_texts(figure_.x, x_), true);
    write_tics("y", tic_texts(figure_.y, y_), p == 0);
  }
  void write_tics(const char* axis, const std::vector<std::string>& texts, bool named) {
    out_ << "set " << axis << "tics scale 0 enhanced textcolor rgb 'black' (";
    for (std::size_t i = 0; i < texts.size(); ++i)
      out_ << (i > 0 ? ", " : "") << tic_string(named ? texts[i] : "") << ' ' << i + 1;
    out_ << ")\n";
  }
  void write_cell_texts(std::size_t p) {
    std::size_t tag = 1000;
    for (std::size_t k = 0; k < panels_[p].size(); ++k) {
      const Cell& cell = panels_[p][k];
      const std::string colour = text_colour_on(colour_of(cell.winner));
      const auto put = [&](const char* what, double above, const char* font) {
        line("set label " + std::to_string(++tag) + " " + variable(p, k, what) + " at first " +
             std::to_string(cell.column + 1) + ", first " + script_number(static_cast<double>(cell.row + 1) + above) +
             " center front enhanced font '" + font + "' textcolor rgb '" + colour + "'");
      };
      const bool tied = !cell.texts.ties.empty(), compared = !cell.texts.excess.empty();
      put("best", tied && compared ? 0.27 : tied || compared ? 0.16 : 0, ",12");
      if (tied) put("ties", compared ? 0 : -0.16, ",9");
      if (compared) put("excess", tied ? -0.25 : -0.18, ",9");
    }
  }

  const Figure& figure_;
  const Summary& summary_;
  const std::string& name_;
  AxisScale x_, y_, series_;
  std::vector<std::string> colours_;  ///< by value of the series
  std::vector<std::vector<Cell>> panels_;
  std::vector<std::string> winners_;                 ///< values of the series that win somewhere
  std::vector<std::string> losers_, title_, notes_;  ///< lines
  double cell_width_ = 0, left_ = 0, legend_ = 0, above_ = 0, below_ = 0, width_ = 0, height_ = 0;
  std::ostringstream out_;
};

}  // namespace

std::string winners_script(const Figure& figure, const Summary& summary, const std::string& name) {
  return WinnersWriter(figure, summary, name).write();
}

}  // namespace nowsim
