// What entries contribute, as the ends of an interval; and Fieller's quadratic.
#include "sim/statistics/influence.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/infinity.hpp"
#include "sim/statistics/portable.hpp"

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

}  // namespace nowsim
