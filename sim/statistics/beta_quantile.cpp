// Newton's method on the regularised incomplete beta function: a continued fraction behind Loader's saddle-point form
// of its leading term, which keeps its digits for any number of trials.
#include "sim/statistics/portable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace nowsim {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon(), kLeast = std::numeric_limits<double>::min();
constexpr int kMostSteps = 1000;  // of Newton's method: far in a tail it doubles; at its end it is quadratic

/// What Stirling's formula leaves of log(z!), z > 0.
double stirling_error(double z) {
  constexpr double kFar = 16;
  double near = 0;
  for (; z < kFar; ++z) near += (z + 0.5) * portable::log1p(1 / z) - 1;
  const double i = 1 / (z * z);
  return near + (1.0 / 12 - i * (1.0 / 360 - i * (1.0 / 1260 - i * (1.0 / 1680 - i * (1.0 / 1188))))) / z;
}

/// x log(x/m) + m - x, without cancellation where x is near m.
double deviance(double x, double m) {
  const double d = x - m;
  if (std::abs(d) >= 0.1 * (x + m)) return x * portable::log(x / m) - d;
  const double v = d / (x + m), v2 = v * v;
  double sum = d * v, term = 2 * x * v;
  for (int k = 3;; k += 2) {
    term *= v2;
    const double next = sum + term / k;
    if (!(std::abs(next - sum) > 0)) return sum;
    sum = next;
  }
}

struct BetaParts {
  double below, above;
  double leading;  ///< x^a y^b / B(a, b): the density times x y
};

class IncompleteBeta {
 public:
  IncompleteBeta(double a, double b)
      : a_(a), b_(b), constant_(stirling_error(a + b) - stirling_error(a) - stirling_error(b)),
        factor_(std::sqrt(a * b / (2 * std::numbers::pi * (a + b)))) {}

  /// At x on the way from 0 to 1, y what is left: neither is rounded off where it is small.
  [[nodiscard]] BetaParts parts(double x, double y) const {
    const double n = a_ + b_;
    const double leading = factor_ * portable::exp(constant_ - deviance(a_, n * x) - deviance(b_, n * y));
    if (x < (a_ + 1) / (n + 2)) {
      const double below = leading * fraction(a_, b_, x) / a_;
      return {below, 1 - below, leading};
    }
    const double above = leading * fraction(b_, a_, y) / b_;
    return {1 - above, above, leading};
  }

 private:
  /// Lentz's method.
  static double fraction(double a, double b, double x) {
    constexpr double kTiny = 1e-300;
    const auto kept = [](double z) { return std::abs(z) < kTiny ? kTiny : z; };
    double c = 1, d = 1 / kept(1 - (a + b) * x / (a + 1)), value = d;
    for (double m = 1;; ++m) {
      const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / kept(1 + even * d);
      c = kept(1 + even / c);
      value *= d * c;
      const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / kept(1 + odd * d);
      c = kept(1 + odd / c);
      value *= d * c;
      if (!(std::abs(d * c - 1) > kEpsilon)) return value;
    }
  }

  double a_, b_, constant_, factor_;
};

/// The place with this share of the law below it, or above it. Newton's method begins where its steps go one way: at
/// the mode, on whose sides the function is convex and concave; or at a place below, where it is concave everywhere.
/// What goes back on the way, or nowhere, is rounding.
double place_of_share(double a, double b, double share, bool is_above) {
  if (b < 1) return 1 - place_of_share(b, a, share, !is_above);
  const double log_share = portable::log(share), log_rest = portable::log1p(-share);
  if (a == 1) return -portable::expm1((is_above ? log_share : log_rest) / b);
  if (b == 1) return portable::exp((is_above ? log_rest : log_share) / a);
  const IncompleteBeta function(a, b);
  const auto beyond = [=](const BetaParts& parts) { return is_above ? share - parts.above : parts.below - share; };
  double x = a > 1 ? (a - 1) / (a + b - 2) : a / (a + b), before = 0;
  while (a <= 1 && x >= kLeast && beyond(function.parts(x, 1 - x)) > 0) x /= 16;
  if (x < kLeast) return 0;
  for (int k = 0; k < kMostSteps; ++k) {
    const double y = 1 - x;
    const BetaParts parts = function.parts(x, y);
    if (!(parts.leading > 0)) return x;  // nothing of the law is left here to be told apart
    const double step = -beyond(parts) * x * y / parts.leading;
    const double next = std::clamp(x + step, x / 2, x + y / 2);
    if (next == x || step * before < 0) return next;
    before = step;
    x = next;
  }
  return x;
}

/// Student's quantile by the normal one's, for many degrees of freedom (Fisher & Cornish 1960).
double expanded(double z, double freedom) {
  const double s = z * z, f = 1 / freedom;
  const double first = (s + 1) / 4, second = ((5 * s + 16) * s + 3) / 96, third = (((3 * s + 19) * s + 17) * s - 15) / 384;
  const double fourth = ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160;
  return z + z * f * (first + f * (second + f * (third + f * fourth)));
}

}  // namespace

double beta_quantile(double a, double b, double below) { return place_of_share(a, b, below, false); }
double beta_quantile_above(double a, double b, double above) { return place_of_share(a, b, above, true); }

/// Newton's steps go up a convex function, once one has gone back from where it began.
double student_quantile_above(double degrees_of_freedom, double above) {
  constexpr double kMany = 1e4, kNormalAlready = 3;
  const double z = std::numbers::sqrt2 * portable::erfc_inv(2 * above);
  if (z == 0) return 0;
  if (degrees_of_freedom >= kMany) return expanded(z, degrees_of_freedom);
  const IncompleteBeta function(degrees_of_freedom / 2, 0.5);
  double t = degrees_of_freedom >= kNormalAlready * std::max(1.0, z) ? expanded(z, degrees_of_freedom) : z;
  for (int k = 0; k < kMostSteps; ++k) {
    const double square = t * t, all = degrees_of_freedom + square;
    const BetaParts parts = function.parts(degrees_of_freedom / all, square / all);
    const double step = (parts.below / 2 - above) * t / parts.leading;
    t += step;
    if (std::abs(step) <= t * kEpsilon || (k > 0 && step < 0)) return t;
  }
  return t;
}

}  // namespace nowsim
