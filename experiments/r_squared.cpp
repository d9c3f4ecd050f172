// Angles between points and their line.
#include "experiments/r_squared.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/contrast.hpp"
#include "sim/linear_fit.hpp"

namespace nowsim {
namespace {

/// Of y and its line: how long y is about its mean, and the angle between the two.
struct Angle {
  double length = 0, angle = 0;
};

Angle angle_of(const std::vector<double>& x, const std::vector<double>& y) {
  const LinearFit line = fit_line(x, y);
  double mean = 0, off = 0, along = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    off = std::hypot(off, y[k] - line.intercept - line.slope * x[k]);
    along = std::hypot(along, line.slope * (x[k] - mean));
  }
  return {std::hypot(off, along), std::atan2(off, along)};
}

double squared_cosine(double angle) {
  const double cosine = std::cos(std::clamp(angle, 0.0, std::numbers::pi / 2));
  return cosine * cosine;
}

}  // namespace

Estimate r_squared_interval(const std::vector<MeasuredPoint>& points, double confidence) {
  std::vector<double> x, values, middles;
  double error = 0;
  for (const auto& p : points) {
    const Estimate e = at_confidence(p.estimate, p.row->observations(), p.row->confidence, confidence);
    x.push_back(p.x);
    values.push_back(e.value);
    middles.push_back(e.low + (e.high - e.low) / 2);
    error = std::hypot(error, (e.high - e.low) / 2);
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
