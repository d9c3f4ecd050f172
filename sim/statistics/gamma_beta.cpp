// The gamma and beta laws, whose densities are log-concave in log x and logit x for every shape.
#include "sim/statistics/gamma_beta.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/law_requirements.hpp"
#include "sim/statistics/log_concave_quantile.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/standard_normal.hpp"

namespace nowsim {
namespace {

constexpr double kLeastShape = 1e-6;  // of a gamma law: below, its quantiles are 0 but for the last millionth

/// From this shape on the Cornish-Fisher expansion (Abramowitz & Stegun 26.2.49) is right to 1e-8 sd, and keeps mean
/// and variance, while the densities' logarithms lose digits.
constexpr double kNearlyNormalShape = 1e6;

DistributionPtr nearly_normal(const LawFacts& facts, double skewness, double excess) {
  const auto expansion = [skewness, excess](double z) {
    const double square = (z * z - 1) * skewness / 6;
    const double cube = z * ((z * z - 3) * excess / 24 - (2 * z * z - 5) * skewness * skewness / 36);
    return z + square + cube;
  };
  const auto exact = [expansion] {
    const TailQuantiles z = standard_normal_quantiles();
    return TailQuantiles{[expansion, z](double p) { return expansion(z.below(p)); },
                         [expansion, z](double q) { return expansion(z.above(q)); }};
  };
  return tabulated(facts, exact, 1, facts.mean, std::sqrt(facts.variance));
}

/// Of y = log(x/mean), which is 0 at the mode.
LogConcaveDensity gamma_density(double shape) {
  return {[shape](double y) { return shape * (y - portable::expm1(y)); }, -kInfinity, kInfinity, 0,
          std::min(1.0, 1 / std::sqrt(shape))};
}

/// Of y = logit x - logit mean, which is 0 at the mode: total (m y - log(1 + m (e^y - 1))) with the mean m, or the same
/// of -y with 1 - m, whichever is less.
LogConcaveDensity beta_density(double mean, double total) {
  const double m = std::min(mean, 1 - mean), sign = mean <= 0.5 ? 1 : -1;
  const auto log_density = [=](double y) {
    constexpr double kHuge = 700;  // whose exponential doubles still hold
    const double z = sign * y;
    return total * (z < kHuge ? m * z - portable::log1p(m * portable::expm1(z)) : (m - 1) * z - portable::log(m));
  };
  return {log_density, -kInfinity, kInfinity, 0, std::min(1.0, 1 / std::sqrt(total * m * (1 - m)))};
}

/// x of the logit y + logit mean, from the nearer end.
double from_logit(double y, double odds) {
  if (y > 0) return 1 / (1 + portable::exp(-y) / odds);
  const double grown = odds * portable::exp(y);
  return grown / (1 + grown);
}

}  // namespace

DistributionPtr gamma(double mean, double sd) {
  require_positive(mean, "the mean of a gamma law");
  require_sd(sd, "the sd of a gamma law");
  const double ratio = sd / mean, shape = 1 / (ratio * ratio);
  if (!(shape >= kLeastShape))
    throw InfeasibleError("a gamma law of the mean " + short_number(mean) + " and the standard deviation " +
                          short_number(sd) + " cannot be computed: nearly all of it is 0");
  const LawFacts facts{mean, sd * sd, 0, kInfinity};
  if (shape >= kNearlyNormalShape) return nearly_normal(facts, 2 * ratio, 6 * ratio * ratio);
  const auto exact = [shape] {
    return log_concave_quantiles(gamma_density(shape), [](double y) { return portable::exp(y); });
  };
  return tabulated(facts, exact, ratio, 0, mean);
}

DistributionPtr beta(double mean, double th) {
  const double product = mean * (1 - mean), limit = std::sqrt((1 - mean) / mean), sd = mean * th;
  const double total = (limit - th) / th * ((limit + th) / th);
  const LawFacts facts{mean, sd * sd, 0, 1};
  if (std::min(mean, 1 - mean) * total < kNearlyNormalShape) {
    const auto exact = [mean, total] {
      return log_concave_quantiles(beta_density(mean, total),
                                   [odds = mean / (1 - mean)](double y) { return from_logit(y, odds); });
    };
    return tabulated(facts, exact, sd, 0, 1);
  }
  const double skew = 1 - 2 * mean, w = (th / limit) * (th / limit);  // w = 1/(total + 1)
  return nearly_normal(facts, 2 * skew * sd / (product * (1 + w)),
                       6 * w * (skew * skew / product - (1 + w)) / ((1 + w) * (1 + 2 * w)));
}

}  // namespace nowsim
