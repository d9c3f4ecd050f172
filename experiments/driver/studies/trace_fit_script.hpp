// The gnuplot script of fits laid over their data: the series, the distribution of its values, its autocorrelation.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/points/fitted_owner.hpp"

namespace nowsim {

/// More traces are not drawn.
inline constexpr std::size_t kMostFitRows = 8;

/// A script that draws a row of three panels per trace into the file `output`, a gnuplot variable. Needs gnuplot 5.4.
std::string trace_fit_script(const std::vector<FittedHost>& hosts, PictureFormat format);

}  // namespace nowsim
