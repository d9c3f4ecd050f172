// The least-squares line through points, and how well it fits.
#pragma once

#include <span>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// y = intercept + slope·x by least squares.
struct LinearFit {
  double slope = 0;
  double intercept = 0;
  double r_squared = 0;  ///< part of y's variance that the line explains; 1 where y does not vary
};

/// Of at least two points with at least two different x; as many of each. NaN otherwise.
LinearFit fit_line(std::span<const double> x, std::span<const double> y);

/// R² of that line, with an interval: R² is cos² of the angle between the y (about their mean) and the line's direction,
/// and y that lie no further than e from the middles of their intervals turn it by asin(e/|y|) at most; e is the root of
/// the sum of squares of the intervals' halves. For normal errors, however they correlate, e is exceeded with a
/// probability of at most 1 - confidence, for confidences above 0.785 (Szekely & Bakirov 2003), so the interval is too
/// wide rather than too narrow. (The delta method would be too narrow near R² = 1, where R² does not change with y in
/// first order.) Exact y give an exact R², a y without an interval NaN ends.
Estimate r_squared_interval(std::span<const double> x, std::span<const Estimate> y);

}  // namespace nowsim
