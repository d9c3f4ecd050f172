// How well a straight line fits points that have intervals.
#pragma once

#include <vector>

#include "experiments/driver/claims/measured_curves.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// R² of the least-squares line of y over x, at least two of which differ; 1 where y does not vary. With the interval that
/// sim/statistics/linear_fit.hpp gives it, of the points' intervals at this confidence.
Estimate r_squared_interval(const std::vector<MeasuredPoint>& points, double confidence);

}  // namespace nowsim
