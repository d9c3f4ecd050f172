// A map of winners as a script: boxes with texts, the legend of those that win somewhere, and notes.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "experiments/driver/pictures/layers.hpp"

namespace nowsim {
namespace {

/// Pixels: of a cell, between panels, of a line of the legend and of the notes, and letters of either size.
constexpr double kLeastCell = 84, kCellHeight = 62, kLeastCellHeight = 46, kWinnersGap = 26, kWinnersLegendLine = 24,
                 kNoteLine = 15;
constexpr double kWinnersLetter = 8.4, kSmallLetter = 6.8, kBesideText = 16, kInPrint = 0.84;
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

std::vector<Label> small_lines(const Label& label, std::size_t width) {
  return label.empty() ? std::vector<Label>{} : label_lines(label, width);
}

std::size_t widest(const std::vector<AxisTic>& tics) {
  std::size_t most = 0;
  for (const auto& tic : tics) most = std::max(most, tic.label.width());
  return most;
}

class WinnersWriter : public FigureWriter {
 public:
  explicit WinnersWriter(const ResolvedFigure& figure)
      : FigureWriter(figure), colours_(area_colours(figure)), page_(page_of_size(figure.print)) {
    find_winners();
    losers_ = small_lines(losers_label_, kLegendLetters);
    const double width = page_.width, height = page_.height;
    find_free_page();
    if (page_.is_printed) fit_page(width > 0 ? width : page_.width / page_.scale, height);
  }

 private:
  // ---- texts ----

  CellTexts texts_of(const WinnerCell& cell) const {
    CellTexts out{figure_.series[cell.best].label + (cell.is_among_fewer ? "*" : ""), ties_text(cell), {}};
    if (!cell.compared || std::isnan(cell.excess)) return out;
    out.excess = figure_.series[*cell.compared].label + " " + excess_text(cell.excess);
    if (!has_room(out.excess)) out.excess = excess_text(cell.excess);
    return out;
  }
  Label ties_text(const WinnerCell& cell) const {
    Label out;
    for (const std::size_t tie : cell.ties) out += (out.empty() ? "≈ " : ", ") + figure_.series[tie].label;
    if (cell.ties.empty() || (has_room(out) && (out.width() <= kLongestTies || cell.ties.size() < 2))) return out;
    const std::string count = "≈ " + std::to_string(cell.ties.size());
    return has_room(count + " others") ? count + " others" : count;
  }
  /// On a page of a given width a cell may be narrower than its small texts.
  bool has_room(const Label& small) const {
    return !is_legend_below_ || kSmallLetter * static_cast<double>(small.width()) <= cell_width_ - 4;
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

  void find_winners() {
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      if (wins_somewhere(s))
        winners_.push_back(s);
      else
        losers_label_ += (losers_label_.empty() ? "nowhere best: " : ", ") + figure_.series[s].label;
  }
  std::size_t columns() const { return figure_.x.values.size(); }
  double y_room() const { return 44 + kWinnersLetter * static_cast<double>(widest(figure_.y->tics)); }
  void find_free_page() {
    double name = widest_name(), below = 0;
    for (const auto& panel : figure_.panels)
      for (const auto& cell : cells_in(panel)) {
        const CellTexts texts = texts_of(cell);
        below = std::max(below, kSmallLetter * static_cast<double>(std::max(texts.ties.width(), texts.excess.width())));
      }
    cell_width_ = std::max(kLeastCell, std::max(name, below) + kBesideText);
    place(figure_.panels.size());
    page_.width = right() + legend_width();
    find_texts();
    grid_.above = head();
    page_.height = grid_.above + std::max(grid_.panel_height, legend_height() - 40) + 62 + foot();
  }
  /// The rule of FigureLayout: panels side by side where their cells have room for names, the legend below; small texts
  /// of cells that have no room for them are shorter.
  void fit_page(double width, double height) {
    is_legend_below_ = true;
    page_.width = width;
    const auto cell_of = [&](std::size_t across) {
      const double plots = width - y_room() - kWinnersGap * static_cast<double>(across - 1) - 10;
      return std::min(2 * kLeastCell, plots / static_cast<double>(across * columns()));
    };
    const double least = std::max(34.0, kInPrint * widest_name() + 4);
    const std::size_t across = cell_of(figure_.panels.size()) >= least ? figure_.panels.size() : 1;
    cell_width_ = cell_of(across);
    if (cell_width_ < least)
      throw page_too_small(page_, "width", y_room() + (least + 1) * static_cast<double>(columns()) + 10);
    losers_ = small_lines(losers_label_, small_letters());
    find_texts();
    grid_.above = head();
    grid_.below = 66 + (figure_.has_captions ? 28 : 0);
    const auto rows = static_cast<double>(PanelGrid{across}.rows(figure_.panels.size()));
    const auto cells = static_cast<double>(figure_.y->values.size());
    const double beside_cells = grid_.above + (rows - 1) * grid_.below + 62 + legend_height() + foot();
    if (height > 0) cell_height_ = (height - beside_cells) / (rows * cells);
    if (cell_height_ < kLeastCellHeight)
      throw page_too_small(page_, "height", beside_cells + rows * cells * kLeastCellHeight);
    place(across);
    page_.height = height > 0 ? height : beside_cells + rows * grid_.panel_height;
  }
  double widest_name() const {
    double name = kWinnersLetter * static_cast<double>(widest(figure_.x.tics));
    for (const auto& panel : figure_.panels)
      for (const auto& cell : cells_in(panel))
        name = std::max(name, kWinnersLetter * static_cast<double>(figure_.series[cell.best].label.width() +
                                                                   (cell.is_among_fewer ? 1 : 0)));
    return name;
  }
  void place(std::size_t across) {
    grid_ = {across,
             cell_width_ * static_cast<double>(columns()),
             cell_height_ * static_cast<double>(figure_.y->values.size()),
             y_room(),
             kWinnersGap,
             grid_.above,
             grid_.below};
  }
  std::size_t small_letters() const { return static_cast<std::size_t>((page_.width - 24) / kSmallLetter); }
  void find_texts() {
    title_ = title_lines(figure_, page_.width);
    notes_ = small_lines(figure_.note, small_letters());
    footer_ = page_lines(figure_.footer, page_, small_letters());
  }
  double head() const {
    return (title_.empty() ? 8 : 24 + 21 * static_cast<double>(title_.size())) + (figure_.has_captions ? 24 : 0);
  }
  /// Notes and footer.
  double foot() const { return kNoteLine * static_cast<double>(notes_.size()) + footer_height(); }
  double footer_height() const {
    return footer_.empty() ? 8 : 22 + kSmallLine * static_cast<double>(footer_.size() - 1);
  }
  /// Of the last panel.
  double right() const { return grid_.left_of(grid_.columns - 1) + grid_.panel_width; }
  double entry_width() const {
    std::size_t name = is_legend_below_ ? 0 : figure_.series_label.width();
    for (const std::size_t s : winners_) name = std::max(name, figure_.series[s].label.width());
    return 40 + kWinnersLetter * static_cast<double>(name);
  }
  double legend_width() const {
    std::size_t small = 0;
    for (const auto& line : losers_) small = std::max(small, line.width());
    return std::max(entry_width(), 16 + kSmallLetter * static_cast<double>(small)) + 14;
  }
  std::size_t legend_columns() const {
    return is_legend_below_ ? std::max<std::size_t>(1, static_cast<std::size_t>((page_.width - 12) / entry_width()))
                            : 1;
  }
  /// Of the legend, its head among them.
  double legend_lines() const { return static_cast<double>(PanelGrid{legend_columns()}.rows(winners_.size()) + 1); }
  double legend_height() const {
    return kWinnersLegendLine * legend_lines() + kNoteLine * static_cast<double>(losers_.size() + 1);
  }

  // ---- the script ----

  /// On a page of a given size cut short to so many pixels.
  Label fitting(const Label& label, double pixels) const {
    return page_.is_printed ? shortened_label(label, static_cast<std::size_t>(std::max(4.0, pixels / kPageLetter)))
                            : label;
  }
  /// Of a panel alone in its row as wide as the page.
  double caption_room() const { return grid_.columns == 1 ? grid_.panel_width + y_room() : grid_.panel_width + 20; }
  static std::string variable(std::size_t p, std::size_t cell, const char* what) {
    return std::string(what) + "_" + one_based(p) + "_" + one_based(cell);
  }
  /// Of each cell column, row and colour.
  void write_data() override {
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      std::string rows;
      for (const auto& cell : cells_in(figure_.panels[p]))
        rows += one_based(cell.column) + "," + one_based(cell.row) + "," +
                std::to_string(std::stoul(colour_of(cell).substr(1), nullptr, 16)) + "\n";
      write_rows(p, rows);
    }
  }
  void write_texts() override {
    script_.text("title", joined_lines(title_));
    script_.text("footer", joined_lines(footer_));
    script_.text("notes", joined_lines(notes_));
    script_.text("x_label", fitting(figure_.x.label, grid_.panel_width + y_room()));
    script_.text("y_label", fitting(figure_.y->label, grid_.panel_height + 40));
    script_.text("series", figure_.series_label);
    script_.text("losers", joined_lines(losers_));
    for (std::size_t k = 0; k < winners_.size(); ++k)
      script_.text("series_" + one_based(k), figure_.series[winners_[k]].label);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      script_.text("caption_" + one_based(p), fitting(figure_.panels[p].caption, caption_room()));
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
  void begin_page() override {
    script_ << begin_pages(page_, "", footer_.size());
    script_.line(
        "set label 3 notes at " +
        page_.at(12, page_.height - footer_height() - 2 - kNoteLine * (static_cast<double>(notes_.size()) - 0.5)) +
        " left enhanced font " + page_.font(9) + " textcolor rgb '#404040'");
    write_legend();
  }
  void write_legend() {
    const double left = is_legend_below_ ? 12 : right() + 14;
    const double first =
        is_legend_below_ ? grid_.top_of(figure_.panels.size() - 1) + grid_.panel_height + 66 : grid_.above + 8;
    script_.line("set label 4 series at " + page_.at(left, first) + " left enhanced");
    for (std::size_t k = 0; k < winners_.size(); ++k) {
      const double top = first + kWinnersLegendLine * static_cast<double>(1 + k / legend_columns());
      const double at = left + entry_width() * static_cast<double>(k % legend_columns());
      script_.line("set object " + one_based(k) + " rectangle from " + page_.at(at, top - 7) + " to " +
                   page_.at(at + 20, top + 7) + " fillcolor rgb '" + colours_[winners_[k]] +
                   "' fillstyle solid 1 noborder");
      script_.line("set label " + std::to_string(k + 10) + " series_" + one_based(k) + " at " + page_.at(at + 27, top) +
                   " left enhanced");
    }
    script_.line("set label 5 losers at " + page_.at(left, first + kWinnersLegendLine * legend_lines()) +
                 " left enhanced font " + page_.font(9) + " textcolor rgb '#404040'");
  }
  void write_panel(std::size_t p) override {
    script_.line(page_.plot_area(grid_.left_of(p), grid_.top_of(p), grid_.panel_width, grid_.panel_height));
    if (figure_.has_captions)
      script_.line("set label 6 caption_" + one_based(p) + " at " +
                   page_.at(grid_.left_of(p) + grid_.panel_width / 2, grid_.top_of(p) - 14) + " center enhanced");
    write_cell_axes(p);
    write_cell_texts(p);
    script_.line("unset key; set border linewidth 1 linecolor rgb '#808080'");
    script_.line(figure_.panels[p].has_results
                     ? "plot $panel" + one_based(p) +
                           " using 1:2:(0.485):(0.475):3 with boxxyerror linecolor rgb variable "
                           "fillstyle solid 1 noborder notitle"
                     : "set label 7 'no results' at graph 0.5, graph 0.5 center\nplot NaN notitle");
    script_.line("unset label; unset object");
  }
  void write_cell_axes(std::size_t p) {
    script_.line("set xlabel x_label enhanced textcolor rgb 'black'");
    const bool is_first = p % grid_.columns == 0;
    script_.line(is_first ? "set ylabel y_label enhanced textcolor rgb 'black'" : "unset ylabel");
    script_.line("set xrange [0.5:" + script_number(figure_.x.most) +
                 "]; set yrange [0.5:" + script_number(figure_.y->most) + "]");
    write_values("x", figure_.x.tics, true);
    write_values("y", figure_.y->tics, is_first);
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
      const auto put = [&](const char* what, double above, int font) {
        script_.line("set label " + std::to_string(++tag) + " " + variable(p, k, what) + " at first " +
                     one_based(cells[k].column) + ", first " +
                     script_number(static_cast<double>(cells[k].row + 1) + above) + " center front enhanced font " +
                     page_.font(font) + " textcolor rgb '" + colour + "'");
      };
      const CellTexts texts = texts_of(cells[k]);
      const bool tied = !texts.ties.empty(), compared = !texts.excess.empty();
      put("best", tied && compared ? 0.27 : tied || compared ? 0.16 : 0, page_.is_printed ? 10 : 12);
      if (tied) put("ties", compared ? 0 : -0.16, 9);
      if (compared) put("excess", tied ? -0.25 : -0.18, 9);
    }
  }

  std::vector<std::string> colours_;  ///< by series
  std::vector<std::size_t> winners_;  ///< series that win somewhere
  Label losers_label_;
  std::vector<Label> losers_, notes_;        ///< lines
  std::vector<std::string> title_, footer_;  ///< likewise
  PanelGrid grid_;
  Page page_;
  bool is_legend_below_ = false;  ///< as on a page of a given size
  double cell_width_ = kLeastCell, cell_height_ = kCellHeight;
};

}  // namespace

std::string winners_script(const ResolvedFigure& figure) { return WinnersWriter(figure).write(); }

}  // namespace nowsim
