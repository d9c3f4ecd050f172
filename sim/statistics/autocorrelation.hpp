// How long a series remembers: its autocorrelation, and the integral of that with its standard error.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace nowsim {

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
