// The gnuplot script of a figure of winners: a map whose cells name and colour the best value of the series.
#pragma once

#include <string>

#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/running/summary.hpp"

namespace nowsim {

/// The script NAME.gp, which makes NAME.svg, NAME.png and NAME.pdf like those of other figures (figure_script.hpp); its data
/// stand in it. Columns and rows are the values of x and y in the order of the sweep, evenly spaced.
/// @throws RunError where no cell has results.
std::string winners_script(const Figure& figure, const Summary& summary, const std::string& name);

}  // namespace nowsim
