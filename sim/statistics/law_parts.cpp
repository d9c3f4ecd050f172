// Sentences, and laws whose densities are log-concave: normals, cut off or not, gamma and beta.
#include "sim/statistics/law_parts.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/numerical_inversion.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/roots_and_minima.hpp"

namespace nowsim {

// ---- requirements --------------------------------------------------------------------------------------------------

void require(bool holds, const std::string& sentence) {
  if (!holds) throw InputError(sentence);
}

void require_positive(double x, const std::string& what) {
  require(x > 0 && std::isfinite(x),
          what + " = " + number_text(x) + " is not possible: it must be positive and finite");
}

void require_sd(double sd, const std::string& what) {
  require_positive(sd, what);
  require(std::isfinite(sd * sd),
          what + " = " + number_text(sd) + " is not possible: its square is beyond what doubles hold");
}

// ---- the standard normal -------------------------------------------------------------------------------------------

TailQuantiles standard_normal_quantiles() {
  return log_concave_quantiles({[](double z) { return -0.5 * z * z; }, -kInfinity, kInfinity, 0, 1},
                               [](double z) { return z; });
}

const std::shared_ptr<const QuantileTable>& standard_normal_table() {
  static const auto table = std::make_shared<const QuantileTable>(standard_normal_quantiles, 1);
  return table;
}

// ---- normals on 0..1 -----------------------------------------------------------------------------------------------

namespace {

/// Calls add(x, weight) for the nodes of a Gauss rule on each third of [low, high]; the weights sum to 2.
template <class Add>
void gauss_nodes(double low, double high, Add add) {
  using Rule = boost::math::quadrature::gauss<double, 20>;
  const double half = (high - low) / 6;
  for (int third = 0; third < 3; ++third) {
    const double middle = low + (2 * third + 1) * half;
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i)
      for (const double sign : {-1.0, 1.0}) add(middle + sign * half * Rule::abscissa()[i], Rule::weights()[i] / 3);
  }
}

/// Where the density is largest, and minus the slope of its logarithm there.
struct Mode {
  double x, fall;
};

Mode mode_of(const TiltedNormal& law, double end) {
  if (law.slope >= 0) return {0, law.slope};
  const double top = -law.slope / law.curvature;
  return top < end ? Mode{top, 0} : Mode{end, law.slope + law.curvature * end};
}

/// The member with this curvature and mean: mu <= mean gives the lower end, mean < 1/slope without curvature the upper.
TiltedNormal with_mean(double mean, double curvature) {
  const auto excess = [&](double slope) { return moments(TiltedNormal{slope, curvature}).mean - mean; };
  return {falling_root(excess, -curvature * mean, 1 / mean), curvature};
}

}  // namespace

LogConcaveDensity density(const TiltedNormal& law, double end) {
  const Mode mode = mode_of(law, end);
  const auto log_density = [mode, half = 0.5 * law.curvature](double x) {
    return (mode.x - x) * (mode.fall + half * (x - mode.x));
  };
  return {log_density, 0, end, mode.x, std::min(end, 1 / (std::abs(mode.fall) + std::sqrt(law.curvature)))};
}

/// By quadrature around the mode, as far as the density is above exp(-40) of its maximum.
MeanVariance moments(const TiltedNormal& law) {
  const Mode mode = mode_of(law, 1);
  const double fall = std::max(0.0, mode.fall);
  const double reach = 80 / (fall + std::sqrt(fall * fall + 80 * law.curvature));
  double m0 = 0, m1 = 0, m2 = 0;
  gauss_nodes(std::max(-mode.x, -reach), std::min(1 - mode.x, reach), [&](double y, double weight) {
    const double mass = weight * portable::exp(-y * (mode.fall + 0.5 * law.curvature * y));
    m0 += mass, m1 += mass * y, m2 += mass * y * y;
  });
  return {mode.x + m1 / m0, m2 / m0 - (m1 / m0) * (m1 / m0)};
}

TiltedNormal tilted_normal(double mean, double sd) {
  const auto excess = [&](double curvature) { return moments(with_mean(mean, curvature)).variance - sd * sd; };
  return with_mean(mean, falling_root(excess, 0, 1 / (sd * sd)));  // variance < sigma^2: the density is log-concave
}

TiltedNormal widest_tilted_normal(double mean) { return with_mean(mean, 0); }

TiltedNormal mirrored(const TiltedNormal& law) { return {-(law.slope + law.curvature), law.curvature}; }

// ---- normals above 0 -----------------------------------------------------------------------------------------------

namespace {

/// E[Z - alpha] where Z > alpha.
double mean_excess(double alpha) {
  if (alpha > 10) {  // the hazard rate less alpha cancels; Laplace's continued fraction of it does not
    double fraction = 0;
    for (int k = 30; k >= 1; --k) fraction = k / (alpha + fraction);
    return fraction;
  }
  const double density = portable::exp(-0.5 * alpha * alpha) * (0.5 * std::numbers::inv_sqrtpi * std::numbers::sqrt2);
  return density / (0.5 * portable::erfc(alpha / std::numbers::sqrt2)) - alpha;
}

/// sd/mean of Z - alpha: from 0 far below to 1 far above. Var Z = 1 - h (h - alpha) with the hazard h.
double spread_of_excess(double alpha) {
  const double excess = mean_excess(alpha), variance = 1 - (alpha + excess) * excess;
  return std::sqrt(std::max(0.0, variance)) / excess;
}

/// The alpha of this sd/mean. Below, Z - alpha is normal with mean -alpha; above, sd/mean is about 1 - 1/alpha².
double truncation_for(double spread) {
  return falling_root([spread](double alpha) { return spread - spread_of_excess(alpha); }, -1 / spread - 1,
                      2 / std::sqrt(1 - spread), 48);
}

/// Closer than this (relatively) to the exponential, this stands for the normal.
constexpr double kMargin = 1e-10;

}  // namespace

DistributionPtr normal_above_zero(double mean, double sd) {
  require_positive(mean, "the mean of a normal truncated at 0");
  require_sd(sd, "the sd of a normal truncated at 0");
  const double spread = sd / mean;
  if (!(spread < 1))
    throw InfeasibleError("a normal truncated at 0 cannot have the standard deviation " + short_number(sd) +
                          " at the mean " + short_number(mean) + ": it must be below the mean");
  const LawFacts facts{mean, sd * sd, 0, kInfinity};
  if (spread > 1 - kMargin) return exponential(mean);
  if (spread <= kHardlyTruncated) return law_with(facts, normal(mean, sd)->transform());
  const auto exact = [spread] {  // in units of the mean
    const double alpha = truncation_for(spread), excess = mean_excess(alpha);
    return log_concave_quantiles(density({alpha * excess, excess * excess}, kInfinity), [](double x) { return x; });
  };
  return tabulated(facts, exact, spread, 0, mean);
}

// ---- gamma and beta ------------------------------------------------------------------------------------------------

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
