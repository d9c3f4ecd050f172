// What entries contribute, as the width of an interval; and Fieller's quadratic.
#include "sim/statistics/contrast_interval.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/infinity.hpp"

namespace nowsim {

double contrast_half_width(std::span<const double> contributions, const Confidence& confidence) {
  const double n = static_cast<double>(contributions.size());
  if (n < 2) return kNotKnown;
  double squares = 0;
  for (const double d : contributions) squares += d * d;
  return student_quantile(contributions.size(), confidence) * std::sqrt(squares * n / (n - 1));
}

/// The r for which (a - r·b)² <= t²·Var(a - r·b), which is A·r² - 2·B·r + C <= 0.
Estimate fieller_interval(const RatioParts& p, double t) {
  const double value = p.numerator / p.denominator, t2 = t * t;
  const double a = p.denominator * p.denominator - t2 * p.of_denominator;
  const double b = p.numerator * p.denominator - t2 * p.covariance;
  const double c = p.numerator * p.numerator - t2 * p.of_numerator;
  const double root = std::sqrt(b * b - a * c);
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return {value, kNotKnown, kNotKnown};
  if (a == 0 || std::isnan(root)) return {value, -kInfinity, kInfinity};
  const double far = b + std::copysign(root, b);  // without cancellation: the roots are far/a and c/far
  const double one = far / a, other = far == 0 ? one : c / far;
  return a > 0 ? Estimate{value, std::min(one, other), std::max(one, other)}
               : Estimate{value, std::max(one, other), std::min(one, other)};
}

}  // namespace nowsim
