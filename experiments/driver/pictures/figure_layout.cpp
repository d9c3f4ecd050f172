// Widths first, then the lines that texts take in them, then heights.
#include "experiments/driver/pictures/figure_layout.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/label_lines.hpp"

namespace nowsim {
namespace {

constexpr double kLegendLetter = 8.6, kLegendLine = 25.5, kLineOfText = 17, kFooterLetter = 6.6;
constexpr double kColumnLetter = 10;           // of an entry, in the columns that gnuplot makes
constexpr double kNameHeight = 6.9;            // a letter of an upright name
constexpr std::size_t kMostBesidePlots = 18;   // entries of a legend below one another
constexpr double kWideEnough = 220;            // of plots that stand side by side, or beside the legend
constexpr std::size_t kAnyWidth = 100'000;
constexpr std::size_t kMostLabelLines = 4;     // of the values' names

std::size_t letters_in(double pixels, double letter) {
  return static_cast<std::size_t>(std::max(4.0, pixels / letter));
}

/// The lines of a label, each by itself.
std::string in_lines(const Label& label, std::size_t letters, std::size_t most = kAnyWidth) {
  std::vector<Label> lines = label_lines(label, letters);
  if (lines.size() > most) {
    lines.resize(most);
    lines.back() = shortened_label(lines.back() + " …", letters);
  }
  std::string out;
  for (const auto& line : lines) out += (out.empty() ? "" : "\n") + enhanced(line);
  return out;
}

}  // namespace

FigureLayout::FigureLayout(const ResolvedFigure& figure, const LayoutNeeds& needs)
    : figure_(figure), needs_(needs), is_fitted_(page_of_size(figure.print).is_printed) {
  const Page wanted = page_of_size(figure.print);
  page.scale = wanted.scale;
  page.is_printed = wanted.is_printed;
  place_freely();
  if (!is_fitted_) return;
  page.width = wanted.width > 0 ? wanted.width : page.width / page.scale;
  page.height = wanted.height;
  place_on_page();
}

// ---- as large as it needs ----

void FigureLayout::place_freely() {
  const std::size_t panels = figure_.panels.size();
  grid = {std::min(needs_.most_columns, panels), needs_.plot_width, needs_.plot_height, needs_.left,
          needs_.left + needs_.right};
  legend_columns_ = (figure_.series.size() + kMostBesidePlots - 1) / kMostBesidePlots;
  page.width = static_cast<double>(grid.columns) * (grid.panel_width + grid.beside) + legend_width();
  find_names();
  find_texts();
  grid.above = head();
  grid.below = needs_.between + upright_names_;
  page.height = grid.top_of(panels - 1) + grid.panel_height + under() + footer_height();
}

// ---- on a page of a given width ----

/// Of a plot as wide as the grid says.
double FigureLayout::fitting_height() const {
  return std::max(needs_.least_height, grid.panel_width * needs_.plot_height / needs_.plot_width);
}

bool FigureLayout::fits_across(std::size_t columns, bool legend_below) {
  is_legend_below_ = legend_below;
  const double beside = legend_below ? 0 : legend_width();
  grid.columns = columns;
  grid.panel_width = (page.width - beside) / static_cast<double>(columns) - grid.left - needs_.right;
  const double least_height = kLegendLine * static_cast<double>(std::min(figure_.series.size(), kMostBesidePlots));
  if (!legend_below && figure_.has_legend && least_height > fitting_height()) return false;
  const bool is_alone = columns == 1 && (legend_below || !figure_.has_legend);
  return grid.panel_width >= (is_alone || page.height > 0 ? needs_.least_width : kWideEnough);
}

void FigureLayout::place_on_page() {
  const double height = page.height;
  const auto place = [&] {
    for (std::size_t columns = std::min(needs_.most_columns, figure_.panels.size()); columns > 0; --columns)
      for (const bool below : {false, true})
        if ((!below || figure_.has_legend) && fits_across(columns, below)) return true;
    return false;
  };
  legend_columns_ = (figure_.series.size() + kMostBesidePlots - 1) / kMostBesidePlots;
  // Lines of the values' names, which take width.
  for (std::size_t lines = 1, wanted = 1; lines <= kMostLabelLines; lines = wanted) {
    grid.left = needs_.left - 8 + kLineOfText * static_cast<double>(lines - 1);
    if (!place()) throw page_too_small(page, "width", grid.left + needs_.right + needs_.least_width);
    grid.beside = grid.left + needs_.right;
    grid.panel_height = fitting_height();
    if (is_legend_below_)
      legend_columns_ = std::max<std::size_t>(1, static_cast<std::size_t>((page.width - 12) / legend_width()));
    find_names();
    find_texts();
    grid.above = head();
    grid.below = under() + caption_height() + needs_.over + 4;
    if (height > 0) {
      const double rest = height - grid.above - under() - footer_height() - legend_height() -
                          static_cast<double>(rows() - 1) * grid.below;
      grid.panel_height = rest / static_cast<double>(rows());
      if (grid.panel_height < needs_.least_height)
        throw page_too_small(page, "height",
                             height + static_cast<double>(rows()) * (needs_.least_height - grid.panel_height));
    }
    wanted = y_label_lines();
    if (wanted <= lines) break;
  }
  page.height = height > 0 ? height
                           : grid.top_of(figure_.panels.size() - 1) + grid.panel_height + under() + legend_height() +
                                 footer_height();
}

// ---- texts ----

void FigureLayout::find_texts() {
  title_ = title_lines(figure_.title, page.width);
  for (const auto& line : title_lines(figure_.changes, page.width)) title_.push_back(line);
  if (figure_.title.empty()) title_.clear();
  footer_ = {figure_.footer};
  remark_ = {figure_.remark};
  caption_lines_ = figure_.has_captions ? 1 : 0;
  x_label_lines_ = 1;
  if (is_fitted_) {
    const std::size_t letters = letters_in(page.width - 16, kFooterLetter);
    footer_ = wrapped(figure_.footer, letters);
    remark_ = wrapped(figure_.remark, letters);
    const auto lines = [](const std::string& text) {
      return static_cast<std::size_t>(1 + std::ranges::count(text, '\n'));
    };
    for (const auto& panel : figure_.panels) {
      if (figure_.has_captions) caption_lines_ = std::max(caption_lines_, lines(caption(panel.caption)));
      x_label_lines_ = std::max(x_label_lines_, lines(x_label(figure_.x_of(panel).label)));
    }
  }
  if (figure_.footer.empty()) footer_.clear();
  if (figure_.remark.empty()) remark_.clear();
}

void FigureLayout::find_names() {
  std::size_t widest = 0;
  for (const std::size_t letters : needs_.name_letters) widest = std::max(widest, letters);
  const double room = grid.panel_width / static_cast<double>(std::max<std::size_t>(1, needs_.names));
  upright_names_ = kPageLetter * static_cast<double>(widest) + 6 > room ? kNameHeight * static_cast<double>(widest) : 0;
}

std::string FigureLayout::x_label(const Label& label) const {
  return in_lines(label, is_fitted_ ? letters_in(grid.panel_width + grid.left / 2, kPageLetter) : kAnyWidth);
}
std::string FigureLayout::y_label(const Label& label) const {
  std::size_t letters = is_fitted_ ? letters_in(grid.panel_height + 30, kPageLetter) : kAnyWidth;
  // As narrow as so many lines can be: no unit stands alone on the last one.
  for (const auto lines = label_lines(label, letters).size(); lines > 1 && lines <= kMostLabelLines; --letters)
    if (letters == 1 || label_lines(label, letters - 1).size() != lines) break;
  return in_lines(label, letters, kMostLabelLines);
}
std::string FigureLayout::y_label_offset(const Label& label) const {
  const std::string text = y_label(label);
  const auto breaks = std::ranges::count(text, '\n');
  return breaks == 0 ? "" : " offset " + std::to_string(-breaks) + ",0";
}
std::string FigureLayout::caption(const Label& label) const {
  return in_lines(label, is_fitted_ ? letters_in(grid.panel_width + grid.left, kPageLetter) : kAnyWidth);
}

std::size_t FigureLayout::y_label_lines() const {
  std::size_t most = 1;
  for (const auto& panel : figure_.panels) {
    const std::string text = y_label(panel.value.label);
    most = std::max(most, static_cast<std::size_t>(1 + std::ranges::count(text, '\n')));
  }
  return most;
}

Label FigureLayout::legend_text(const Label& label) const {
  return is_fitted_ ? shortened_label(label, letters_in(page.width - needs_.legend_sample, kPageLetter)) : label;
}

// ---- heights and widths ----

std::size_t FigureLayout::rows() const { return (figure_.panels.size() + grid.columns - 1) / grid.columns; }

double FigureLayout::caption_height() const {
  return caption_lines_ > 0 ? 24 + kLineOfText * static_cast<double>(caption_lines_ - 1) : 0;
}

double FigureLayout::head() const {
  return (title_.empty() ? 8 : 22 + 21 * static_cast<double>(title_.size())) + caption_height() + needs_.over;
}

double FigureLayout::under() const {
  return needs_.under + upright_names_ + kLineOfText * static_cast<double>(x_label_lines_ - 1);
}

/// A remark has room above the footer's first line.
double FigureLayout::footer_height() const {
  const std::size_t lines = footer_.size() + (is_fitted_ ? remark_.size() : 0);
  return lines == 0 ? 0 : 24 + kSmallLine * static_cast<double>(lines - 1);
}

double FigureLayout::legend_width() const {
  if (!figure_.has_legend) return 0;
  std::size_t most = 0;
  for (const auto& series : figure_.series) most = std::max(most, series.label.width());
  const double entry = needs_.legend_sample - 15 + kLegendLetter * static_cast<double>(most);
  if (is_legend_below_) return needs_.legend_sample - 10 + kColumnLetter * static_cast<double>(most);
  return static_cast<double>(legend_columns_) * entry + 15;
}

double FigureLayout::legend_height() const {
  if (!is_legend_below_) return 0;
  const std::size_t rows = (figure_.series.size() + legend_columns_ - 1) / legend_columns_;
  return kLegendLine * static_cast<double>(rows) + 6;
}

// ---- commands ----

void FigureLayout::write_texts(Script& script) const {
  script.text("title", joined_lines(title_));
  script.text("footer", joined_lines(footer_));
}

std::string FigureLayout::begin() const { return begin_pages(page, joined_lines(remark_), footer_.size()); }

std::string FigureLayout::caption_command(std::size_t panel, int tag) const {
  const std::size_t more_lines = std::max<std::size_t>(caption_lines_, 1) - 1;
  const double above = 14 + needs_.over + kLineOfText * static_cast<double>(more_lines);
  return "set label " + std::to_string(tag) + " caption_" + std::to_string(panel + 1) + " at " +
         page.at(grid.left_of(panel) + grid.panel_width / 2, grid.top_of(panel) - above) + " center enhanced";
}

std::string FigureLayout::key() const {
  const std::size_t rows = is_legend_below_ ? (figure_.series.size() + legend_columns_ - 1) / legend_columns_
                                            : kMostBesidePlots;
  const double left = is_legend_below_ ? 8 : grid.left_of(grid.columns - 1) + grid.panel_width + 12;
  const double top = is_legend_below_ ? grid.top_of(figure_.panels.size() - 1) + grid.panel_height + under() + 2
                                      : grid.above + 4;
  return "set key at " + page.at(left, top) + " left top Left reverse vertical enhanced " + needs_.legend_options +
         " maxrows " + std::to_string(rows);
}

}  // namespace nowsim
