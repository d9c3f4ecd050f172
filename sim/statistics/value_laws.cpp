// Laws whose densities are log-concave, normals that are cut off, gamma and beta; and by name those of availability and
// of interval lengths, with their limits of TH and their makers.
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/roots_and_minima.hpp"

namespace nowsim {
namespace {

// ---- normals on 0..1 -----------------------------------------------------------------------------------------------

/// A density proportional to exp(-slope x - curvature x^2/2) for 0 <= x <= end: of the normal with the curvature
/// 1/sigma^2 and the slope -mu/sigma^2. In these two everything stays finite where mu runs off to -infinity: the
/// truncated exponential has curvature 0.
struct TiltedNormal {
  double slope, curvature;
};

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

LogConcaveDensity density(const TiltedNormal& law, double end) {
  const Mode mode = mode_of(law, end);
  const auto log_density = [mode, half = 0.5 * law.curvature](double x) {
    return (mode.x - x) * (mode.fall + half * (x - mode.x));
  };
  return {log_density, 0, end, mode.x, std::min(end, 1 / (std::abs(mode.fall) + std::sqrt(law.curvature)))};
}

struct MeanVariance {
  double mean, variance;
};

/// Of the law on 0..1, to about 1e-13: by quadrature around the mode, as far as the density is above exp(-40) of its
/// maximum.
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

/// The law on 0..1 with this curvature and mean, at most 1/2: mu <= mean gives the lower end, mean < 1/slope without
/// curvature the upper. Of no curvature it is the truncated exponential, the widest.
TiltedNormal with_mean(double mean, double curvature) {
  const auto excess = [&](double slope) { return moments(TiltedNormal{slope, curvature}).mean - mean; };
  return {falling_root(excess, -curvature * mean, 1 / mean), curvature};
}

/// The same with this sd.
TiltedNormal tilted_normal(double mean, double sd) {
  const auto excess = [&](double curvature) { return moments(with_mean(mean, curvature)).variance - sd * sd; };
  return with_mean(mean, falling_root(excess, 0, 1 / (sd * sd)));  // variance < sigma^2: the density is log-concave
}

/// A normal of at most this sd/mean has less than 1e-18 below 0, and no draws: it need not be truncated there.
constexpr double kHardlyTruncated = 1.0 / 9;

/// Closer than this (relatively) to the supremum the exponential, on 0..1 the truncated one, stands for the normal: its
/// variance is the same to 2e-10, while the normal's sigma grows beyond 1e4 and costs its parameters their digits.
constexpr double kExponentialMargin = 1e-10;

// ---- normals above 0 -----------------------------------------------------------------------------------------------

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

/// @throws InputError, naming the law, unless both are positive and finite, and so is the sd's square.
void require_mean_and_sd(double mean, double sd, const std::string& law) {
  require_positive(mean, "the mean of " + law);
  require_positive(sd, "the sd of " + law);
  require(std::isfinite(sd * sd),
          "the sd of " + law + " = " + number_text(sd) + " is not possible: its square is beyond what doubles hold");
}

}  // namespace

DistributionPtr normal_above_zero(double mean, double sd) {
  require_mean_and_sd(mean, sd, "a normal truncated at 0");
  const double spread = sd / mean;
  if (!(spread < 1))
    throw InfeasibleError("a normal truncated at 0 cannot have the standard deviation " + short_number(sd) +
                          " at the mean " + short_number(mean) + ": it must be below the mean");
  const LawFacts facts{mean, sd * sd, 0, kInfinity};
  if (spread > 1 - kExponentialMargin) return exponential(mean);
  if (spread <= kHardlyTruncated) return law_with(facts, normal(mean, sd)->transform());
  const auto exact = [spread] {  // in units of the mean
    const double alpha = truncation_for(spread), excess = mean_excess(alpha);
    return log_concave_quantiles(density({alpha * excess, excess * excess}, kInfinity));
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
  return tabulated(facts, [expansion] { return quantiles_of(expansion, standard_normal_quantiles()); }, 1, facts.mean,
                   std::sqrt(facts.variance));
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
  require_mean_and_sd(mean, sd, "a gamma law");
  const double ratio = sd / mean, shape = 1 / (ratio * ratio);
  if (!(shape >= kLeastShape))
    throw InfeasibleError("a gamma law of the mean " + short_number(mean) + " and the standard deviation " +
                          short_number(sd) + " cannot be computed: nearly all of it is 0");
  const LawFacts facts{mean, sd * sd, 0, kInfinity};
  if (shape >= kNearlyNormalShape) return nearly_normal(facts, 2 * ratio, 6 * ratio * ratio);
  const auto exact = [shape] {
    return quantiles_of([](double y) { return portable::exp(y); }, log_concave_quantiles(gamma_density(shape)));
  };
  return tabulated(facts, exact, ratio, 0, mean);
}

// ---- laws of availability ------------------------------------------------------------------------------------------

namespace {

using std::numbers::sqrt3;
/// A closed limit is accepted with this relative slack, since TH often is itself the result of a rounded sum.
constexpr double kSlack = 1e-12;

/// About six digits, never more than x itself, so that a limit can be copied from its message.
std::string text_rounded_down(double x) {
  if (x == 0) return "0";
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(x)));
  return number_text(std::floor(x * scale * (1 + kSlack)) / scale);
}

template <class Row>
const Row& find(std::span<const Row> table, std::string_view name, std::string_view what) {
  const auto row = std::ranges::find(table, name, &Row::name);
  if (row != table.end()) return *row;
  std::string known;
  for (const Row& r : table) known += (known.empty() ? "" : ", ") + std::string(r.name);
  throw InputError("there is no " + std::string(what) + " '" + std::string(name) + "': known are " + known);
}

/// The facts of a law of availability that reaches `reach` sd to either side of its mean.
LawFacts availability_around(double mean, double th, double reach) {
  const double half = mean * th * reach;
  return {mean, mean * th * mean * th, std::max(0.0, mean - half), std::min(1.0, mean + half)};
}

double widest_th(double mean) { return std::sqrt(moments(with_mean(mean, 0)).variance) / mean; }

/// What keeps a(1 +- TH) within [0, 1].
double symmetric_limit(double mean) { return std::min(1.0, (1 - mean) / mean); }
double uniform_limit(double mean) { return symmetric_limit(mean) / sqrt3; }
double beta_limit(double mean) { return std::sqrt((1 - mean) / mean); }
double no_spread(double) { return 0; }

double truncated_normal_limit(double mean) {
  if (mean == 1) return 0;
  return mean <= 0.5 ? widest_th(mean) : widest_th(1 - mean) * ((1 - mean) / mean);
}

DistributionPtr uniform_value(double mean, double th) {
  const LawFacts facts = availability_around(mean, th, sqrt3);
  return law_with(facts, {InverseTransform::Form::linear, facts.lower, facts.upper - facts.lower});
}

DistributionPtr two_point_value(double mean, double th) {
  const LawFacts facts = availability_around(mean, th, 1);
  return law_with(facts, {InverseTransform::Form::two_point, facts.lower, facts.upper});
}

TiltedNormal truncated_normal_law(double mean, double th) {
  const bool is_widest = th > truncated_normal_limit(mean) * (1 - kExponentialMargin);
  const double nearer = mean <= 0.5 ? mean : 1 - mean;
  const TiltedNormal law = is_widest ? with_mean(nearer, 0) : tilted_normal(nearer, mean * th);
  return mean <= 0.5 ? law : TiltedNormal{-(law.slope + law.curvature), law.curvature};  // of 1 - x
}

/// Close to 1 doubles resolve x less than its distance from 1 needs.
TailQuantiles truncated_normal_quantiles(double mean, double th) {
  constexpr double kCloseToOne = 0.99;
  if (mean <= kCloseToOne) return log_concave_quantiles(density(truncated_normal_law(mean, th), 1));
  return [distance = truncated_normal_quantiles(1 - mean, mean * th / (1 - mean))](double probability, bool upper) {
    return 1 - distance(probability, !upper);
  };
}

DistributionPtr truncated_normal(double mean, double th) {
  const double sd = mean * th;
  const LawFacts facts{mean, sd * sd, 0, 1};
  if (sd <= kHardlyTruncated * std::min(mean, 1 - mean)) return law_with(facts, normal(mean, sd)->transform());
  return tabulated(facts, [mean, th] { return truncated_normal_quantiles(mean, th); }, sd, 0, 1);
}

DistributionPtr beta(double mean, double th) {
  const double product = mean * (1 - mean), limit = beta_limit(mean), sd = mean * th;
  const double total = (limit - th) / th * ((limit + th) / th);
  const LawFacts facts{mean, sd * sd, 0, 1};
  if (std::min(mean, 1 - mean) * total < kNearlyNormalShape) {
    const auto exact = [mean, total] {
      return quantiles_of([odds = mean / (1 - mean)](double y) { return from_logit(y, odds); },
                          log_concave_quantiles(beta_density(mean, total)));
    };
    return tabulated(facts, exact, sd, 0, 1);
  }
  const double skew = 1 - 2 * mean, w = (th / limit) * (th / limit);  // w = 1/(total + 1)
  return nearly_normal(facts, 2 * skew * sd / (product * (1 + w)),
                       6 * w * (skew * skew / product - (1 + w)) / ((1 + w) * (1 + 2 * w)));
}

using Maker = DistributionPtr (*)(double, double);
template <Maker make>
DistributionPtr constant_or(double mean, double th) {
  return th == 0 ? constant(mean) : make(mean, th);
}
DistributionPtr constant_of(double mean, double) { return constant(mean); }

constexpr ValueLaw kValueLaws[] = {
    {"uniform", "uniform on a(1 - sqrt(3) TH) .. a(1 + sqrt(3) TH)", uniform_limit, true, constant_or<uniform_value>},
    {"truncated-normal", "normal cut to 0..1; a and TH hold after the cut", truncated_normal_limit, false,
     constant_or<truncated_normal>},
    {"beta", "beta on 0..1", beta_limit, false, constant_or<beta>},
    {"two-point", "a(1 - TH) or a(1 + TH), equally likely", symmetric_limit, true, constant_or<two_point_value>},
    {"constant", "always a; TH must be 0", no_spread, true, constant_of},
};

using Spread = LengthLaw::Spread;
constexpr LengthLaw kLengthLaws[] = {
    {"uniform", "uniform on 0 .. 2 mean", Spread::none, [](double mean, double) { return uniform(0, 2 * mean); }},
    {"exponential", "exponential", Spread::none, [](double mean, double) { return exponential(mean); }},
    {"constant", "always the mean", Spread::none, constant_of},
    {"pareto", "Pareto type I with a shape above 2", Spread::shape, pareto},
    {"weibull", "Weibull, by sd/mean", Spread::cv, weibull},
    {"lognormal", "lognormal, by sd/mean", Spread::cv, lognormal},
};

void require_within_limit(const ValueLaw& value_law, double mean, double th) {
  const double limit = value_law.th_limit(mean);
  const bool closed = value_law.closed || limit == 0;
  if (th == 0 || (closed ? th <= limit * (1 + kSlack) : th < limit)) return;
  throw InfeasibleError("TH = " + short_number(th) + " is more than the law '" + std::string(value_law.name) +
                        "' can hold at mean " + number_text(mean) + ": " + (closed ? "at most " : "it must be below ") +
                        text_rounded_down(limit));
}

}  // namespace

std::span<const ValueLaw> value_laws() { return kValueLaws; }

DistributionPtr make_value_law(std::string_view name, double mean, double th) {
  const ValueLaw& value_law = find(value_laws(), name, "value law");
  require(mean > 0 && mean <= 1,
          "mean availability = " + number_text(mean) + " is not possible: it must be above 0, at most 1");
  require(th >= 0 && std::isfinite(th),
          "TH = " + number_text(th) + " is not possible: it must be finite and at least 0");
  require_within_limit(value_law, mean, th);
  return value_law.make(mean, th);
}

std::span<const LengthLaw> length_laws() { return kLengthLaws; }

DistributionPtr make_length_law(std::string_view name, double mean, double spread) {
  const LengthLaw& length_law = find(length_laws(), name, "length law");
  require_positive(mean, "mean interval length");
  return length_law.make(mean, spread);
}

}  // namespace nowsim
