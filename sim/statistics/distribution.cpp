// The laws' inverse distribution functions, and the tables that name those of availability and of interval lengths.
#include "sim/statistics/distribution.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/tools/roots.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Form = InverseTransform::Form;
using std::numbers::sqrt2;
using std::numbers::sqrt3;
/// Streams draw on a grid of 2^-53; where u = 0 would give -infinity, the middle of its cell stands for it.
constexpr double kLeastU = 0x1.0p-54;
/// A closed limit is accepted with this relative slack, since TH often is itself the result of a rounded sum.
constexpr double kSlack = 1e-12;

// Evaluating in double rather than long double is ten times as fast and just as good here.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

// --- Sentences ---

std::string text(double x) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr};
}

/// About six digits, never more than x itself, so that a limit can be copied from its message.
std::string text_rounded_down(double x) {
  if (x == 0) return "0";
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(x)));
  return text(std::floor(x * scale * (1 + kSlack)) / scale);
}

void require(bool holds, const std::string& sentence) {
  if (!holds) throw InputError(sentence);
}

void require_positive(double x, const std::string& what) {
  require(x > 0 && std::isfinite(x), what + " = " + text(x) + " is not possible: it must be positive and finite");
}

void require_sd(double sd, const std::string& what) {
  require_positive(sd, what);
  require(std::isfinite(sd * sd), what + " = " + text(sd) + " is not possible: its square is beyond what doubles hold");
}

template <class Row>
const Row& find(std::span<const Row> table, std::string_view name, std::string_view what) {
  const auto row = std::find_if(table.begin(), table.end(), [&](const Row& r) { return r.name == name; });
  if (row != table.end()) return *row;
  std::string known;
  for (const Row& r : table) known += (known.empty() ? "" : ", ") + std::string(r.name);
  throw InputError("there is no " + std::string(what) + " '" + std::string(name) + "': known are " + known);
}

// --- Laws out of a quantile function ---

DistributionPtr law(const LawFacts& facts, InverseTransform transform) {
  return std::make_shared<const Distribution>(facts, std::move(transform));
}

template <class Quantile>
DistributionPtr law(const LawFacts& facts, Quantile quantile) {
  return law(facts, InverseTransform{Form::table, 0, 1, std::make_shared<const QuantileTable>(std::move(quantile))});
}

/// The facts of a law of availability on [0, 1], and of one that reaches `reach` sd to either side of its mean.
LawFacts availability(double mean, double th) { return {mean, mean * th * mean * th, 0, 1}; }

LawFacts availability_around(double mean, double th, double reach) {
  const double half = mean * th * reach;
  return {mean, mean * th * mean * th, std::max(0.0, mean - half), std::min(1.0, mean + half)};
}

DistributionPtr uniform_on(const LawFacts& facts) {
  return law(facts, InverseTransform{Form::linear, facts.lower, facts.upper - facts.lower});
}

DistributionPtr either_end(const LawFacts& facts) {
  return law(facts, InverseTransform{Form::two_point, facts.lower, facts.upper});
}

/// The quantile of one of Boost's distributions, from the side of the nearer tail.
template <class D>
double two_sided(const D& distribution, double u) {
  return u < 0.5 ? quantile(distribution, u) : quantile(complement(distribution, 1 - u));
}

double standard_normal(double u) {
  u = std::max(u, kLeastU);
  return u < 0.5 ? -sqrt2 * boost::math::erfc_inv(2 * u, InDouble())
                 : sqrt2 * boost::math::erfc_inv(2 * (1 - u), InDouble());
}

/// From this shape on Boost's incomplete gamma and beta functions cost microseconds and in the end do not return. The
/// Cornish-Fisher expansion (Abramowitz & Stegun 26.2.49) is then right to 1e-8 sd, and keeps mean and variance.
constexpr double kNearlyNormalShape = 1e6;

DistributionPtr nearly_normal(const LawFacts& facts, double skewness, double excess) {
  return law(facts, [m = facts.mean, s = std::sqrt(facts.variance), skewness, excess](double u) {
    const double z = standard_normal(u);
    const double square = (z * z - 1) * skewness / 6;
    const double cube = z * ((z * z - 3) * excess / 24 - (2 * z * z - 5) * skewness * skewness / 36);
    return m + s * (z + square + cube);
  });
}

// --- The truncated normal on [0, 1], for means up to 1/2 (the others are its mirror images) ---
//
// Its density is proportional to exp(-slope x - curvature x^2/2) with curvature = 1/sigma^2 and slope = -mu/sigma^2.
// In these two everything stays finite where mu runs off to -infinity: the truncated exponential has curvature 0. At a
// given mean the variance falls as the curvature grows (the family is exponential), so two nested bracketed roots
// always find the one solution.

struct TiltedNormal {
  double slope, curvature;
};

struct MeanVariance {
  double mean, variance;
};

/// Calls add(x, weight) for the nodes of a Gauss rule on [low, high]; the weights sum to 2.
template <unsigned nodes, class Add>
void gauss_nodes(double low, double high, Add add) {
  using Rule = boost::math::quadrature::gauss<double, nodes>;
  const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
  for (std::size_t i = 0; i < Rule::abscissa().size(); ++i)
    for (const double sign : {-1.0, 1.0}) add(middle + sign * half * Rule::abscissa()[i], Rule::weights()[i]);
}

/// Mean and variance by quadrature around the mode, as far as the density is above exp(-40) of its maximum.
MeanVariance moments(const TiltedNormal& d) {
  const double mode = d.slope < 0 ? std::min(1.0, -d.slope / d.curvature) : 0;
  const double slope = std::max(0.0, d.slope + d.curvature * mode);
  const double reach = 80 / (slope + std::sqrt(slope * slope + 80 * d.curvature));
  double m0 = 0, m1 = 0, m2 = 0;
  gauss_nodes<60>(std::max(-mode, -reach), std::min(1 - mode, reach), [&](double y, double weight) {
    const double mass = weight * std::exp(-y * (slope + 0.5 * d.curvature * y));
    m0 += mass, m1 += mass * y, m2 += mass * y * y;
  });
  return {mode + m1 / m0, m2 / m0 - (m1 / m0) * (m1 / m0)};
}

/// The zero of a decreasing function, or the nearer end where rounding hides the change of sign.
template <class F>
double root(F f, double low, double high, unsigned bits = 51) {
  const double at_low = f(low), at_high = f(high);
  if (!(at_low > 0)) return low;
  if (!(at_high < 0)) return high;
  std::uintmax_t iterations = 200;
  const auto bracket = boost::math::tools::toms748_solve(f, low, high, at_low, at_high,
                                                         boost::math::tools::eps_tolerance<double>(bits), iterations);
  return 0.5 * (bracket.first + bracket.second);
}

/// The member with this curvature and mean: mu <= mean gives the lower end, mean < 1/slope without curvature the upper.
TiltedNormal with_mean(double mean, double curvature) {
  const auto excess = [&](double slope) { return moments({slope, curvature}).mean - mean; };
  return {root(excess, -curvature * mean, 1 / mean), curvature};
}

/// The member with this mean and sd. Where 0 is 9 sd away, truncation takes less than 1e-18 and mu is the mean.
TiltedNormal with_mean_and_sd(double mean, double sd) {
  if (9 * sd <= mean) return {-mean / (sd * sd), 1 / (sd * sd)};
  const auto excess = [&](double curvature) { return moments(with_mean(mean, curvature)).variance - sd * sd; };
  return with_mean(mean, root(excess, 0, 1 / (sd * sd)));  // variance < sigma^2: truncation of a log-concave density
}

// The quantiles below take u and v = 1 - u, neither of them 0, so that no tail is rounded away.

/// -log S(x) of the x below which u of the mass lies (0 at the end: infinite); S is the untruncated survival function divided by S(0).
class TruncatedTail {
 public:
  explicit TruncatedTail(double minus_log_end) : rest_(std::exp(-minus_log_end)), loss_(-std::expm1(-minus_log_end)) {}
  double minus_log(double u, double v) const {
    return u * loss_ < 0.5 ? -std::log1p(-u * loss_) : -std::log(v + u * rest_);
  }

 private:
  double rest_, loss_;
};

/// Mills' ratio Q(z)/phi(z) by its asymptotic series (Abramowitz & Stegun 26.2.12), to the last bit from z = 25 on.
double mills_ratio(double z) {
  double term = 1 / z, sum = term;
  for (int odd = 1; odd <= 15; odd += 2) {
    term *= -odd / (z * z);
    sum += term;
  }
  return sum;
}
constexpr double kFarTail = 25;

/// The quantile where mu is `alpha` > 25 sigma below 0: the tail's own scale, since Q(alpha) underflows. Newton's
/// method on the convex -log(Q(alpha + t)/Q(alpha)), whose slope is the hazard rate, from the right.
class FarTail {
 public:
  FarTail(double alpha, double sigma, double end = 1)
      : alpha_(alpha), sigma_(sigma), end_(end), tail_(std::isfinite(end) ? minus_log(end / sigma) : kInfinity) {}
  double operator()(double u, double v) const {
    const double target = tail_.minus_log(u, v);
    double t = 2 * target / (alpha_ + std::sqrt(alpha_ * alpha_ + 2 * target));
    for (int i = 0; i < 3; ++i) t -= (minus_log(t) - target) * mills_ratio(alpha_ + t);
    return std::clamp(sigma_ * t, 0.0, end_);
  }

 private:
  double minus_log(double t) const {
    return t * (alpha_ + 0.5 * t) + std::log(mills_ratio(alpha_) / mills_ratio(alpha_ + t));
  }
  double alpha_, sigma_, end_;
  TruncatedTail tail_;
};

/// The quantile elsewhere, from whichever of the distribution and the survival function is small.
class Body {
 public:
  Body(double alpha, double sigma, double end = 1)
      : alpha_(alpha), sigma_(sigma), end_(end), ends_{alpha, alpha + end / sigma} {}
  double operator()(double u, double v) const {
    const double below = v * ends_[0].below + u * ends_[1].below;
    const double above = v * ends_[0].above + u * ends_[1].above;
    const double z = below < above ? -sqrt2 * boost::math::erfc_inv(below, InDouble())
                                   : sqrt2 * boost::math::erfc_inv(above, InDouble());
    return std::clamp(sigma_ * (z - alpha_), 0.0, end_);
  }

 private:
  struct End {
    End(double z) : below(std::erfc(-z / sqrt2)), above(std::erfc(z / sqrt2)) {}
    double below, above;  ///< twice the probabilities
  };
  double alpha_, sigma_, end_;
  End ends_[2];
};

/// The quantile where the density varies by less than exp(3) over [0, 1] and sigma may be huge: the body's, whose
/// rounding error is sigma times that of z, and one Newton step on the mass from 0 to x.
class NearlyFlat {
 public:
  NearlyFlat(const TiltedNormal& d, const Body& body) : d_(d), body_(body), mass_(mass_to(1)) {}
  double operator()(double u, double v) const {
    const double x = body_(u, v);
    return std::clamp(x - (mass_to(x) - u * mass_) / density(x), 0.0, 1.0);
  }

 private:
  double density(double x) const { return std::exp(-x * (d_.slope + 0.5 * d_.curvature * x)); }
  double mass_to(double x) const {
    double sum = 0;
    gauss_nodes<20>(0, x, [&](double y, double weight) { sum += weight * density(y); });
    return 0.5 * x * sum;
  }
  TiltedNormal d_;
  Body body_;
  double mass_;
};
constexpr double kNearlyFlat = 3;

/// Closer than this (relatively) to the supremum the truncated exponential itself stands for the normal: its variance
/// is the same to 2e-10, while the normal's sigma grows beyond 1e4 and costs the quantile its digits.
constexpr double kExponentialMargin = 1e-10;

/// The truncated exponential of this mean, the widest truncated normal there is.
TiltedNormal widest(double mean) { return with_mean(mean, 0); }

double widest_th(double mean) { return std::sqrt(moments(widest(mean)).variance) / mean; }

template <class Quantile>
DistributionPtr mirrored_if(bool mirrored, const LawFacts& facts, Quantile q) {
  if (!mirrored) return law(facts, [q = std::move(q)](double u) { return q(std::max(u, kLeastU), 1 - u); });
  return law(facts, [q = std::move(q)](double u) { return 1 - q(1 - u, std::max(u, kLeastU)); });
}

DistributionPtr truncated_exponential(bool mirrored, const LawFacts& facts, double slope) {
  if (slope == 0) return law(facts, [](double u) { return u; });
  return mirrored_if(mirrored, facts, [slope, tail = TruncatedTail(slope)](double u, double v) {
    return std::min(1.0, tail.minus_log(u, v) / slope);
  });
}

// --- The normal truncated at 0: standard normals Z > alpha, as sigma (Z - alpha) ---

/// E[Z - alpha] where Z > alpha.
double mean_excess(double alpha) {
  if (alpha > 10) {  // the hazard rate less alpha cancels; Laplace's continued fraction of it does not
    double fraction = 0;
    for (int k = 30; k >= 1; --k) fraction = k / (alpha + fraction);
    return fraction;
  }
  const double density = std::exp(-0.5 * alpha * alpha) / std::sqrt(2 * std::numbers::pi);
  return density / (0.5 * std::erfc(alpha / sqrt2)) - alpha;
}

/// sd/mean of Z - alpha: from 0 far below to 1 far above. Var Z = 1 - h (h - alpha) with the hazard h.
double spread_of_excess(double alpha) {
  const double excess = mean_excess(alpha), variance = 1 - (alpha + excess) * excess;
  return std::sqrt(std::max(0.0, variance)) / excess;
}

/// The alpha of this sd/mean. Below, Z - alpha is normal with mean -alpha; above, sd/mean is about 1 - 1/alpha².
double truncation_for(double spread) {
  return root([spread](double alpha) { return spread - spread_of_excess(alpha); }, -1 / spread - 1,
              2 / std::sqrt(1 - spread), 48);
}

constexpr double kLeastShape = 1e-6;  // of a gamma law: below, its quantiles are 0 but for the last millionth

// --- The laws of availability: limits of TH and makers ---

/// What keeps a(1 +- TH) within [0, 1].
double symmetric_limit(double mean) { return std::min(1.0, (1 - mean) / mean); }
double uniform_limit(double mean) { return symmetric_limit(mean) / sqrt3; }
double beta_limit(double mean) { return std::sqrt((1 - mean) / mean); }
double no_spread(double) { return 0; }

double truncated_normal_limit(double mean) {
  if (mean == 1) return 0;
  return mean <= 0.5 ? widest_th(mean) : widest_th(1 - mean) * ((1 - mean) / mean);
}

DistributionPtr uniform_value(double mean, double th) { return uniform_on(availability_around(mean, th, sqrt3)); }

DistributionPtr two_point_value(double mean, double th) { return either_end(availability_around(mean, th, 1)); }

DistributionPtr beta_value(double mean, double th) {
  const double limit = beta_limit(mean), total = (limit - th) / th * ((limit + th) / th);
  const double product = mean * (1 - mean), w = (th / limit) * (th / limit);  // w = 1/(total + 1)
  const LawFacts facts = availability(mean, th);
  if (std::min(mean, 1 - mean) * total < kNearlyNormalShape)
    return law(facts, [d = boost::math::beta_distribution<double, InDouble>(mean * total, (1 - mean) * total)](
                          double u) { return two_sided(d, u); });
  const double skew = 1 - 2 * mean;
  return nearly_normal(facts, 2 * skew * mean * th / (product * (1 + w)),
                       6 * w * (skew * skew / product - (1 + w)) / ((1 + w) * (1 + 2 * w)));
}

DistributionPtr truncated_normal(double mean, double th) {
  const LawFacts facts = availability(mean, th);
  const bool mirrored = mean > 0.5;
  const double m = mirrored ? 1 - mean : mean;
  if (th > truncated_normal_limit(mean) * (1 - kExponentialMargin))
    return truncated_exponential(mirrored, facts, widest(m).slope);
  const TiltedNormal d = with_mean_and_sd(m, mean * th);
  const double sigma = 1 / std::sqrt(d.curvature), alpha = d.slope * sigma;
  if (alpha > kFarTail) return mirrored_if(mirrored, facts, FarTail(alpha, sigma));
  const Body body(alpha, sigma);
  if (std::abs(d.slope) + 0.5 * d.curvature < kNearlyFlat) return mirrored_if(mirrored, facts, NearlyFlat(d, body));
  return mirrored_if(mirrored, facts, body);
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
    {"beta", "beta on 0..1", beta_limit, false, constant_or<beta_value>},
    {"two-point", "a(1 - TH) or a(1 + TH), equally likely", symmetric_limit, true, constant_or<two_point_value>},
    {"constant", "always a; TH must be 0", no_spread, true, constant_of},
};

constexpr LengthLaw kLengthLaws[] = {
    {"uniform", "uniform on 0 .. 2 mean", [](double mean, double) { return uniform(0, 2 * mean); }},
    {"exponential", "exponential", [](double mean, double) { return exponential(mean); }},
    {"constant", "always the mean", constant_of},
    {"pareto", "Pareto type I with a shape above 2", pareto},
};

void require_within_limit(const ValueLaw& value_law, double mean, double th) {
  const double limit = value_law.th_limit(mean);
  const bool closed = value_law.closed || limit == 0;
  if (th == 0 || (closed ? th <= limit * (1 + kSlack) : th < limit)) return;
  throw InfeasibleError("TH = " + short_number(th) + " is more than the law '" + std::string(value_law.name) +
                        "' can hold at mean " + text(mean) + ": " + (closed ? "at most " : "it must be below ") +
                        text_rounded_down(limit));
}

}  // namespace

DistributionPtr constant(double value) {
  require(std::isfinite(value), "a constant of " + text(value) + " is not possible: it must be finite");
  return law({value, 0, value, value}, InverseTransform{Form::linear, value, 0});
}

DistributionPtr uniform(double low, double high) {
  require(
      low <= high && std::isfinite(low) && std::isfinite(high),
      "a uniform law on [" + text(low) + ", " + text(high) + "] is not possible: both ends must be finite, in order");
  const double width = high - low;
  return uniform_on({0.5 * low + 0.5 * high, width * width / 12, low, high});
}

DistributionPtr exponential(double mean) {
  require_positive(mean, "the mean of an exponential law");
  return law({mean, mean * mean, 0, kInfinity}, InverseTransform{Form::exponential, 0, mean});
}

DistributionPtr pareto(double mean, double shape) {
  require_positive(mean, "the mean of a Pareto law");
  require(shape > 2 && std::isfinite(shape),
          "a Pareto law of shape " + text(shape) +
              " is not possible: the shape must be above 2, else the variance is infinite");
  const double least = mean * (shape - 1) / shape;
  return law({mean, mean * mean / (shape * (shape - 2)), least, kInfinity, shape},
             InverseTransform{Form::power, least, 1 / shape});
}

DistributionPtr two_point(double value1, double value2) {
  require(std::isfinite(value1) && std::isfinite(value2),
          "a two-point law on " + text(value1) + " and " + text(value2) + " is not possible: both must be finite");
  const auto [low, high] = std::minmax({value1, value2});
  const double half = 0.5 * (high - low);
  return either_end({0.5 * low + 0.5 * high, half * half, low, high});
}

DistributionPtr normal(double mean, double sd) {
  require(std::isfinite(mean), "a normal law of mean " + text(mean) + " is not possible: the mean must be finite");
  require(sd >= 0 && std::isfinite(sd),
          "a normal law with sd = " + text(sd) + " is not possible: the sd must be finite and at least 0");
  if (sd == 0) return constant(mean);
  return law({mean, sd * sd, -kInfinity, kInfinity}, [mean, sd](double u) { return mean + sd * standard_normal(u); });
}

DistributionPtr gamma(double mean, double sd) {
  require_positive(mean, "the mean of a gamma law");
  require_sd(sd, "the sd of a gamma law");
  const double ratio = sd / mean, shape = 1 / (ratio * ratio);
  if (!(shape >= kLeastShape))
    throw InfeasibleError("a gamma law of the mean " + short_number(mean) + " and the standard deviation " +
                          short_number(sd) + " cannot be computed: nearly all of it is 0");
  const LawFacts facts{mean, sd * sd, 0, kInfinity};
  if (shape >= kNearlyNormalShape) return nearly_normal(facts, 2 * ratio, 6 * ratio * ratio);
  return law(facts, [d = boost::math::gamma_distribution<double, InDouble>(shape, mean / shape)](double u) {
    return two_sided(d, u);
  });
}

DistributionPtr normal_above_zero(double mean, double sd) {
  require_positive(mean, "the mean of a normal truncated at 0");
  require_sd(sd, "the sd of a normal truncated at 0");
  const double spread = sd / mean;
  if (!(spread < 1))
    throw InfeasibleError("a normal truncated at 0 cannot have the standard deviation " + short_number(sd) +
                          " at the mean " + short_number(mean) + ": it must be below the mean");
  const LawFacts facts{mean, sd * sd, 0, kInfinity};
  if (spread > 1 - kExponentialMargin) return exponential(mean);
  const double alpha = truncation_for(spread), sigma = mean / mean_excess(alpha);
  if (alpha > kFarTail) return mirrored_if(false, facts, FarTail(alpha, sigma, kInfinity));
  return mirrored_if(false, facts, Body(alpha, sigma, kInfinity));
}

DistributionPtr reflected(const DistributionPtr& law) {
  return std::make_shared<const Distribution>(law->facts(), law->transform().reflected());
}

std::span<const ValueLaw> value_laws() { return kValueLaws; }

DistributionPtr make_value_law(std::string_view name, double mean, double th) {
  const ValueLaw& value_law = find(value_laws(), name, "value law");
  require(mean > 0 && mean <= 1,
          "mean availability = " + text(mean) + " is not possible: it must be above 0, at most 1");
  require(th >= 0 && std::isfinite(th), "TH = " + text(th) + " is not possible: it must be finite and at least 0");
  require_within_limit(value_law, mean, th);
  return value_law.make(mean, th);
}

std::span<const LengthLaw> length_laws() { return kLengthLaws; }

DistributionPtr make_length_law(std::string_view name, double mean, double shape) {
  const LengthLaw& length_law = find(length_laws(), name, "length law");
  require_positive(mean, "mean interval length");
  return length_law.make(mean, shape);
}

}  // namespace nowsim
