// The Weibull and the lognormal law, by mean and coefficient of variation.
#include <cmath>

#include "sim/base/text.hpp"
#include "sim/statistics/bracketed_root.hpp"
#include "sim/statistics/distribution.hpp"
#include "sim/statistics/law_requirements.hpp"
#include "sim/statistics/residual_life.hpp"
#include "sim/statistics/standard_normal.hpp"

namespace nowsim {
namespace {

/// Of the gamma function at x >= 1, to about 1e-14: Stirling's series (Abramowitz & Stegun 6.1.41) beyond 12.
double log_gamma(double x) {
  constexpr double kSeries[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360};
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  double below = 1;
  for (; x < 12; x += 1) below *= x;
  double power = 1 / x, sum = 0;
  for (const double c : kSeries) {
    sum += c * power;
    power /= x * x;
  }
  return (x - 0.5) * portable::log(x) - x + kHalfLogTwoPi + sum - portable::log(below);
}

void require_cv(double cv, const std::string& law) {
  require(cv >= kLeastCv && cv <= kMostCv, law + " of sd/mean = " + number_text(cv) + " is not possible: it must be from " +
                                               number_text(kLeastCv) + " to " + number_text(kMostCv));
}

/// The shape k with 1 + cv² = Γ(1 + 2/k)/Γ(1 + 1/k)².
double weibull_shape(double cv) {
  const double wanted = portable::log1p(cv * cv);
  return falling_root([wanted](double k) { return log_gamma(1 + 2 / k) - 2 * log_gamma(1 + 1 / k) - wanted; }, 0.05, 200);
}

}  // namespace

DistributionPtr weibull(double mean, double cv) {
  require_positive(mean, "the mean of a Weibull law");
  require_cv(cv, "a Weibull law");
  const double power = 1 / weibull_shape(cv), scale = mean * portable::exp(-log_gamma(1 + power)), sd = mean * cv;
  const auto exact = [power] {
    return TailQuantiles{[power](double p) { return portable::pow(-portable::log1p(-p), power); },
                         [power](double q) { return portable::pow(-portable::log(q), power); }};
  };
  // With L = scale·G^power, G exponential, the size-biased law has G of the gamma law of shape 1 + power.
  const auto residual = [power, scale] {
    const double shape = 1 + power;
    return part_of([law = drawn_rarely(gamma(shape, std::sqrt(shape))), power, scale](double u) {
      return scale * portable::pow(law->quantile(u), power);
    });
  };
  return tabulated({mean, sd * sd, 0, kInfinity}, exact, sd / scale, 0, scale, residual);
}

DistributionPtr lognormal(double mean, double cv) {
  require_positive(mean, "the mean of a lognormal law");
  require_cv(cv, "a lognormal law");
  const double square = portable::log1p(cv * cv), sigma = std::sqrt(square);
  const double median = mean * portable::exp(-0.5 * square), sd = mean * cv;
  const auto exact = [sigma] {
    const TailQuantiles z = standard_normal_quantiles();
    return TailQuantiles{[sigma, z](double p) { return portable::exp(sigma * z.below(p)); },
                         [sigma, z](double q) { return portable::exp(sigma * z.above(q)); }};
  };
  // The size-biased law is lognormal with the same sigma, and a median that is exp(sigma²) times as long.
  const auto residual = [mean, square, sigma] {
    const double longer = mean * portable::exp(0.5 * square);
    return part_of([longer, sigma, z = drawn_rarely(normal(0, 1))](double u) {
      return longer * portable::exp(sigma * z->quantile(u));
    });
  };
  return tabulated({mean, sd * sd, 0, kInfinity}, exact, sd / median, 0, median, residual);
}

}  // namespace nowsim
