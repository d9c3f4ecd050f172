// The gnuplot script of a figure: everything gnuplot needs to draw it, beside the CSV of the results.
#pragma once

#include <string>

#include "experiments/driver/pictures/resolved_figure.hpp"

namespace nowsim {

/// The script NAME.gp. Run in its folder (gnuplot NAME.gp) it makes NAME.svg, NAME.png and NAME.pdf. Curves are read
/// from NAME.csv beside it by the names of its columns, with error bars from _low to _high; where gnuplot could not
/// tell them apart there, and those of other kinds of figures, stand in the script. A point without results is left
/// out, of a surface NaN. Where a metric is x, the points of a curve are joined in the order of the key x, and of its
/// interval nothing is drawn. The footer says how many points a log scale cannot show. Needs gnuplot 5.4.
/// @throws RunError where no row has a value that could be drawn.
std::string figure_script(const Figure& figure, const ResultTable& summary, const std::string& name);

}  // namespace nowsim
