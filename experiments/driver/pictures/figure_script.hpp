// The gnuplot script of a figure: everything gnuplot needs to draw it, beside the CSV of the results.
#pragma once

#include <string>

#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/running/summary.hpp"

namespace nowsim {

/// The script NAME.gp. Run in its folder (gnuplot NAME.gp) it makes NAME.svg, NAME.png and NAME.pdf; with the gnuplot
/// variable `folder` set ("x/") it puts them there. Curves are read from NAME.csv beside it by the names of its columns, with
/// error bars from _low to _high; a point without results is left out. Where a metric is x, the points of a curve are
/// joined in the order of the key x, a point without a value of it is left out, and of its interval nothing is drawn;
/// tics of large numbers leave out a power of ten, which stands in the axis' label. The footer says how many points have
/// no place on a log scale. Surfaces are data in the script, written as in
/// the CSV, NaN where there are no results. Needs gnuplot 5.4.
/// @throws RunError where no row has a value that could be drawn.
std::string figure_script(const Figure& figure, const Summary& summary, const std::string& name);

}  // namespace nowsim
