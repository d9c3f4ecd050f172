// Placing title and footer in parts of the page.
#include "experiments/driver/pictures/picture_page.hpp"

#include <cmath>
#include <cstdio>

#include "experiments/driver/pictures/label_text.hpp"
#include "experiments/driver/text/text_table.hpp"

namespace nowsim {
namespace {

/// Of title and footer: from above, below and the left.
constexpr double kTitleAt = 24, kFooterAt = 11, kFooterFrom = 12;
constexpr double kTitleLetter = 9.5;  // pixels
constexpr std::size_t kMostTitleLines = 12;

std::string screen(double x, double y) {
  char text[80];
  std::snprintf(text, sizeof text, "screen %.6g, screen %.6g", x, y);
  return text;
}

/// Of so many pixels, and a little more: cairo cuts a page down to whole points.
std::string inches(double pixels) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4f", pixels / 96 + 0.001);
  return text;
}
/// gnuplot halves a PDF's lines and letters; these are 3/4 point per pixel.
constexpr const char* kPdfScale = " fontscale 0.75 linewidth 1.5";

}  // namespace

std::string terminal(PictureFormat format, double width, double height, int font_pt) {
  const std::string size = "size " + std::to_string(std::lround(width)) + "," + std::to_string(std::lround(height));
  const std::string look = " enhanced background rgb 'white' font 'DejaVu Sans," + std::to_string(font_pt) + "'";
  if (format == PictureFormat::svg) return "svg " + size + " dynamic" + look;
  if (format == PictureFormat::png) return "pngcairo " + size + look;
  return "pdfcairo size " + inches(width) + "," + inches(height) + look + kPdfScale;
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

std::string title_and_footer(double width, double height, const std::string& title, const std::string& footer) {
  return "set label 1 " + title + " at " + screen(0.5, 1 - kTitleAt / height) +
         " center noenhanced font ',13'\nset label 2 " + footer + " at " +
         screen(kFooterFrom / width, kFooterAt / height) +
         " left noenhanced font ',9' textcolor rgb '#404040'\n";
}

std::string picture_page(const PicturePage& page) {
  std::string title;
  for (const auto& line : page.title) title += (title.empty() ? "" : "\n") + line;
  return "set encoding utf8\nset terminal " + terminal(page.format, page.width, page.height, page.font_pt) +
         "\nset output output\n" +
         title_and_footer(page.width, page.height, script_string(title), script_string(page.footer));
}

}  // namespace nowsim
