// Arithmetic on values and on both ends of their intervals.
#include "sim/statistics/estimate_arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/statistics/influence.hpp"
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

/// Of the mean of the variables' sum with these factors, whose mean is known, times `times`.
Estimate with_sum_influence(const JointMoments& m, Estimate e, std::span<const double> factor, double mean, double times) {
  if (!m.has_all_observed()) return e;
  const Observations& o = m.observed();
  const Influence influence(o.combined(factor), o.span(), o.replications(), mean);
  return with_influence(std::move(e), influence.moved_by(o.steps(factor)).times(times));
}

/// The same estimate on another scale, whose derivative at its value this is.
Estimate on_scale(Estimate to, const Estimate& from, double derivative) {
  if (from.influence && from.influence->is_linear()) return with_influence(std::move(to), from.influence->times(derivative));
  return to;
}

}  // namespace

Estimate combined_mean(const JointMoments& m, std::span<const double> factor, const Confidence& confidence) {
  const double value = mean_of(m, factor), h = half_width(m, factor, confidence);
  return with_sum_influence(m, {value, value - h, value + h}, factor, value, 1);
}

Estimate combined_ratio(const JointMoments& m, std::span<const double> numerator, std::span<const double> denominator,
                        const Confidence& confidence) {
  const double bottom = mean_of(m, denominator), value = mean_of(m, numerator) / bottom;
  std::vector<double> residual(m.variables(), 0.0);
  for (std::size_t i = 0; i < numerator.size(); ++i) residual[i] += numerator[i];
  for (std::size_t i = 0; i < denominator.size(); ++i) residual[i] -= value * denominator[i];
  const double h = half_width(m, residual, confidence) / std::abs(bottom);
  return with_sum_influence(m, {value, value - h, value + h}, residual, 0, 1 / bottom);
}

Estimate over_mean(double amount, const Estimate& mean) {
  return on_scale(ratio_of_intervals(exactly(amount), mean), mean, -amount / (mean.value * mean.value));
}

Estimate divided(const Estimate& e, double by) {
  const double a = e.low / by, b = e.high / by;
  return on_scale({e.value / by, by < 0 ? b : a, by < 0 ? a : b}, e, 1 / by);
}

Estimate minus(const Estimate& e, double amount) {
  return on_scale({e.value - amount, e.low - amount, e.high - amount}, e, 1);
}

Estimate settled(const Estimate& e, double size) {
  const double least = kRoundingShare * size;
  if (!(std::abs(e.value) <= least) || std::abs(e.low) > least || std::abs(e.high) > least) return e;
  return std::isnan(e.low) ? Estimate{0, e.low, e.high} : exactly(0);
}

Estimate ratio_estimate(const EstimateAt& numerator, const EstimateAt& denominator, const Confidence& confidence) {
  const Estimate top = numerator(confidence), bottom = denominator(confidence);
  if (can_be_paired(top) && can_be_paired(bottom)) return paired_ratio(top, bottom, confidence);
  const Confidence each = confidence_of_each_of_two(confidence);
  return ratio_of_intervals(numerator(each), denominator(each));
}

Estimate ratio_estimate(const Sample& numerator, const Sample& denominator, const Confidence& confidence) {
  return ratio_estimate([&](const Confidence& level) { return mean_estimate(numerator, level); },
                        [&](const Confidence& level) { return mean_estimate(denominator, level); }, confidence);
}

}  // namespace nowsim
