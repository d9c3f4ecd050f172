// What laws are made of; those that have a formula of their own, what is left of intervals, and weighing a common
// normal against one's own.
#include "sim/statistics/laws.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/roots_and_minima.hpp"

namespace nowsim {

using Form = InverseTransform::Form;

// ---- what laws are made of -----------------------------------------------------------------------------------------

void require(bool holds, const std::string& sentence) {
  if (!holds) throw InputError(sentence);
}

void require_positive(double x, const std::string& what) {
  require(x > 0 && std::isfinite(x),
          what + " = " + number_text(x) + " is not possible: it must be positive and finite");
}

TailQuantiles standard_normal_quantiles() {
  return log_concave_quantiles({[](double z) { return -0.5 * z * z; }, -kInfinity, kInfinity, 0, 1});
}

DistributionPtr law_with(const LawFacts& facts, const InverseTransform& transform,
                         std::function<ResidualLifePtr()> residual_life) {
  return std::make_shared<const Distribution>(facts, transform, std::move(residual_life));
}

DistributionPtr tabulated(const LawFacts& facts, std::function<TailQuantiles()> exact, double sd, double offset,
                          double scale, std::function<ResidualLifePtr()> residual_life) {
  return law_with(facts, {Form::table, offset, scale, std::make_shared<const QuantileTable>(std::move(exact), sd)},
                  std::move(residual_life));
}

DistributionPtr constant(double value) {
  require(std::isfinite(value), "a constant of " + number_text(value) + " is not possible: it must be finite");
  return law_with({value, 0, value, value}, {Form::linear, value, 0});
}

DistributionPtr uniform(double low, double high) {
  require(low <= high && std::isfinite(low) && std::isfinite(high),
          "a uniform law on [" + number_text(low) + ", " + number_text(high) +
              "] is not possible: both ends must be finite, in order");
  const double width = high - low;
  return law_with({0.5 * low + 0.5 * high, width * width / 12, low, high}, {Form::linear, low, width});
}

DistributionPtr exponential(double mean) {
  require_positive(mean, "the mean of an exponential law");
  return law_with({mean, mean * mean, 0, kInfinity}, {Form::exponential, 0, mean});
}

DistributionPtr two_point(double value1, double value2) {
  require(std::isfinite(value1) && std::isfinite(value2),
          "a two-point law on " + number_text(value1) + " and " + number_text(value2) +
              " is not possible: both must be finite");
  const auto [low, high] = std::minmax({value1, value2});
  const double half = 0.5 * (high - low);
  return law_with({0.5 * low + 0.5 * high, half * half, low, high}, {Form::two_point, low, high});
}

DistributionPtr normal(double mean, double sd) {
  require(std::isfinite(mean),
          "a normal law of mean " + number_text(mean) + " is not possible: the mean must be finite");
  require(sd >= 0 && std::isfinite(sd),
          "a normal law with sd = " + number_text(sd) + " is not possible: the sd must be finite and at least 0");
  if (sd == 0) return constant(mean);
  static const auto table = std::make_shared<const QuantileTable>(standard_normal_quantiles, 1);  // of all normals
  return law_with({mean, sd * sd, -kInfinity, kInfinity}, {Form::table, mean, sd, table});
}

DistributionPtr drawn_rarely(const DistributionPtr& law) {
  InverseTransform transform = law->transform();
  if (transform.table) transform.table = transform.table->without_cells();
  return law->drawn_by(transform);
}

DistributionPtr drawn_coarsely(const DistributionPtr& law) {
  constexpr double kErrorTimes = 1e4;
  InverseTransform transform = law->transform();
  if (transform.table) transform.table = transform.table->with_errors(kErrorTimes);
  return law->drawn_by(transform);
}

DistributionPtr reflected(const DistributionPtr& law) {
  return law->drawn_by(law->transform().reflected());
}

// ---- Pareto; Weibull and lognormal, by mean and coefficient of variation -------------------------------------------

namespace {

/// The logarithm of the probability of more, at a quantile.
double log_above(double probability, bool upper) {
  return upper ? portable::log(probability) : portable::log1p(-probability);
}

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

DistributionPtr pareto(double mean, double shape) {
  require_positive(mean, "the mean of a Pareto law");
  require(shape > 2 && std::isfinite(shape),
          "a Pareto law of shape " + number_text(shape) +
              " is not possible: the shape must be above 2, else the variance is infinite");
  const double least = mean * (shape - 1) / shape, variance = mean * mean / (shape * (shape - 2));
  const auto relative_to_least = [shape] {
    return [shape](double p, bool upper) { return portable::exp(-log_above(p, upper) / shape); };
  };
  // P[residual <= x] is x/mean up to the least length, and 1 - (x/least)^(1-shape)/shape beyond.
  const auto residual = [mean, shape, least] {
    return residual_by([=](double u, double) {
      const double tail = shape * (1 - u);
      return tail >= 1 ? u * mean : least * portable::exp(-portable::log(tail) / (shape - 1));
    });
  };
  return tabulated({mean, variance, least, kInfinity, shape}, relative_to_least, std::sqrt(variance) / least, 0, least,
                   residual);
}

DistributionPtr weibull(double mean, double cv) {
  require_positive(mean, "the mean of a Weibull law");
  require_cv(cv, "a Weibull law");
  const double power = 1 / weibull_shape(cv), scale = mean * portable::exp(-log_gamma(1 + power)), sd = mean * cv;
  const auto exact = [power] {
    return [power](double p, bool upper) { return portable::pow(-log_above(p, upper), power); };
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
    return quantiles_of([sigma](double z) { return portable::exp(sigma * z); }, standard_normal_quantiles());
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

// ---- residual life -------------------------------------------------------------------------------------------------

ResidualLifePtr residual_life(const Distribution& length) {
  if (auto own = length.residual_life()) return own;
  const InverseTransform& law = length.transform();
  const double low = length.lower(), high = length.upper();
  if (law.form == Form::linear)
    return part_of([low, high](double u) { return std::sqrt(low * low + u * (high - low) * (high + low)); });
  if (law.form == Form::two_point) return part_of([low, high](double u) { return u * (low + high) < low ? low : high; });
  if (law.form == Form::exponential && low == 0)
    return residual_by([mean = length.mean()](double u, double) { return mean * -portable::log1p(-u); });
  throw std::logic_error("no law of lengths");
}

// ---- in common -----------------------------------------------------------------------------------------------------

CommonFactor::CommonFactor(double weight)
    : weight_(weight), common_part_(std::sqrt(weight)), own_part_(std::sqrt(1 - weight)) {
  if (!(weight >= 0 && weight <= 1))
    throw InputError("a correlation between workstations must be in [0, 1], not " + short_number(weight));
}

double CommonFactor::normal(double u) {
  static const DistributionPtr standard = nowsim::normal(0, 1);
  return standard->quantile(u);
}

double CommonFactor::uniform(double common, double own) const {
  const double z = common_part_ * common + own_part_ * own;
  return std::min(0.5 * portable::erfc(-z / std::numbers::sqrt2), 1 - 0x1p-53);
}

}  // namespace nowsim
