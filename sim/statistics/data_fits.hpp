// What is fitted to data: the least-squares line through points, and how well it fits; how long a series remembers, as
// its autocorrelation and the integral of that with its standard error.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

/// The sample autocorrelation of evenly spaced values at lags 0, stride, 2·stride, ..., at most most_lag and n - 1; of
/// a constant series 1 and zeros.
std::vector<double> autocorrelation(std::span<const double> x, std::size_t most_lag, std::size_t stride = 1);

/// 1 + 2·sum rho(k): of so many successive values as much is known as of one independent value, so the variance of the
/// mean is time·sd²/n.
struct IntegratedTime {
  double time = 1;          ///< in steps between values
  double relative_se = 0;   ///< standard error of `time`, divided by it
  std::size_t window = 0;   ///< the last lag that was summed
  bool is_resolved = true;  ///< the series is long enough for its window
};
/// By Geyer's initial monotone sequence ("Practical Markov chain Monte Carlo", Statistical Science 7, 1992, 3.3): sums
/// of two successive autocorrelations are added until one is not positive, none counted as more than the one before.
/// Where the true ones fall from lag to lag and are never negative, as those of an owner whose intervals are
/// independent do, only noise is left out; it then errs half as much in short series as a window of five times the sum
/// (Sokal 1997). The standard error is sqrt((4·window + 2)/n) (Sokal, "Monte Carlo methods in statistical mechanics",
/// 1997, (3.19)), which is rather too much. At least 0.1. Not resolved where the window would be more than n/4, or all
/// the series is worth fewer than 20 independent values.
/// More than 20000 values are averaged in blocks first, which changes neither the sum nor its error, so that the work
/// is bounded.
IntegratedTime integrated_time(std::span<const double> x);

}  // namespace nowsim
