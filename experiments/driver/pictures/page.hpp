// A picture's page: terminal, positions in pixels, title above and footer below, alike for figures, charts, plans and
// fits.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/script.hpp"
#include "experiments/driver/reading/figure_print.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

/// The size of letters where nothing else is asked for [points].
inline constexpr int kLettersPt = 12;

/// A pixel, as in CSS; and what letters of 12 pixels are then called in print.
inline constexpr double kPixelsPerInch = 96, kPrintedLettersPt = 9;
/// Of a figure whose size in print is given, as PNG; and its letters where nothing is said of them.
inline constexpr double kPrintedPngDpi = 300, kPaperLettersPt = 8;
/// Between two lines of a footer [pixels].
inline constexpr double kSmallLine = 13;

/// A page of this size; everything on it is so many pixels from its left and upper edge.
struct Page {
  double width = 0, height = 0;
  double scale = 1;         ///< by which all of it, letters too, is larger in the pictures
  bool is_printed = false;  ///< its size in print was asked for, or that of its letters

  /// Of a length on it, in the pictures [pixels].
  [[nodiscard]] double shown(double pixels) const { return scale * pixels; }

  /// gnuplot's font of this size where plain letters are 12: "',9'". Terminals that scale no fonts themselves set the
  /// variable `letters`.
  [[nodiscard]] std::string font(int size) const;
  /// "screen x, screen y" of a point: gnuplot counts parts of the page, from below.
  [[nodiscard]] std::string at(double left, double top) const;
  /// The two commands that make this rectangle the plot's own, without its labels.
  [[nodiscard]] std::string plot_area(double left, double top, double plot_width, double plot_height) const;
};

/// Panels of one size in rows, from the left and from above.
struct PanelGrid {
  std::size_t columns = 1;
  double panel_width = 0, panel_height = 0;           ///< of the plot itself
  double left = 0, beside = 0, above = 0, below = 0;  ///< the first plot's corner, and what keeps two apart

  [[nodiscard]] double left_of(std::size_t panel) const {
    return left + static_cast<double>(panel % columns) * (panel_width + beside);
  }
  [[nodiscard]] double top_of(std::size_t panel) const {
    return above + static_cast<double>(panel / columns) * (panel_height + below);
  }
};

/// "svg size 800,600 ...": gnuplot's terminal for a page of this size [pixels] with a font of this size [points where a
/// pixel is one]. A PDF's page is in inches, a pixel being 1/96 of one as in CSS, so that both look alike.
std::string terminal(PictureFormat format, const Page& page, int font_pt = kLettersPt);
/// A title's lines on a page so wide [pixels]: twelve at most, and none is longer.
std::vector<std::string> title_lines(const std::string& title, double width);
/// The page that a figure is to have; a width or a height of 0: as much as it needs.
Page page_of_size(const FigurePrint& print);
/// That a page of the size that was asked for would have to be so wide or high [pixels].
RunError page_too_small(const Page& page, const char* side, double wanted);
/// The lines of a text, one below the other.
std::string joined_lines(const std::vector<std::string>& lines);

/// What a page has beside its plot; sizes in pixels, the font's in points.
struct PicturePage {
  PictureFormat format = PictureFormat::svg;
  Page size;
  std::vector<std::string> title;  ///< a line each
  std::string footer;
  int font_pt = kLettersPt;
};
/// Lines of a gnuplot 5.4 script that open the page, whatever the locale, in the file `output`, a gnuplot variable;
/// labels 1 and 2 are taken.
std::string picture_page(const PicturePage& page);

/// The first lines of a figure's script NAME.gp, which draws the same page as NAME.svg, NAME.png and NAME.pdf.
std::string script_head(const std::string& name);
/// The lines that begin to draw the page in each format, and those that end it. The gnuplot variables title and footer,
/// of so many lines, have to be set. A remark stands above the footer; with "" there is none. Where the variable `kinds`
/// is set before, only these formats are drawn, and PNGs `scale` times as large.
std::string begin_pages(const Page& page, const std::string& remark = "", std::size_t footer_lines = 1);
std::string end_pages();
/// The line behind the first panel, which keeps title, footer and remark from being drawn again with each.
std::string unset_page_texts(const std::string& remark = "");

}  // namespace nowsim
