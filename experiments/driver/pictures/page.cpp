#include "experiments/driver/pictures/page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Of title and footer: from above, below and the left [pixels].
constexpr double kTitleAt = 24, kFooterAt = 11, kFooterFrom = 12;
constexpr double kTitleLetter = 9.5;
constexpr std::size_t kMostTitleLines = 12;

/// The size of letters where nothing else is asked for; what they are in print where pixels are CSS's; and letters of a
/// page whose size is asked for [points].
constexpr double kLettersPt = 12, kPrintedLettersPt = 9, kPaperLettersPt = 8;
constexpr double kPixelsPerInch = 96, kPrintedPngDpi = 300;
/// By which letters and marks of PNGs and PDFs are to be scaled to be those of SVGs: cairo takes a font's points for
/// those of a screen of 96 dots per inch.
constexpr double kCairoLetters = 0.75, kCairoPoints = 1.4;

constexpr double kLegendLetter = 8.6, kLegendLine = 25.5, kLineOfText = 17, kFooterLetter = 6.6;
constexpr double kColumnLetter = 10;          // of an entry, in the columns that gnuplot makes
constexpr double kNameHeight = 6.9;           // a letter of an upright name
constexpr std::size_t kMostBesidePlots = 18;  // entries of a legend below one another
constexpr double kWideEnough = 220;           // of plots that stand side by side on a page of a given size
constexpr std::size_t kMostLabelLines = 2;    // of the values' names, likewise
constexpr std::size_t kAnyWidth = 100'000;

// ---- terminals ----

std::string screen(double x, double y) {
  char text[80];
  std::snprintf(text, sizeof text, "screen %.6g, screen %.6g", x, y);
  return text;
}

/// Of so many pixels, and a little more: cairo cuts a page down to whole points.
std::string inches(double pixels) { return script_number(pixels / kPixelsPerInch + 0.001); }

std::string whole(double pixels) { return std::to_string(std::lround(pixels)); }

/// "svg size 800,600 ...": gnuplot's terminal for the page. A PDF's page is in inches, a pixel being 1/96 of one as in
/// CSS, so that both look alike; gnuplot halves its lines and letters. A PNG is `scale` times as large, a variable.
std::string terminal(PictureFormat format, const Page& page) {
  const std::string look =
      " enhanced background rgb 'white' font 'DejaVu Sans," + short_number(kLettersPt * page.scale) + "'";
  const double letters = page.is_printed ? kCairoLetters : 1, points = page.is_printed ? kCairoPoints : 1;
  if (format == PictureFormat::svg)
    return "svg size " + whole(page.scale * page.width) + "," + whole(page.scale * page.height) +
           (page.is_printed ? " fixed" : " dynamic") + look +
           (page.scale == 1 ? "" : " linewidth " + script_number(page.scale));
  if (format == PictureFormat::pdf)
    return "pdfcairo size " + inches(page.scale * page.width) + "," + inches(page.scale * page.height) + look +
           " fontscale " + short_number(0.75 * letters) + " linewidth " + short_number(1.5 * page.scale) +
           (page.is_printed ? " pointscale " + short_number(kCairoPoints * page.scale) : "");
  const double dots = page.is_printed ? kPrintedPngDpi / kPixelsPerInch : 1;
  const auto scaled = [&](double pixels) { return "int(" + whole(dots * page.scale * pixels) + "*scale)"; };
  const auto factor = [&](double by) { return by == 1 ? "scale" : script_number(by) + "*scale"; };
  return "pngcairo size " + scaled(page.width) + "," + scaled(page.height) + look + " fontscale " +
         factor(dots * letters) + " linewidth " + factor(dots * page.scale) + " pointscale " +
         factor(dots * page.scale * points);
}

/// The lines that put the variables title and footer on it, as labels 1 and 2.
std::string title_and_footer(const Page& page, std::size_t footer_lines) {
  const double footer_at = kFooterAt + kSmallLine * static_cast<double>(std::max<std::size_t>(footer_lines, 1) - 1);
  return "set label 1 title at " + screen(0.5, 1 - kTitleAt / page.height) + " center noenhanced font " +
         page.font(13) + "\nset label 2 footer at " + screen(kFooterFrom / page.width, footer_at / page.height) +
         " left noenhanced font " + page.font(9) + " textcolor rgb '#404040'\n";
}

// ---- texts ----

std::size_t letters_in(double pixels, double letter) {
  return static_cast<std::size_t>(std::max(4.0, pixels / letter));
}

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(1 + std::ranges::count(text, '\n'));
}

/// The lines of a label, each by itself.
std::string in_lines(const Label& label, std::size_t letters, std::size_t most = kAnyWidth) {
  std::vector<Label> lines = label_lines(label, letters);
  if (lines.size() > most) {
    lines.resize(most);
    lines.back() = shortened_label(lines.back() + " …", letters);
  }
  return joined_lines(lines);
}

}  // namespace

std::string Page::font(int size) const { return "'," + short_number(scale * size) + "'"; }

std::string Page::at(double left, double top) const {
  return "screen " + script_number(left / width) + ", screen " + script_number(1 - top / height);
}

std::string Page::plot_area(double left, double top, double plot_width, double plot_height) const {
  return "set lmargin at screen " + script_number(left / width) + "; set rmargin at screen " +
         script_number((left + plot_width) / width) + "\nset tmargin at screen " + script_number(1 - top / height) +
         "; set bmargin at screen " + script_number(1 - (top + plot_height) / height);
}

Page page_of_size(const FigurePrint& print) {
  const double letters_pt = print.letters_pt > 0 ? print.letters_pt : print.is_sized() ? kPaperLettersPt : 0;
  Page page;
  page.scale = letters_pt > 0 ? letters_pt / kPrintedLettersPt : 1;
  page.is_printed = letters_pt > 0;
  const auto pixels = [&](double mm) { return std::floor(mm * kPixelsPerInch / 25.4) / page.scale; };
  page.width = pixels(print.width_mm);
  page.height = pixels(print.height_mm);
  return page;
}

RunError page_too_small(const Page& page, const char* side, double wanted) {
  char text[240];
  std::snprintf(text, sizeof text,
                "figure.size: with letters of %.3g pt the figure needs a %s of %.0f mm for its plots, texts and "
                "legend; "
                "a larger size, or a smaller font_size",
                page.scale * kPrintedLettersPt, side, std::ceil(page.scale * wanted * 25.4 / kPixelsPerInch));
  return RunError(text);
}

std::vector<std::string> title_lines(const std::string& title, double width) {
  const auto letters = static_cast<std::size_t>(width / kTitleLetter);
  std::vector<std::string> lines = wrapped(title, letters);
  for (auto& line : lines) line = shortened(line, letters);
  if (lines.size() <= kMostTitleLines) return lines;
  lines.resize(kMostTitleLines);
  lines.back() += " …";
  return lines;
}

std::vector<std::string> title_lines(const ResolvedFigure& figure, double width) {
  if (figure.title.empty()) return {};
  std::vector<std::string> lines = title_lines(figure.title, width);
  for (const auto& line : title_lines(figure.changes, width)) lines.push_back(line);
  return lines;
}

std::vector<std::string> page_lines(const std::string& text, const Page& page, std::size_t letters) {
  if (text.empty()) return {};
  return page.is_printed ? wrapped(text, letters) : std::vector<std::string>{text};
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

std::string joined_lines(const std::vector<Label>& lines) {
  std::vector<std::string> texts;
  for (const auto& line : lines) texts.push_back(enhanced(line));
  return joined_lines(texts);
}

std::string script_head(const std::string& name) {
  return "# Draws the pictures that are named here, as SVG, PNG and PDF: run gnuplot 5.4 on this file, in its folder.\n"
         "# With -e \"kinds = 'png'; scale = 2\" before its name: PNG alone, of double size.\n"
         "# Written by nowsim " +
         std::string(version()) + ".\n" +
         "reset\nset encoding utf8\nset datafile separator comma\nset datafile missing NaN\nname = " +
         file_string(name) + "\n\n";
}

std::string begin_pages(const Page& page, const std::string& remark, std::size_t footer_lines,
                        std::optional<PictureFormat> only) {
  const auto remark_lines = static_cast<double>(std::ranges::count(remark, '\n'));
  const double remark_at =
      25 + kSmallLine * (remark_lines + static_cast<double>(footer_lines) - 1);  // above the lower edge
  const std::string above_footer =
      remark.empty() ? ""
                     : "set label 6 " + script_string(remark) + " at " + page.at(12, page.height - remark_at) +
                           " left noenhanced font " + page.font(9) + " textcolor rgb '#404040'\n";
  std::string kinds, terminals;
  for (const auto& [format, ending] : picture_endings()) {
    if (only && format != *only) continue;
    const std::string kind = ending + 1;  // behind its dot
    kinds += (kinds.empty() ? "" : " ") + kind;
    terminals += "if (kind eq '" + kind + "') {set terminal " + terminal(format, page) + "}\n";
  }
  return "if (!exists('kinds')) kinds = '" + kinds + "'\nif (!exists('scale')) scale = 1\ndo for [kind in kinds] {\n" +
         terminals + (only ? "set output output\n" : "set output './'.name.'.'.kind\nset multiplot\n") +
         "set format '%g'\n" + title_and_footer(page, footer_lines) + above_footer;
}

std::string end_pages() { return "unset multiplot\nunset output\n}\n"; }

std::string unset_page_texts(const std::string& remark) {
  return std::string("unset label 1; unset label 2") + (remark.empty() ? "" : "; unset label 6");
}

// ---- where plots, texts and legend stand ----

FigureLayout::FigureLayout(const ResolvedFigure& figure, const LayoutNeeds& needs)
    : page(page_of_size(figure.print)),
      grid{std::min(needs.most_columns, figure.panels.size()), needs.plot_width, needs.plot_height, needs.left,
           needs.left + needs.right},
      figure_(figure),
      needs_(needs),
      is_legend_below_(figure.has_legend && needs.has_legend_below),
      legend_columns_(is_legend_below_ ? 1 : (figure.series.size() + kMostBesidePlots - 1) / kMostBesidePlots) {
  const double height = page.height;
  const double free_width =
      static_cast<double>(grid.columns) * (grid.panel_width + grid.beside) + (is_legend_below_ ? 0 : legend_width());
  is_legend_below_ = figure.has_legend && (needs.has_legend_below || page.is_printed);
  if (page.is_printed)
    fit_width(page.width > 0 ? page.width : free_width / page.scale);
  else
    page.width = free_width;
  if (needs.heads > 0) {
    grid.heads = needs.heads;
    grid.head_width = page.width / static_cast<double>(needs.heads) - grid.beside;
    grid.head_height = needs.head_height;
    grid.head_below = needs.head_between;
  }
  if (is_legend_below_)
    legend_columns_ = std::max<std::size_t>(1, static_cast<std::size_t>((page.width - 12) / legend_width()));
  find_names();
  find_texts();
  grid.above = head();
  grid.below = page.is_printed ? under() + caption_height() + needs_.over + 4 : needs_.between + upright_names_;
  if (height > 0) fit_height(height);
  page.height = height > 0 ? height
                           : grid.top_of(figure.panels.size() - 1) + grid.height_of(figure.panels.size() - 1) + under() + legend_height() +
                                 footer_height();
}

/// Lines of the values' names take width.
void FigureLayout::fit_width(double width) {
  page.width = width;
  const auto across = static_cast<std::size_t>(width / (kWideEnough + grid.beside));
  grid.columns = std::clamp<std::size_t>(across, 1, grid.columns);
  const double plot = width / static_cast<double>(grid.columns) - grid.beside;
  const double ratio = needs_.plot_height / needs_.plot_width;
  grid.panel_height = std::max(needs_.least_height, plot * ratio);
  y_label_lines_ = kMostLabelLines;
  std::size_t lines = 1;
  for (const auto& panel : figure_.panels) lines = std::max(lines, count_lines(y_label(panel.value.label)));
  y_label_lines_ = lines;
  const double more = kLineOfText * static_cast<double>(lines - 1);
  grid.left += more;
  grid.beside += more;
  grid.panel_width = plot - more;
  grid.panel_height = std::max(needs_.least_height, grid.panel_width * ratio);
  if (grid.panel_width < needs_.least_width) throw page_too_small(page, "width", grid.beside + needs_.least_width);
}

void FigureLayout::fit_height(double height) {
  const auto rows = static_cast<double>(grid.rows(figure_.panels.size()));
  const double rest = height - grid.above - under() - footer_height() - legend_height() - (rows - 1) * grid.below;
  grid.panel_height = rest / rows;
  if (grid.panel_height < needs_.least_height)
    throw page_too_small(page, "height", height + rows * (needs_.least_height - grid.panel_height));
}

void FigureLayout::find_texts() {
  title_ = title_lines(figure_, page.width);
  const std::size_t letters = letters_in(page.width - 16, kFooterLetter);
  footer_ = page_lines(figure_.footer, page, letters);
  remark_ = page_lines(figure_.remark, page, letters);
  caption_lines_ = figure_.has_captions ? 1 : 0;
  if (!page.is_printed) return;
  for (const auto& panel : figure_.panels) {
    if (figure_.has_captions) caption_lines_ = std::max(caption_lines_, count_lines(caption(panel.caption)));
    x_label_lines_ = std::max(x_label_lines_, count_lines(x_label(figure_.x_of(panel).label)));
  }
}

void FigureLayout::find_names() {
  std::size_t widest = 0;
  for (const std::size_t letters : needs_.name_letters) widest = std::max(widest, letters);
  const double room = grid.panel_width / static_cast<double>(std::max<std::size_t>(1, needs_.names));
  const auto letters = static_cast<double>(widest);
  upright_names_ = kPageLetter * letters + 6 > room ? kNameHeight * letters : 0;
}

std::string FigureLayout::x_label(const Label& label) const {
  return in_lines(label, page.is_printed ? letters_in(grid.panel_width + grid.left / 2, kPageLetter) : kAnyWidth);
}
std::string FigureLayout::y_label(const Label& label) const {
  if (!page.is_printed) return in_lines(label, kAnyWidth);
  return in_lines(label, letters_in(grid.panel_height + 30, kPageLetter), y_label_lines_);
}
std::string FigureLayout::y_label_offset(const Label& label) const {
  const std::size_t lines = count_lines(y_label(label));
  return lines == 1 ? "" : " offset -" + std::to_string(lines - 1) + ",0";
}
std::string FigureLayout::caption(const Label& label) const {
  return in_lines(label, page.is_printed ? letters_in(grid.panel_width + grid.left, kPageLetter) : kAnyWidth);
}

Label FigureLayout::legend_text(const Label& label) const {
  return page.is_printed ? shortened_label(label, letters_in(page.width - needs_.legend_sample, kPageLetter)) : label;
}

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
  const std::size_t lines = footer_.size() + (page.is_printed ? remark_.size() : 0);
  return lines == 0 ? 0 : 24 + kSmallLine * static_cast<double>(lines - 1);
}

/// Of a legend below the plots: of one entry.
double FigureLayout::legend_width() const {
  if (!figure_.has_legend) return 0;
  std::size_t most = 0;
  for (const auto& series : figure_.series) most = std::max(most, series.label.width());
  if (is_legend_below_) return needs_.legend_sample - 10 + kColumnLetter * static_cast<double>(most);
  const double entry = needs_.legend_sample - 15 + kLegendLetter * static_cast<double>(most);
  return static_cast<double>(legend_columns_) * entry + 15;
}

std::size_t FigureLayout::legend_rows() const {
  return is_legend_below_ ? (figure_.series.size() + legend_columns_ - 1) / legend_columns_ : kMostBesidePlots;
}

double FigureLayout::legend_height() const {
  return is_legend_below_ ? kLegendLine * static_cast<double>(legend_rows()) + 6 : 0;
}

// ---- commands ----

void FigureLayout::write_texts(Script& script) const {
  script.text("title", joined_lines(title_));
  script.text("footer", joined_lines(footer_));
}

void FigureLayout::write_texts(Script& script, std::size_t panel) const {
  script.text("label_" + std::to_string(panel + 1), y_label(figure_.panels[panel].value.label));
  script.text("caption_" + std::to_string(panel + 1), caption(figure_.panels[panel].caption));
}

std::string FigureLayout::begin() const {
  return begin_pages(page, joined_lines(remark_), footer_.size(), figure_.format) +
         (figure_.format ? "set multiplot\n" : "");
}

std::string FigureLayout::caption_command(std::size_t panel, int tag) const {
  const std::size_t more_lines = std::max<std::size_t>(caption_lines_, 1) - 1;
  const double above = 14 + needs_.over + kLineOfText * static_cast<double>(more_lines);
  return "set label " + std::to_string(tag) + " caption_" + std::to_string(panel + 1) + " at " +
         page.at(grid.left_of(panel) + grid.width_of(panel) / 2, grid.top_of(panel) - above) + " center enhanced";
}

std::string FigureLayout::key() const {
  const double left = is_legend_below_ ? 8 : grid.left_of(grid.columns - 1) + grid.panel_width + 12;
  const double top =
      is_legend_below_ ? grid.top_of(figure_.panels.size() - 1) + grid.panel_height + under() + 2 : grid.above + 4;
  return "set key at " + page.at(left, top) + " left top Left reverse vertical enhanced " + needs_.legend_options +
         " maxrows " + std::to_string(legend_rows());
}

}  // namespace nowsim
