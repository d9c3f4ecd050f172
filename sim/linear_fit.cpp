// Sums of squares about the means.
#include "sim/linear_fit.hpp"

#include <limits>
#include <numeric>

namespace nowsim {

LinearFit fit_line(std::span<const double> x, std::span<const double> y) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const double n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double dx = x[k] - mean_x, dy = y[k] - mean_y;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (!(xx > 0)) return {kUnknown, kUnknown, kUnknown};
  const double slope = xy / xx;
  return {slope, mean_y - slope * mean_x, yy > 0 ? xy * xy / (xx * yy) : 1};
}

}  // namespace nowsim
