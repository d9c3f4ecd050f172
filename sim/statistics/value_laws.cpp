// The laws of availability and of interval lengths by name: their limits of TH, and their makers.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/law_parts.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {
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
  const auto row = std::find_if(table.begin(), table.end(), [&](const Row& r) { return r.name == name; });
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

/// Closer than this (relatively) to the supremum the truncated exponential itself stands for the normal: its variance
/// is the same to 2e-10, while the normal's sigma grows beyond 1e4 and costs its parameters their digits.
constexpr double kExponentialMargin = 1e-10;

double widest_th(double mean) { return std::sqrt(moments(widest_tilted_normal(mean)).variance) / mean; }

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
  if (th > truncated_normal_limit(mean) * (1 - kExponentialMargin)) {
    return mean <= 0.5 ? widest_tilted_normal(mean) : mirrored(widest_tilted_normal(1 - mean));
  }
  return mean <= 0.5 ? tilted_normal(mean, mean * th) : mirrored(tilted_normal(1 - mean, mean * th));
}

/// Close to 1 doubles resolve x less than its distance from 1 needs.
TailQuantiles truncated_normal_quantiles(double mean, double th) {
  constexpr double kCloseToOne = 0.99;
  if (mean <= kCloseToOne)
    return log_concave_quantiles(density(truncated_normal_law(mean, th), 1), [](double x) { return x; });
  const TailQuantiles distance = truncated_normal_quantiles(1 - mean, mean * th / (1 - mean));
  return {[distance](double p) { return 1 - distance.above(p); },
          [distance](double q) { return 1 - distance.below(q); }};
}

DistributionPtr truncated_normal(double mean, double th) {
  const double sd = mean * th;
  const LawFacts facts{mean, sd * sd, 0, 1};
  if (sd <= kHardlyTruncated * std::min(mean, 1 - mean)) return law_with(facts, normal(mean, sd)->transform());
  return tabulated(facts, [mean, th] { return truncated_normal_quantiles(mean, th); }, sd, 0, 1);
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
