// What entries contribute, as the ends of an interval; Fieller's quadratic; and arithmetic on values and on both ends of
// their intervals.
#include "sim/statistics/influence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/sample.hpp"

namespace nowsim {
namespace {

/// Sums of powers of contributions, from which their skewness and kurtosis over as many entries as there are follow
/// whatever entries are grouped.
struct Powers {
  double second = 0, third = 0, fourth = 0;
};

Powers powers_of(std::span<const double> contributions) {
  Powers sums;
  for (const double d : contributions) {
    sums.second += d * d;
    sums.third += d * d * d;
    sums.fourth += d * d * d * d;
  }
  return sums;
}

/// What Student's half-widths are multiplied by on the side of the long tail, where an estimate errs while its standard
/// error is too small, and on the other. With an Edgeworth expansion's terms (Hall, The Bootstrap and Edgeworth
/// Expansion, 1992, 2.6 and 3.10.6): the skewness over sqrt(n) and its square, the kurtosis over n. An expansion's own
/// coefficients hold for the skewness of the law, which samples understate; these were chosen by the coverage of means
/// and standard deviations, their differences and their ratios (coverage.md).
struct Stretch {
  double tail, other;
};

Stretch stretch(const Powers& p, double n, double z) {
  const double skewness = p.third / (p.second * std::sqrt(p.second)), x = z * std::abs(skewness);
  // Of a normal or gamma law about 0, of heavier tails above it; times 1/n.
  const double excess = p.fourth / (p.second * p.second) - 3 * (n - 1) / (n * (n + 1)) - 1.5 * skewness * skewness;
  const double both = 1 + 1 / n + 2.3 * excess, least = 0.5, most = 4;
  return {std::clamp(both + 0.35 * x + 0.8 * x * x, 1.0, most), std::clamp(both - 0.7 * x + 1.15 * x * x, least, most)};
}

}  // namespace

Estimate contrast_interval(double value, std::span<const double> contributions, double freedom,
                           const Confidence& confidence) {
  if (!(freedom >= 1)) return {value, kNotKnown, kNotKnown};
  const Powers p = powers_of(contributions);
  if (p.second == 0) return exactly(value);
  const double t = student_quantile(static_cast<std::uint64_t>(freedom) + 1, confidence);
  const double h = t * std::sqrt(p.second * (1 + 1 / freedom));
  const Stretch by = stretch(p, freedom + 1, normal_quantile(confidence.level));
  return p.third > 0 ? Estimate{value, value - by.other * h, value + by.tail * h}
                     : Estimate{value, value - by.tail * h, value + by.other * h};
}

Estimate ratio_interval(double value, std::span<const double> of_logarithm, double freedom,
                        const Confidence& confidence) {
  const Estimate log = contrast_interval(0, of_logarithm, freedom, confidence);
  const double one = value * portable::exp(log.low), other = value * portable::exp(log.high);
  return value > 0 ? Estimate{value, one, other} : Estimate{value, other, one};
}

/// The r for which (a - r·b)² <= t²·Var(a - r·b), which is A·r² - 2·B·r + C <= 0.
Estimate fieller_interval(const RatioParts& p, double t) {
  const double value = p.numerator / p.denominator, t2 = t * t;
  const double a = p.denominator * p.denominator - t2 * p.of_denominator;
  const double b = p.numerator * p.denominator - t2 * p.covariance;
  const double c = p.numerator * p.numerator - t2 * p.of_numerator;
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return {value, kNotKnown, kNotKnown};
  if (a <= 0) return {value, -kInfinity, kInfinity};
  const double root = std::sqrt(std::max(0.0, b * b - a * c));
  return {value, std::min(value, (b - root) / a), std::max(value, (b + root) / a)};
}

// ---- arithmetic ----------------------------------------------------------------------------------------------------

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
