// gnuplot counts parts of the page, from below.
#include "experiments/driver/pictures/page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Of title and footer: from above, below and the left.
constexpr double kTitleAt = 24, kFooterAt = 11, kFooterFrom = 12;
constexpr double kTitleLetter = 9.5;  // pixels
constexpr std::size_t kMostTitleLines = 12;
/// By which letters and marks of PNGs and PDFs are to be scaled to be those of SVGs: cairo takes a font's points for
/// those of a screen of 96 dots per inch.
constexpr double kCairoLetters = 0.75, kCairoPoints = 1.4;

/// gnuplot halves a PDF's lines and letters; these are 3/4 point per pixel.
std::string pdf_look(const Page& page) {
  const double letters = page.is_printed ? kCairoLetters : 1;
  return " fontscale " + short_number(0.75 * letters * page.scale) + " linewidth " + short_number(1.5 * page.scale) +
         (page.is_printed ? " pointscale " + short_number(kCairoPoints * page.scale) : "");
}

std::string font_and_ground(double font_pt) {
  return " enhanced background rgb 'white' font 'DejaVu Sans," + short_number(font_pt) + "'";
}

std::string screen(double x, double y) {
  char text[80];
  std::snprintf(text, sizeof text, "screen %.6g, screen %.6g", x, y);
  return text;
}

/// Of so many pixels, and a little more: cairo cuts a page down to whole points.
std::string inches(double pixels) { return script_number(pixels / 96 + 0.001); }

std::string whole(double pixels) { return std::to_string(std::lround(pixels)); }

/// " linewidth 0.889": lines of a scaled page; of one that is not, nothing.
std::string scaled_lines(const Page& page) {
  return page.scale == 1 ? "" : " linewidth " + script_number(page.scale);
}
/// The same with letters.
std::string scaled_look(const Page& page) {
  return page.scale == 1 ? "" : " fontscale " + script_number(page.scale) + scaled_lines(page);
}

/// A PNG's, all of it `scale` times as large, a gnuplot variable.
std::string scalable_terminal(const Page& page) {
  const double dots = page.scale * (page.is_printed ? kPrintedPngDpi / kPixelsPerInch : 1);
  const auto scaled = [&](double pixels) { return "int(" + whole(dots * pixels) + "*scale)"; };
  const auto factor = [&](double more) {
    return dots * more == 1 ? "scale" : script_number(dots * more) + "*scale";
  };
  const double letters = page.is_printed ? kCairoLetters : 1, points = page.is_printed ? kCairoPoints : 1;
  return "pngcairo size " + scaled(page.width) + "," + scaled(page.height) + font_and_ground(kLettersPt) +
         " fontscale " + factor(letters) + " linewidth " + factor(1) + " pointscale " + factor(points);
}

/// The lines that put title and footer on it, gnuplot's expressions for strings, as labels 1 and 2.
std::string title_and_footer(const Page& page, const std::string& title, const std::string& footer,
                             std::size_t footer_lines = 1) {
  const double footer_at = kFooterAt + kSmallLine * static_cast<double>(std::max<std::size_t>(footer_lines, 1) - 1);
  return "set label 1 " + title + " at " + screen(0.5, 1 - kTitleAt / page.height) +
         " center noenhanced font " + page.font(13) + "\nset label 2 " + footer + " at " +
         screen(kFooterFrom / page.width, footer_at / page.height) +
         " left noenhanced font " + page.font(9) + " textcolor rgb '#404040'\n";
}

/// What Page::font() counts on.
std::string letters_command(PictureFormat format, const Page& page) {
  if (page.scale == 1) return "";
  return "; letters = " + (format == PictureFormat::svg ? script_number(page.scale) : "1");
}

}  // namespace

std::string Page::font(int size) const {
  const std::string plain = std::to_string(size);
  // Tics' fonts begin with a string, where labels' may be any expression.
  return scale == 1 ? "'," + plain + "'" : "','.sprintf('%g', " + plain + "*letters)";
}

std::string Page::at(double left, double top) const {
  return "screen " + script_number(left / width) + ", screen " + script_number(1 - top / height);
}

std::string Page::plot_area(double left, double top, double plot_width, double plot_height) const {
  return "set lmargin at screen " + script_number(left / width) + "; set rmargin at screen " +
         script_number((left + plot_width) / width) + "\nset tmargin at screen " + script_number(1 - top / height) +
         "; set bmargin at screen " + script_number(1 - (top + plot_height) / height);
}

std::string terminal(PictureFormat format, const Page& page, int font_pt) {
  const std::string size = "size " + whole(page.shown(page.width)) + "," + whole(page.shown(page.height));
  // A font's scale is that of an SVG's letters alone: the room that gnuplot leaves them is that of the font.
  if (format == PictureFormat::svg)
    return "svg " + size + (page.is_printed ? " fixed" : " dynamic") + font_and_ground(page.scale * font_pt) +
           scaled_lines(page);
  const std::string look = font_and_ground(font_pt);
  if (format == PictureFormat::png) return "pngcairo " + size + look + scaled_look(page);
  return "pdfcairo size " + inches(page.shown(page.width)) + "," + inches(page.shown(page.height)) + look +
         pdf_look(page);
}

/// Where only the size of letters is asked for, the page stays as wide as it was, and they are larger or smaller on it.
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
                page.scale * kPrintedLettersPt, side, std::ceil(page.shown(wanted) * 25.4 / kPixelsPerInch));
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

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

std::string picture_page(const PicturePage& page) {
  return "set encoding utf8\nset terminal " + terminal(page.format, page.size, page.font_pt) + "\nset output output\n" +
         title_and_footer(page.size, script_string(joined_lines(page.title)), script_string(page.footer));
}

std::string script_head(const std::string& name) {
  return "# Draws the pictures that are named here, as SVG, PNG and PDF: run gnuplot 5.4 on this file, in its folder.\n"
         "# With -e \"kinds = 'png'; scale = 2\" before its name: PNG alone, of double size.\n"
         "# Written by nowsim " +
         std::string(version()) + ".\n" +
         "reset\nset encoding utf8\nset datafile separator comma\nset datafile missing NaN\nname = " +
         file_string(name) + "\n\n";
}

std::string begin_pages(const Page& page, const std::string& remark, std::size_t footer_lines) {
  const auto remark_lines = static_cast<double>(std::ranges::count(remark, '\n'));
  const double remark_at =
      25 + kSmallLine * (remark_lines + static_cast<double>(footer_lines) - 1);  // above the lower edge
  const std::string above_footer = remark.empty() ? ""
                                                  : "set label 6 " + script_string(remark) + " at " +
                                                        page.at(12, page.height - remark_at) +
                                                        " left noenhanced font " + page.font(9) +
                                                        " textcolor rgb '#404040'\n";
  std::string kinds, terminals;
  for (const auto& [format, ending] : picture_endings()) {
    const std::string kind = ending + 1;  // behind its dot
    kinds += (kinds.empty() ? "" : " ") + kind;
    terminals += "if (kind eq '" + kind + "') {set terminal " +
                 (format == PictureFormat::png ? scalable_terminal(page) : terminal(format, page)) +
                 letters_command(format, page) + "}\n";
  }
  return "if (!exists('kinds')) kinds = '" + kinds + "'\nif (!exists('scale')) scale = 1\ndo for [kind in kinds] {\n" +
         terminals + "set output './'.name.'.'.kind\nset multiplot\nset format '%g'\n" +
         title_and_footer(page, "title", "footer", footer_lines) + above_footer;
}

std::string end_pages() { return "unset multiplot\nunset output\n}\n"; }

std::string unset_page_texts(const std::string& remark) {
  return std::string("unset label 1; unset label 2") + (remark.empty() ? "" : "; unset label 6");
}

}  // namespace nowsim
