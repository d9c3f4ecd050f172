// Arithmetic on values and on both ends of their intervals.
#include "sim/statistics/estimate_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/statistics/sample.hpp"

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

Estimate over_mean(double amount, const Estimate& mean) { return ratio_of_intervals(exactly(amount), mean); }

Estimate divided(const Estimate& e, double by) { return {e.value / by, e.low / by, e.high / by}; }

Estimate minus(const Estimate& e, double amount) { return {e.value - amount, e.low - amount, e.high - amount}; }

Estimate settled(const Estimate& e, double size) {
  const double least = kRoundingShare * size;
  if (!(std::abs(e.value) <= least) || std::abs(e.low) > least || std::abs(e.high) > least) return e;
  return std::isnan(e.low) ? Estimate{0, e.low, e.high} : exactly(0);
}

Estimate paired_ratio_estimate(std::span<const double> numerator, std::span<const double> denominator, std::size_t unit,
                               const Confidence& confidence) {
  const auto mean = [unit](std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(unit);
  };
  JointMoments both(2);
  for (std::size_t k = 0; k + unit <= std::min(numerator.size(), denominator.size()); k += unit)
    both.add(std::array{mean(numerator.subspan(k, unit)), mean(denominator.subspan(k, unit))});
  if (both.count() == 0) return kUnknownEstimate;
  const double ratio = both.mean(0) / both.mean(1), h = ratio_half_width(both, ratio, confidence);
  return {ratio, ratio - h, ratio + h};
}

}  // namespace nowsim
