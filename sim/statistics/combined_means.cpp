// Means and variances of linear combinations.
#include "sim/statistics/combined_means.hpp"

#include <cmath>
#include <vector>

namespace nowsim {
namespace {

double mean_of(const JointMoments& m, std::span<const double> factor) {
  double sum = 0;
  for (std::size_t i = 0; i < factor.size(); ++i)
    if (factor[i] != 0) sum += factor[i] * m.mean(i);
  return m.count() == 0 ? kNotKnown : sum;
}

/// Rounding may make it negative; NaN stays.
double variance_of(const JointMoments& m, std::span<const double> factor) {
  double sum = 0;
  for (std::size_t i = 0; i < factor.size(); ++i)
    for (std::size_t j = 0; j < factor.size(); ++j)
      if (factor[i] != 0 && factor[j] != 0) sum += factor[i] * factor[j] * m.covariance(i, j);
  return sum < 0 ? 0 : sum;
}

double half_width(const JointMoments& m, std::span<const double> factor, const Confidence& confidence) {
  return student_quantile(m.count(), confidence) *
         std::sqrt(variance_of(m, factor) / static_cast<double>(m.count()));
}

}  // namespace

Estimate combined_mean(const JointMoments& m, std::span<const double> factor, const Confidence& confidence) {
  const double value = mean_of(m, factor), h = half_width(m, factor, confidence);
  return {value, value - h, value + h};
}

Estimate combined_ratio(const JointMoments& m, std::span<const double> numerator, std::span<const double> denominator,
                        const Confidence& confidence) {
  const double bottom = mean_of(m, denominator), value = mean_of(m, numerator) / bottom;
  std::vector<double> residual(m.variables(), 0.0);
  for (std::size_t i = 0; i < numerator.size(); ++i) residual[i] += numerator[i];
  for (std::size_t i = 0; i < denominator.size(); ++i) residual[i] -= value * denominator[i];
  const double h = half_width(m, residual, confidence) / std::abs(bottom);
  return {value, value - h, value + h};
}

}  // namespace nowsim
