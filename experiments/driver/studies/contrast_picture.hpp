// Comparisons as a picture: a panel per cell, differences with their intervals, and the line at 0.
#pragma once

#include <string>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/studies/contrast_report.hpp"

namespace nowsim {

/// A gnuplot script that draws the differences of each cell, the best value on top, into the file `output`, a gnuplot
/// variable. Of many cells the first twelve, which it says. Needs gnuplot 5.4.
/// @throws RunError where nothing is compared.
std::string contrast_script(const ContrastReport& report, PictureFormat format);

}  // namespace nowsim
