// The page of a picture: terminal, size, title above and footer below, alike for figures, charts, plans and fits.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"

namespace nowsim {

/// "svg size 800,600 ...": gnuplot's terminal for a page of this size [pixels] with a font of this size [points where a
/// pixel is one]. A PDF's page is in inches, a pixel being 1/96 of one as in CSS, so that both look alike.
std::string terminal(PictureFormat format, double width, double height, int font_pt = 12);
/// A title's lines on a page so wide [pixels]: twelve at most, and none is longer.
std::vector<std::string> title_lines(const std::string& title, double width);
/// The lines that place title and footer, gnuplot's expressions for strings, as labels 1 and 2.
std::string title_and_footer(double width, double height, const std::string& title, const std::string& footer);

/// What a page has beside its plot; sizes in pixels, the font's in points.
struct PicturePage {
  PictureFormat format = PictureFormat::svg;
  double width = 0, height = 0;
  std::vector<std::string> title;  ///< a line each
  std::string footer;
  int font_pt = 12;
};

/// Lines of a gnuplot 5.4 script that open the page, whatever the locale, in the file `output`, a gnuplot variable;
/// labels 1 and 2 are taken.
std::string picture_page(const PicturePage& page);

}  // namespace nowsim
