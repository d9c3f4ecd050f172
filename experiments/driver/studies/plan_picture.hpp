// A plan's picture: how likely each policy takes longer than a time, with the deadline marked.
#pragma once

#include <string>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/studies/plan_report.hpp"

namespace nowsim {

/// A gnuplot script that draws P[T > t] of every complete policy into the file `output`, a gnuplot variable; RF with
/// its interval where the curve meets the deadline, and the risk as a level. Needs gnuplot 5.4.
/// @throws RunError where no policy is complete.
std::string plan_picture_script(const PlanReport& report, PictureFormat format);

}  // namespace nowsim
