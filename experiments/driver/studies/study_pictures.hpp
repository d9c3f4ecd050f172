// Pictures of answers: a plan's risks, comparisons, sizes of one efficiency, fits of traces, each as a figure's panels.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/driver/pictures/draw_picture.hpp"

namespace nowsim {

struct ContrastReport;
struct FittedHost;
struct IsoefficiencyReport;
struct PlanReport;

// Each is a gnuplot script that draws into the file `output`, a gnuplot variable. Needs gnuplot 5.4.

/// P[T > t] of every complete policy; RF with its interval where the curve meets the deadline, and the risk as a level.
/// @throws RunError where no policy is complete.
std::string plan_picture_script(const PlanReport& report, PictureFormat format);

/// The differences of each cell with their intervals, the best value on top, and the line at 0. Of many cells the first
/// twelve, which it says. @throws RunError where nothing is compared.
std::string contrast_script(const ContrastReport& report, PictureFormat format);

/// Sizes with their intervals and fitted lines, over p log p of powers and of processors alone, or over p^2 where all
/// curves grow so, or over p; logarithmic where curves are far apart. @throws RunError where no size was found.
std::string isoefficiency_script(const IsoefficiencyReport& report, PictureFormat format);

/// More traces are not drawn.
inline constexpr std::size_t kMostFitRows = 8;
/// Fits of traces over their data, a row of three panels per trace: the series, the distribution of its values, its
/// autocorrelation.
std::string trace_fit_script(const std::vector<FittedHost>& hosts, PictureFormat format);

}  // namespace nowsim
