// How well a straight line fits points that have intervals.
#pragma once

#include <vector>

#include "experiments/measured_curves.hpp"
#include "sim/statistics.hpp"

namespace nowsim {

/// R² of the least-squares line of y over x, at least two of which differ; 1 where y does not vary. Its interval: R² is
/// cos² of the angle between the y (about their mean) and the line's direction, and y that lie no further than e from
/// the middles of their intervals turn it by asin(e/|y|) at most; e is the root of the sum of squares of the intervals'
/// halves. For normal errors, however they correlate, e is exceeded with a probability of at most 1 - confidence, for
/// confidences above 0.785 (Szekely & Bakirov 2003), so the interval is too wide rather than too narrow. (The delta
/// method would be too narrow near R² = 1, where R² does not change with y in first order.) Exact y give an exact R²,
/// a y without an interval NaN ends.
Estimate r_squared_interval(const std::vector<MeasuredPoint>& points, double confidence);

}  // namespace nowsim
