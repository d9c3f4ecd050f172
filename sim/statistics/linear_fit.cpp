// Sums of squares about the means, and angles between points and their line.
#include "sim/statistics/linear_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

/// Of y and its line: how long y is about its mean, and the angle between the two.
struct Angle {
  double length = 0, angle = 0;
};

Angle angle_of(std::span<const double> x, const std::vector<double>& y) {
  const LinearFit line = fit_line(x, y);
  double mean = 0, off = 0, along = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    off = portable::hypot(off, y[k] - line.intercept - line.slope * x[k]);
    along = portable::hypot(along, line.slope * (x[k] - mean));
  }
  return {portable::hypot(off, along), std::atan2(off, along)};
}

double squared_cosine(double angle) {
  const double cosine = std::cos(std::clamp(angle, 0.0, std::numbers::pi / 2));
  return cosine * cosine;
}

}  // namespace

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

Estimate r_squared_interval(std::span<const double> x, std::span<const Estimate> y) {
  std::vector<double> values, middles;
  double error = 0;
  for (const Estimate& e : y) {
    values.push_back(e.value);
    middles.push_back(e.low + e.half_width());
    error = portable::hypot(error, e.half_width());
  }
  const double value = squared_cosine(angle_of(x, values).angle);
  if (error == 0) return exactly(value);
  if (std::isnan(error)) return {value, kNotKnown, kNotKnown};
  const Angle middle = angle_of(x, middles);
  if (!(error < middle.length)) return {value, 0, 1};
  const double turn = std::asin(error / middle.length);
  return {value, std::min(value, squared_cosine(middle.angle + turn)),
          std::max(value, squared_cosine(middle.angle - turn))};
}

}  // namespace nowsim
