// Recovering spreads from intervals, and adding them up.
#include "experiments/driver/running/linear_combination.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/statistics/influence.hpp"
#include "sim/statistics/input_uncertainty.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

constexpr double kRoundingOfTerms = 1e-12;  // of the terms' sizes: differences below are rounding

double asymmetry(double below, double above) { return std::abs(above - below) / std::max(above + below, 1e-300); }

/// Whether an interval is more symmetric on the scale of logarithms, as those of standard deviations are.
bool is_logarithmic(const Estimate& e) {
  if (!(e.low > 0) || !std::isfinite(e.high) || !(e.high > e.low)) return false;
  return asymmetry(portable::log(e.value / e.low), portable::log(e.high / e.value)) <
         asymmetry(e.value - e.low, e.high - e.value);
}

double snapped(double x, double scale) { return std::abs(x) <= kRoundingOfTerms * scale ? 0 : x; }

}  // namespace

Estimate at_confidence(const Estimate& e, std::uint64_t observations, double given, double wanted) {
  if (e.low == e.high) return e;  // exact: no replications stand behind it
  const double factor =
      given == wanted ? 1.0 : student_quantile(observations, wanted) / student_quantile(observations, given);
  if (observations < 2 || std::isnan(factor)) return {e.value, std::nan(""), std::nan("")};
  if (factor == 1.0) return e;
  if (is_logarithmic(e))
    return {e.value, e.value * portable::pow(e.low / e.value, factor),
            e.value * portable::pow(e.high / e.value, factor)};
  return {e.value, e.value - factor * (e.value - e.low), e.value + factor * (e.high - e.value)};
}

LinearCombination& LinearCombination::add(double coefficient, const MeasuredPoint& point) {
  const auto known = std::find_if(terms_.begin(), terms_.end(), [&](const Term& t) { return t.point == &point; });
  if (known == terms_.end()) terms_.push_back({coefficient, &point});
  else known->coefficient += coefficient;
  std::erase_if(terms_, [](const Term& t) { return t.coefficient == 0; });
  return *this;
}

LinearCombination& LinearCombination::add(double constant) {
  constant_ += constant;
  return *this;
}

LinearCombination& LinearCombination::add(const LinearCombination& other) {
  for (const auto& [coefficient, point] : other.terms_) add(coefficient, *point);
  return add(other.constant_);
}

LinearCombination LinearCombination::times(double factor) const {
  LinearCombination out = *this;
  out.constant_ *= factor;
  for (auto& term : out.terms_) term.coefficient *= factor;
  return out;
}

/// Where it is c·(a - b) of two estimates whose difference has an interval of its own kind.
std::optional<Estimate> LinearCombination::of_two_alike(double confidence) const {
  if (terms_.size() != 2 || terms_[0].coefficient != -terms_[1].coefficient) return std::nullopt;
  const auto &a = terms_[0].point->estimate.influence, &b = terms_[1].point->estimate.influence;
  if (!a || !b || a->of != b->of || a->span != b->span) return std::nullopt;
  if (a->of == Influence::Of::linear) return std::nullopt;
  if (a->of == Influence::Of::proportion && a->replications != b->replications) return std::nullopt;
  if (!a->is_linear() && a->factor != b->factor) return std::nullopt;
  const double c = terms_[0].coefficient;
  const Estimate e = a->is_linear()
                         ? paired_late_difference(zeros_and_ones(*a), zeros_and_ones(*b), 0.5, confidence,
                                                  std::max(a->span, a->per_fit))
                         : paired_quantile_difference(*a->values, *b->values, a->factor, confidence,
                                                      std::max<std::uint64_t>(1, a->per_fit));
  return Estimate{constant_ + c * e.value, constant_ + std::min(c * e.low, c * e.high),
                  constant_ + std::max(c * e.low, c * e.high)};
}

/// By contributions, where they tell: all are known, and none is 0 throughout though its estimate has an interval, as
/// of a proportion that is 0 in the sample.
std::optional<Estimate> LinearCombination::paired(double confidence) const {
  std::vector<LinearTerm> terms;
  std::vector<const Estimate*> random;
  for (const auto& [coefficient, point] : terms_) {
    if (!can_be_paired(point->estimate)) return std::nullopt;
    terms.push_back({coefficient, &point->estimate});
    if (!is_exact(point->estimate)) random.push_back(&point->estimate);
  }
  if (random.size() < 2) return std::nullopt;  // its own interval keeps its shape
  const JointContributions joint = joint_contributions(random);
  for (std::size_t i = 0; i < random.size(); ++i)
    if (joint.covariance(i, i) == 0 && random[i]->low < random[i]->high) return std::nullopt;
  return combined_with_fits(linear_combination(terms, constant_, confidence), confidence);
}

Estimate LinearCombination::unpaired(double confidence) const {
  struct Side {
    double rising = 0, falling = 0;  // of the terms with positive and with negative coefficients
    [[nodiscard]] double distance() const { return portable::hypot(rising, falling); }
  } below, above;
  double value = constant_;
  for (const auto& [coefficient, point] : terms_) {
    const Estimate e = at_confidence(point->estimate, point->row->observations(), point->row->confidence, confidence);
    value += coefficient * e.value;
    if (coefficient > 0) {
      below.rising += coefficient * (e.value - e.low);
      above.rising += coefficient * (e.high - e.value);
    } else {
      below.falling -= coefficient * (e.high - e.value);
      above.falling -= coefficient * (e.value - e.low);
    }
  }
  return {value, value - below.distance(), value + above.distance()};
}

Pairing LinearCombination::pairing() const {
  constexpr double kAny = 0.95;
  if (!of_two_alike(kAny) && !paired(kAny)) return {};
  std::uint64_t span = 1;
  for (const auto& [coefficient, point] : terms_)
    if (point->estimate.influence) span = std::lcm(span, point->estimate.influence->span);
  return {span == 1 ? Pairing::By::replications : Pairing::By::groups, span};
}

Estimate LinearCombination::interval(double confidence) const {
  double scale = std::abs(constant_);
  for (const auto& [coefficient, point] : terms_) scale += std::abs(coefficient * point->estimate.value);
  const auto alike = of_two_alike(confidence), by_contributions = alike ? alike : paired(confidence);
  const Estimate e = by_contributions ? *by_contributions : unpaired(confidence);
  return {snapped(e.value, scale), snapped(e.low, scale), snapped(e.high, scale)};
}

LinearCombination difference(const MeasuredPoint& of, const MeasuredPoint& from) {
  return LinearCombination().add(1, of).add(-1, from);
}

}  // namespace nowsim
