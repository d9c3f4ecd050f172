// Sums of squares about the means, and angles between points and their line; sums of products, lag by lag, as many as
// the window needs.
#include "sim/statistics/data_fits.hpp"

#include <algorithm>
#include <cmath>
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
  const double mean_x = mean_of_values(x), mean_y = mean_of_values(y);
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double dx = x[k] - mean_x, dy = y[k] - mean_y;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (!(xx > 0)) return {kNotKnown, kNotKnown, kNotKnown};
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

namespace {

class Deviations {
 public:
  explicit Deviations(std::span<const double> x) : d_(x.begin(), x.end()) {
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    if (least == x.end() || *least == *most) {  // rounding would leave some spread
      d_.assign(x.size(), 0.0);
      return;
    }
    const double mean = mean_of_values(d_);
    for (double& v : d_) v -= mean;
  }
  /// (1/n)·sum d_i·d_{i+k}: divided by n at every lag, which keeps the sequence positive definite.
  [[nodiscard]] double covariance(std::size_t lag) const {
    const auto later = d_.begin() + static_cast<std::ptrdiff_t>(lag);
    return std::inner_product(later, d_.end(), d_.begin(), 0.0) / static_cast<double>(d_.size());
  }

 private:
  std::vector<double> d_;
};

IntegratedTime initial_monotone_sequence(std::span<const double> x) {
  constexpr double kLeastTime = 0.1, kEnough = 20;
  const Deviations d(x);
  const double variance = d.covariance(0), n = static_cast<double>(x.size());
  IntegratedTime out;
  if (!(variance > 0)) return out;
  double sum = -1, before = HUGE_VAL;
  for (std::size_t k = 0; k + 1 <= x.size() / 4; k += 2) {
    const double pair = (d.covariance(k) + d.covariance(k + 1)) / variance;
    if (pair <= 0) break;
    before = std::min(before, pair);
    sum += 2 * before;
    out.window = k + 1;
  }
  out.time = std::max(sum, kLeastTime);
  out.relative_se = std::sqrt((4 * static_cast<double>(out.window) + 2) / n);
  out.is_resolved = out.window + 3 <= x.size() / 4 && n / out.time >= kEnough;
  return out;
}

}  // namespace

std::vector<double> autocorrelation(std::span<const double> x, std::size_t most_lag, std::size_t stride) {
  const Deviations d(x);
  const double variance = d.covariance(0);
  std::vector<double> rho{1};
  for (std::size_t k = stride; k <= most_lag && k < x.size(); k += stride)
    rho.push_back(variance > 0 ? d.covariance(k) / variance : 0);
  return rho;
}

IntegratedTime integrated_time(std::span<const double> x) {
  constexpr std::size_t kMost = 20'000;
  if (x.size() <= kMost) return initial_monotone_sequence(x);
  // The variance of the mean is time·variance/n, whichever values are counted.
  const std::size_t block = (x.size() + kMost - 1) / kMost;
  std::vector<double> means;
  for (std::size_t i = 0; i + block <= x.size(); i += block) means.push_back(mean_of_values(x.subspan(i, block)));
  IntegratedTime out = initial_monotone_sequence(means);
  const double variance = Deviations(x).covariance(0);
  if (variance > 0) out.time *= static_cast<double>(block) * Deviations(means).covariance(0) / variance;
  out.window *= block;
  return out;
}

}  // namespace nowsim
