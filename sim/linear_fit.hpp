// The least-squares line through points, and how well it fits.
#pragma once

#include <span>

namespace nowsim {

/// y = intercept + slope·x by least squares.
struct LinearFit {
  double slope = 0;
  double intercept = 0;
  double r_squared = 0;  ///< part of y's variance that the line explains; 1 where y does not vary
};

/// Of at least two points with at least two different x; as many of each. NaN otherwise.
LinearFit fit_line(std::span<const double> x, std::span<const double> y);

}  // namespace nowsim
