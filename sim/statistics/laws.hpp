// The laws that availabilities, interval lengths and costs are drawn from, each by its own inverse transform; what is
// left of an interval at a moment that has nothing to do with it; a factor that several workstations' numbers have in
// common.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/infinity.hpp"
#include "sim/statistics/numerical_inversion.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {

/// What else can give a value for a uniform number u in [0, 1), exactly the same each time; called draw by draw.
class QuantileFunction {
 public:
  virtual ~QuantileFunction() = default;
  [[nodiscard]] virtual double at(double u) const = 0;
};

/// How a uniform draw becomes a draw of a law. The draws u of a stream lie on a grid of 2^-53.
struct InverseTransform {
  enum class Form : std::uint8_t {
    linear,       ///< offset + scale·u
    two_point,    ///< offset for u < 1/2 and scale beyond
    exponential,  ///< offset + scale·(-log(1 - u))
    table,        ///< offset + scale·T(u)
    function,     ///< the function's value at u
  };
  Form form = Form::linear;
  double offset = 0;
  double scale = 0;
  std::shared_ptr<const QuantileTable> table = nullptr;  ///< of Form::table
  /// Of the last three forms: taken at 1 - u - 2^-53 instead of at u.
  bool mirrored = false;
  std::shared_ptr<const QuantileFunction> function = nullptr;  ///< of Form::function

  [[nodiscard]] double quantile(double u) const {
    if (form == Form::table) return offset + scale * table->quantile(u, mirrored);
    const double at = mirrored ? 1 - 0x1.0p-53 - u : u;
    return form == Form::function ? function->at(at) : plain(form, offset, scale, at);
  }
  /// Of the first three forms, not mirrored.
  [[nodiscard]] static double plain(Form form, double offset, double scale, double u) {
    if (form == Form::linear) return offset + scale * u;
    if (form == Form::two_point) return u < 0.5 ? offset : scale;
    return offset + scale * -portable::log(1 - u);
  }

  /// The transform whose value at u is this one's at 1 - u - 2^-53 (linear: but for the last place).
  [[nodiscard]] InverseTransform reflected() const {
    if (form == Form::linear) return {form, offset + scale, -scale};
    if (form == Form::two_point) return {form, scale, offset};
    InverseTransform out = *this;
    out.mirrored = !mirrored;
    return out;
  }
};

struct LawFacts {
  double mean, variance;
  double lower, upper;  ///< the smallest and largest values the law gives (infinity where there is none)
  double moment_limit = kInfinity;  ///< E|X|^k is finite for k below this
};

/// The law of residual life: with the density P[L > x]/E[L], what a renewal process of lengths L that has run for ever has
/// before it at any moment (Cox, Renewal Theory, 1962, 5.3).
class ResidualLife {
 public:
  virtual ~ResidualLife() = default;
  /// At two independent uniform numbers in [0, 1): of an interval that is as likely as it is long, a uniform part; by laws
  /// whose residual life has a formula of its own the first number alone. Exact to 1e-10 of the probability.
  [[nodiscard]] virtual double at(double u, double part) const = 0;
};
using ResidualLifePtr = std::shared_ptr<const ResidualLife>;

/// A law of one real variable. Immutable; one object serves all runs.
class Distribution {
 public:
  /// @param residual_life makes what is left of such a length at any moment, where the transform does not say it.
  Distribution(const LawFacts& facts, InverseTransform transform, std::function<ResidualLifePtr()> residual_life = {})
      : facts_(facts), transform_(std::move(transform)), residual_life_(std::move(residual_life)) {}
  /// Inverse distribution function at u in [0, 1): a uniform u gives one draw. Finite, and non-decreasing in u (to the
  /// last digits of rounding, within 1e-13 sd).
  [[nodiscard]] double quantile(double u) const { return transform_.quantile(u); }
  /// The same as plain data, which an engine can draw many of side by side.
  [[nodiscard]] const InverseTransform& transform() const { return transform_; }
  [[nodiscard]] double mean() const { return facts_.mean; }
  [[nodiscard]] double variance() const { return facts_.variance; }
  [[nodiscard]] double lower() const { return facts_.lower; }
  [[nodiscard]] double upper() const { return facts_.upper; }
  [[nodiscard]] double moment_limit() const { return facts_.moment_limit; }

  /// For residual_life(): null where the transform says it, or no length has this law.
  [[nodiscard]] ResidualLifePtr residual_life() const { return residual_life_ ? residual_life_() : nullptr; }
  /// The same law by another transform of as many digits as it needs.
  [[nodiscard]] std::shared_ptr<const Distribution> drawn_by(InverseTransform transform) const {
    return std::make_shared<const Distribution>(facts_, std::move(transform), residual_life_);
  }

 private:
  LawFacts facts_;
  InverseTransform transform_;
  std::function<ResidualLifePtr()> residual_life_;
};
using DistributionPtr = std::shared_ptr<const Distribution>;

// ---- for the laws' own files ---------------------------------------------------------------------------------------

/// @throws InputError with this sentence unless it holds.
void require(bool holds, const std::string& sentence);
/// @throws InputError, naming what it is, unless x > 0 and finite.
void require_positive(double x, const std::string& what);
/// Exact, as a table is made of it.
TailQuantiles standard_normal_quantiles();
DistributionPtr law_with(const LawFacts& facts, const InverseTransform& transform,
                         std::function<ResidualLifePtr()> residual_life = {});
/// The law of offset + scale·T, where T has these exact quantiles and this sd: by a table, made at the first draw.
DistributionPtr tabulated(const LawFacts& facts, std::function<TailQuantiles()> exact, double sd, double offset,
                          double scale, std::function<ResidualLifePtr()> residual_life = {});
/// By a function of two numbers, whose call costs each replication's beginning no more than this one's.
template <class At>
ResidualLifePtr residual_by(At at) {
  struct Law final : ResidualLife {
    explicit Law(At given) : by(std::move(given)) {}
    double at(double u, double part) const override { return by(u, part); }
    At by;
  };
  return std::make_shared<const Law>(std::move(at));
}
/// Of lengths by the size-biased law, whose value at u is value(u).
template <class Value>
ResidualLifePtr part_of(Value value) {
  return residual_by([value = std::move(value)](double u, double part) { return part * value(u); });
}

// ---- laws ----------------------------------------------------------------------------------------------------------

/// @throws InputError unless value is finite.
DistributionPtr constant(double value);
/// Uniform on [low, high]. @throws InputError unless low <= high, both finite.
DistributionPtr uniform(double low, double high);
/// @throws InputError unless mean > 0 and finite.
DistributionPtr exponential(double mean);
/// Pareto type I with the given mean and shape > 2 (so that the variance is finite): x_min = mean·(shape-1)/shape.
/// @throws InputError otherwise.
DistributionPtr pareto(double mean, double shape);
/// What sd/mean may be of the next two: beyond, 2^-54, the least tail that is drawn from, leaves out of the second
/// moment what counts (lognormal of 20: 3.5e-4 of it, of 5: 1.5e-6), below, a Weibull law's shape loses its digits.
inline constexpr double kLeastCv = 0.01, kMostCv = 20;
/// Weibull and lognormal with this mean > 0 and sd = cv·mean. @throws InputError unless these are finite, and cv is
/// from kLeastCv to kMostCv.
DistributionPtr weibull(double mean, double cv);
DistributionPtr lognormal(double mean, double cv);
/// value1 with probability 1/2, else value2 (u < 1/2 gives the smaller). @throws InputError unless both are finite.
DistributionPtr two_point(double value1, double value2);
/// Normal, no truncation. sd >= 0; sd = 0 is the constant. u = 0 gives what 2^-54 does, a finite draw (8.3 sd below).
/// @throws InputError unless both are finite and sd >= 0.
DistributionPtr normal(double mean, double sd);
/// Gamma with given mean > 0 and sd > 0; from a shape (mean/sd)^2 of 1e6 on by an expansion right to 1e-8 sd.
/// @throws InputError unless both are positive and finite.
DistributionPtr gamma(double mean, double sd);
/// Normal truncated at 0, with this mean > 0 and sd > 0 after truncation: towards sd = 0 the normal, towards sd = mean
/// the exponential. @throws InputError where they are not positive and finite;
/// InfeasibleError unless sd < mean.
DistributionPtr normal_above_zero(double mean, double sd);
/// The same law for few draws: where it has a table, from the exact quantiles without making that. Not for owners'
/// paths, which engines draw from tables.
DistributionPtr drawn_rarely(const DistributionPtr& law);
/// The same law for some thousand draws: where it has a table, from one with 1e4 times the errors, which takes a quarter
/// of the time to make; of a beta law it is off by 2e-5 sd at most. For what is not known to that anyhow.
DistributionPtr drawn_coarsely(const DistributionPtr& law);
/// The same law, drawn the other way round: its quantile at u is `law`'s at 1 - u - 2^-53, so that the draws of a
/// stream, which lie on a grid of 2^-53, have the same law exactly. Non-increasing in u.
DistributionPtr reflected(const DistributionPtr& law);

/// A law of availability on [0, 1], named in a table: what `value:` of the owner model `intervals` can be.
struct ValueLaw {
  std::string_view name;
  std::string_view summary;  ///< one line for people
  /// The largest TH = sd/mean the law holds at this mean (supremum; `closed` says whether it is reached).
  double (*th_limit)(double mean);
  bool closed;
  /// The law with this mean and TH of the values as drawn, after truncation. TH = 0 gives the constant.
  DistributionPtr (*make)(double mean, double th);
};
/// uniform, truncated-normal, beta, two-point (model.md section 1), constant (TH must be 0).
/// truncated-normal: within 1e-10 (relatively) of the limit the truncated exponential stands for the normal, whose
/// variance is then the same to 2e-10. beta: from shapes of 1e6 on by an expansion right to 1e-8 sd.
std::span<const ValueLaw> value_laws();

/// Makes the named law; a closed limit is accepted with 1e-12 of slack, since TH often is a rounded sum.
/// @throws InfeasibleError naming the limit where TH is beyond it; InputError where the mean is
/// not in (0, 1], TH < 0 or not finite, or the name is unknown (the known names are listed).
DistributionPtr make_value_law(std::string_view name, double mean, double th);

/// A law of interval lengths [s], named in a table: what `length:` of the owner model `intervals` can be.
struct LengthLaw {
  std::string_view name;
  std::string_view summary;
  /// What it needs beside its mean: nothing, a shape above 2, or sd/mean from kLeastCv to kMostCv.
  enum class Spread { none, shape, cv } spread;
  DistributionPtr (*make)(double mean, double spread);  ///< mean > 0 [s]
};
/// uniform on [0, 2·mean], exponential, constant, pareto, weibull, lognormal.
std::span<const LengthLaw> length_laws();
/// @throws InputError where mean <= 0 or not finite, the spread is none that the law can have, or the name is unknown.
DistributionPtr make_length_law(std::string_view name, double mean, double spread);

/// Of lengths of a law that is never negative. Exact for each law of length_laws() and for histograms; of formulas as exactly
/// as their mean. @throws std::logic_error for laws that no length has.
ResidualLifePtr residual_life(const Distribution& length);

/// Makes uniforms of different workstations depend on one another and leaves each of them uniform: with independent
/// standard normals, Z_c common to all and Z_i a workstation's own, U_i = Phi(sqrt(w)·Z_c + sqrt(1-w)·Z_i) (the
/// one-factor Gaussian copula: Vasicek, Risk 15(12), 2002; McNeil, Frey & Embrechts, Quantitative Risk Management,
/// 2005, 8.3). The normals of two workstations with weights v and w then have the correlation sqrt(v·w), and U_i and
/// U_j themselves (6/pi)·asin(sqrt(v·w)/2) (Pearson 1907).
class CommonFactor {
 public:
  /// @throws InputError unless 0 <= weight <= 1.
  explicit CommonFactor(double weight);
  [[nodiscard]] double weight() const { return weight_; }
  /// The standard normal quantile of a draw of a stream, in [0, 1).
  [[nodiscard]] static double normal(double u);
  /// U_i, in [0, 1).
  [[nodiscard]] double uniform(double common, double own) const;

 private:
  double weight_, common_part_, own_part_;
};

}  // namespace nowsim
