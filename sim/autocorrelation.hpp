// How long a series remembers: its autocorrelation, and the integral of that with its standard error.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace nowsim {

/// The sample autocorrelation at lags 0 to most_lag (at most n - 1) of evenly spaced values; of a constant series 1 and
/// zeros.
std::vector<double> autocorrelation(std::span<const double> x, std::size_t most_lag);

/// 1 + 2·sum rho(k): of so many successive values as much is known as of one independent value, so the variance of the
/// mean is time·sd²/n.
struct IntegratedTime {
  double time = 1;         ///< in steps between values
  double relative_se = 0;  ///< standard error of `time`, divided by it
  std::size_t window = 0;  ///< the last lag that was summed
  bool is_resolved = true; ///< the series is long enough for its window
};
/// Summed up to the first lag that is 5 times half the sum so far (Sokal, "Monte Carlo methods in statistical mechanics",
/// 1997, section 3: the window grows until what it leaves out matters less than the noise of what it adds), with the
/// bias of the estimated mean taken out and the standard error sqrt((4·window + 2)/n) (Wolff, "Monte Carlo errors with
/// less errors", Comput. Phys. Commun. 156, 2004, (42), (49)). At least 0.1. A window beyond n/4 is cut there and is not
/// resolved.
IntegratedTime integrated_time(std::span<const double> x);

}  // namespace nowsim
