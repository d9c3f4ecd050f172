// The plain laws.
#include "sim/statistics/distribution.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/text.hpp"
#include "sim/statistics/law_requirements.hpp"
#include "sim/statistics/residual_life.hpp"
#include "sim/statistics/standard_normal.hpp"

namespace nowsim {

using Form = InverseTransform::Form;

DistributionPtr law_with(const LawFacts& facts, const InverseTransform& transform,
                         std::function<ResidualLifePtr()> residual_life) {
  return std::make_shared<const Distribution>(facts, transform, std::move(residual_life));
}

DistributionPtr tabulated(const LawFacts& facts, std::function<TailQuantiles()> exact, double sd, double low,
                          double other, std::function<ResidualLifePtr()> residual_life) {
  return law_with(facts, {Form::table, low, other, std::make_shared<const QuantileTable>(std::move(exact), sd)},
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

DistributionPtr pareto(double mean, double shape) {
  require_positive(mean, "the mean of a Pareto law");
  require(shape > 2 && std::isfinite(shape),
          "a Pareto law of shape " + number_text(shape) +
              " is not possible: the shape must be above 2, else the variance is infinite");
  const double least = mean * (shape - 1) / shape, variance = mean * mean / (shape * (shape - 2));
  const auto relative_to_least = [shape] {
    return TailQuantiles{[shape](double p) { return portable::exp(-portable::log1p(-p) / shape); },
                         [shape](double q) { return portable::exp(-portable::log(q) / shape); }};
  };
  // P[residual <= x] is x/mean up to the least length, and 1 - (x/least)^(1-shape)/shape beyond.
  const auto residual = [mean, shape, least] {
    return residual_at([=](double u) {
      const double tail = shape * (1 - u);
      return tail >= 1 ? u * mean : least * portable::exp(-portable::log(tail) / (shape - 1));
    });
  };
  return tabulated({mean, variance, least, kInfinity, shape}, relative_to_least, std::sqrt(variance) / least, 0, least,
                   residual);
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
  return law_with({mean, sd * sd, -kInfinity, kInfinity}, {Form::table, mean, sd, standard_normal_table()});
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

}  // namespace nowsim
