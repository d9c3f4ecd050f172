// The intervals of contributions; contributions brought to common entries, and what is linear in estimates; Fieller's
// quadratic; and arithmetic on values and on both ends of their intervals.
#include "sim/statistics/influence.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "sim/base/infinity.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {

/// Student's half-widths are stretched on the side of the long tail, where an estimate errs while its standard error is
/// too small, and otherwise on the other side. With an Edgeworth expansion's terms (Hall, The Bootstrap and Edgeworth
/// Expansion, 1992, 2.6 and 3.10.6): the skewness over sqrt(n) and its square, the kurtosis over n. An expansion's own
/// coefficients hold for the skewness of the law, which samples understate; these were chosen by the coverage of means
/// and standard deviations, their differences and their ratios (coverage.md).
Estimate contrast_interval(double value, std::span<const double> contributions, double freedom,
                           const Confidence& confidence) {
  if (!(freedom >= 1)) return {value, kNotKnown, kNotKnown};
  double second = 0, third = 0, fourth = 0;  // of as many entries as there are, whatever entries are grouped
  for (const double d : contributions) second += d * d, third += d * d * d, fourth += d * d * d * d;
  if (second == 0) return exactly(value);
  const double n = freedom + 1, t = student_quantile(static_cast<std::uint64_t>(freedom) + 1, confidence);
  const double h = t * std::sqrt(second * (1 + 1 / freedom)), skewness = third / (second * std::sqrt(second));
  const double x = normal_quantile(confidence.level) * std::abs(skewness);
  // Of a normal or gamma law about 0, of heavier tails above it; times 1/n.
  const double excess = fourth / (second * second) - 3 * (n - 1) / (n * (n + 1)) - 1.5 * skewness * skewness;
  const double both = 1 + 1 / n + 2.3 * excess, least = 0.5, most = 4;
  const double tail = std::clamp(both + 0.35 * x + 0.8 * x * x, 1.0, most) * h;
  const double other = std::clamp(both - 0.7 * x + 1.15 * x * x, least, most) * h;
  return third > 0 ? Estimate{value, value - other, value + tail} : Estimate{value, value - tail, value + other};
}

Estimate ratio_interval(double value, std::span<const double> of_logarithm, double freedom,
                        const Confidence& confidence) {
  const Estimate log = contrast_interval(0, of_logarithm, freedom, confidence);
  return log_interval(value, -log.low, log.high);
}

/// The r for which (a - r·b)² <= t²·Var(a - r·b), which is A·r² - 2·B·r + C <= 0.
Estimate fieller_interval(const RatioParts& p, double t) {
  const double value = p.numerator / p.denominator, t2 = t * t;
  const double a = p.denominator * p.denominator - t2 * p.of_denominator;
  const double b = p.numerator * p.denominator - t2 * p.covariance;
  const double c = p.numerator * p.numerator - t2 * p.of_numerator;
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return {value, kNotKnown, kNotKnown};
  if (a <= 0) return {value, -kInfinity, kInfinity};
  const double root = std::sqrt(std::max(0.0, b * b - a * c));
  return {value, std::min(value, (b - root) / a), std::max(value, (b + root) / a)};
}

// ---- contributions -------------------------------------------------------------------------------------------------

namespace {

std::size_t entries_of(std::uint64_t replications, std::uint64_t span) {
  return static_cast<std::size_t>((replications + span - 1) / span);
}

struct Contributed {
  double value = 0;
  std::vector<double> contributions;
};

void add(std::vector<double>& to, double factor, const std::vector<double>& more) {
  for (std::size_t k = 0; k < more.size(); ++k) to[k] += factor * more[k];
}

/// What moves the combination; null where nothing does, or of some term that was measured it is not known.
std::shared_ptr<const FitSteps> steps_of(std::span<const LinearTerm> terms) {
  std::shared_ptr<const FitSteps> sum;
  for (const auto& [coefficient, e] : terms) {
    if (!e->influence) continue;
    if (!e->influence->steps && e->influence->per_fit > 0) return nullptr;
    if (!e->influence->steps) continue;
    const FitSteps one = e->influence->steps->times(coefficient);
    sum = std::make_shared<const FitSteps>(sum ? sum->plus(one) : one);
  }
  return sum;
}

/// So few entries do not tell which of two combinations varies less.
constexpr std::size_t kLeastCommon = 20;

bool is_constant(const std::vector<double>& contributions) {
  return std::ranges::all_of(contributions, [](double d) { return d == 0; });
}

/// The combination of what the estimates would be of the replications alone that all of them have: with the first m of N
/// an estimate is off by N/m times what these contribute. Nothing where all have as many, or too few in common.
std::optional<Contributed> of_common(std::span<const LinearTerm> terms, const JointContributions& joint,
                                     const Contributed& all) {
  std::size_t entries = all.contributions.size();
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (is_constant(joint.of_each[i])) continue;
    const std::uint64_t replications = terms[i].estimate->influence->replications;
    least = std::min(least, replications), most = std::max(most, replications);
    entries = std::min(entries, static_cast<std::size_t>(replications / joint.span));
  }
  if (entries < kLeastCommon || least >= most) return std::nullopt;
  const double common = static_cast<double>(entries * joint.span);
  Contributed out{all.value, std::vector<double>(all.contributions.size(), 0.0)};
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (is_constant(joint.of_each[i])) continue;
    const double times = terms[i].coefficient * static_cast<double>(terms[i].estimate->influence->replications) / common;
    double shift = 0;
    for (std::size_t k = 0; k < entries; ++k) shift += times * joint.of_each[i][k];
    for (std::size_t k = 0; k < entries; ++k) out.contributions[k] += times * joint.of_each[i][k];
    for (std::size_t k = 0; k < entries; ++k) out.contributions[k] -= shift / static_cast<double>(entries);
    out.value += shift;
  }
  return out;
}

/// The weighted mean of two of least variance: what moves all estimates alike cancels in the common replications alone,
/// and the rest still tells.
Contributed best_of(const Contributed& all, const Contributed& common) {
  double both = 0, squares = 0;
  for (std::size_t k = 0; k < all.contributions.size(); ++k) {
    const double apart = all.contributions[k] - common.contributions[k];
    both -= common.contributions[k] * apart;
    squares += apart * apart;
  }
  const double weight = squares > 0 ? std::clamp(both / squares, 0.0, 1.0) : 1;  // of all
  Contributed out{weight * all.value + (1 - weight) * common.value,
                  std::vector<double>(all.contributions.size(), 0.0)};
  add(out.contributions, weight, all.contributions);
  add(out.contributions, 1 - weight, common.contributions);
  return out;
}

}  // namespace

Influence of_contributions(const std::vector<double>& contributions, std::uint64_t span, std::uint64_t replications,
                           double freedom) {
  auto values = std::make_shared<std::vector<double>>(contributions);
  for (std::size_t k = 0; k < values->size(); ++k) {
    const std::uint64_t in_entry = std::min(span, replications - k * span);
    (*values)[k] *= static_cast<double>(replications) / static_cast<double>(in_entry);
  }
  return {std::move(values), span, replications, 0, 1, Influence::Of::linear, freedom};
}

std::vector<double> Influence::contributions(std::uint64_t in_entry) const {
  assert(is_linear() && in_entry % span == 0);
  std::vector<double> out(entries_of(replications, in_entry), 0.0);
  const double n = static_cast<double>(replications);
  const std::size_t entries = entries_of(replications, span), together = in_entry / span;
  for (std::size_t k = 0; k < entries; ++k) {
    const std::uint64_t in_value = std::min(span, replications - k * span);
    out[k / together] += factor * ((*values)[k] - centre) * (static_cast<double>(in_value) / n);
  }
  return out;
}

double Influence::freedom() const {
  const double most = static_cast<double>(entries_of(replications, span)) - 1;
  return most_freedom < 0 ? most : std::min(most, most_freedom);
}

Influence Influence::times(double by) const {
  assert(is_linear());
  Influence out = *this;
  out.factor *= by;
  out.of = Of::linear;
  if (steps) out.steps = std::make_shared<const FitSteps>(steps->times(by));
  return out;
}

Influence Influence::with_freedom(double most) const {
  Influence out = *this;
  out.most_freedom = std::min(most, freedom());
  return out;
}

Influence Influence::seeing(std::uint64_t replications_per_fit, FitPart part) const {
  Influence out = *this;
  out.per_fit = replications_per_fit;
  out.fit_part = part;
  return out;
}

std::vector<double> zeros_and_ones(const Influence& proportion) {
  if (proportion.span == 1) return *proportion.values;
  std::vector<double> out;
  for (const double share : *proportion.values) {
    const std::uint64_t in_entry = std::min(proportion.span, proportion.replications - out.size());
    const auto ones = static_cast<std::uint64_t>(std::llround(share * static_cast<double>(in_entry)));
    for (std::uint64_t k = 0; k < in_entry; ++k) out.push_back(k < ones ? 1 : 0);
  }
  return out;
}

Estimate with_influence(Estimate e, Influence influence) {
  e.influence = std::make_shared<const Influence>(std::move(influence));
  return e;
}

double common_products(std::span<const double> a, std::span<const double> b) {
  const auto common = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return std::inner_product(a.begin(), a.begin() + common, b.begin(), 0.0);
}

double JointContributions::covariance(std::size_t i, std::size_t j) const {
  return common_products(of_each[i], of_each[j]) * (1 + 1 / freedom);
}

JointContributions joint_contributions(std::span<const Estimate* const> estimates) {
  JointContributions out;
  out.freedom = kInfinity;
  for (const Estimate* e : estimates)
    if (e->influence) out.span = std::lcm(out.span, e->influence->span);
  for (const Estimate* e : estimates) {
    const std::vector<double>& d =
        out.of_each.emplace_back(e->influence ? e->influence->contributions(out.span) : std::vector<double>{});
    if (e->influence && !(d.size() > 1 && is_constant(d)))
      out.freedom = std::min({out.freedom, e->influence->freedom(), static_cast<double>(d.size()) - 1});
  }
  return out;
}

Estimate linear_combination(std::span<const LinearTerm> terms, double constant, const Confidence& confidence) {
  std::vector<const Estimate*> estimates;
  std::uint64_t replications = 0, per_fit = 0;
  FitPart part = FitPart::in_value;
  double value = constant;
  for (const auto& [coefficient, e] : terms) {
    estimates.push_back(e);
    value += coefficient * e->value;
    if (!e->influence) continue;
    replications = std::max(replications, e->influence->replications);
    per_fit = std::max(per_fit, e->influence->per_fit);
    if (e->influence->fit_part == FitPart::in_interval) part = FitPart::in_interval;
  }
  const JointContributions joint = joint_contributions(estimates);
  if (joint.freedom == kInfinity) return exactly(value);
  Contributed all{value, std::vector<double>(entries_of(replications, joint.span), 0.0)};
  for (std::size_t i = 0; i < terms.size(); ++i) add(all.contributions, terms[i].coefficient, joint.of_each[i]);
  if (const auto common = of_common(terms, joint, all)) all = best_of(all, *common);
  Influence influence = of_contributions(all.contributions, joint.span, replications, joint.freedom);
  influence.steps = steps_of(terms);
  return with_influence(contrast_interval(all.value, all.contributions, joint.freedom, confidence),
                        influence.seeing(per_fit, part));
}

Estimate paired_difference(const Estimate& a, const Estimate& b, const Confidence& confidence) {
  return linear_combination(std::array{LinearTerm{1, &a}, LinearTerm{-1, &b}}, 0, confidence);
}

Estimate paired_ratio(const Estimate& a, const Estimate& b, const Confidence& confidence) {
  const double of_all = a.value / b.value;
  const JointContributions joint = joint_contributions(std::array{&a, &b});
  if (joint.freedom == kInfinity) return exactly(of_all);
  const double t = joint.freedom >= 1
                       ? student_quantile(static_cast<std::uint64_t>(joint.freedom) + 1, confidence)
                       : kNotKnown;
  const double var_a = joint.covariance(0, 0), var_b = joint.covariance(1, 1);
  const Estimate linear =
      linear_combination(std::array{LinearTerm{1 / b.value, &a}, LinearTerm{-of_all / b.value, &b}}, of_all, confidence);
  const auto is_far_from_0 = [t](const Estimate& e, double variance) {
    return std::abs(e.value) > 2 * t * std::sqrt(variance);
  };
  const Estimate e =
      is_far_from_0(a, var_a) && is_far_from_0(b, var_b)
          ? ratio_interval(linear.value, linear.influence->times(1 / linear.value).contributions(joint.span),
                           joint.freedom, confidence)
          : fieller_interval({a.value, b.value, var_a, var_b, joint.covariance(0, 1)}, t);
  return {e.value, e.low, e.high, linear.influence};
}

// ---- arithmetic ----------------------------------------------------------------------------------------------------

namespace {

double mean_of(const JointMoments& m, std::span<const double> factor) {
  double sum = 0;
  for (std::size_t i = 0; i < factor.size(); ++i)
    if (factor[i] != 0) sum += factor[i] * m.mean(i);
  return m.count() == 0 ? kNotKnown : sum;
}

double half_width(const JointMoments& m, std::span<const double> factor, const Confidence& confidence) {
  double variance = 0;
  for (std::size_t i = 0; i < factor.size(); ++i)
    for (std::size_t j = 0; j < factor.size(); ++j)
      if (factor[i] != 0 && factor[j] != 0) variance += factor[i] * factor[j] * m.covariance(i, j);
  if (variance < 0) variance = 0;  // by rounding; NaN stays
  return student_quantile(m.count(), confidence) * std::sqrt(variance / static_cast<double>(m.count()));
}

/// Of the mean of the variables' sum with these factors, whose mean is known, times `times`.
Estimate with_sum_influence(const JointMoments& m, Estimate e, std::span<const double> factor, double mean, double times) {
  if (!m.has_all_observed()) return e;
  const Observations& o = m.observed();
  Influence influence{o.combined(factor), o.span(), o.replications(), mean};
  influence.steps = o.steps(factor);
  return with_influence(std::move(e), influence.times(times));
}

/// The same estimate on another scale, whose derivative at its value this is.
Estimate on_scale(Estimate to, const Estimate& from, double derivative) {
  if (from.influence && from.influence->is_linear()) return with_influence(std::move(to), from.influence->times(derivative));
  return to;
}

}  // namespace

Estimate combined_mean(const JointMoments& m, std::span<const double> factor, const Confidence& confidence) {
  const double value = mean_of(m, factor), h = half_width(m, factor, confidence);
  return with_sum_influence(m, {value, value - h, value + h}, factor, value, 1);
}

Estimate combined_ratio(const JointMoments& m, std::span<const double> numerator, std::span<const double> denominator,
                        const Confidence& confidence) {
  const double bottom = mean_of(m, denominator), value = mean_of(m, numerator) / bottom;
  std::vector<double> residual(m.variables(), 0.0);
  for (std::size_t i = 0; i < numerator.size(); ++i) residual[i] += numerator[i];
  for (std::size_t i = 0; i < denominator.size(); ++i) residual[i] -= value * denominator[i];
  const double h = half_width(m, residual, confidence) / std::abs(bottom);
  return with_sum_influence(m, {value, value - h, value + h}, residual, 0, 1 / bottom);
}

Estimate over_mean(double amount, const Estimate& mean) {
  return on_scale(ratio_of_intervals(exactly(amount), mean), mean, -amount / (mean.value * mean.value));
}

Estimate divided(const Estimate& e, double by) {
  const double a = e.low / by, b = e.high / by;
  return on_scale({e.value / by, by < 0 ? b : a, by < 0 ? a : b}, e, 1 / by);
}

Estimate minus(const Estimate& e, double amount) {
  return on_scale({e.value - amount, e.low - amount, e.high - amount}, e, 1);
}

Estimate settled(const Estimate& e, double size) {
  const double least = kRoundingShare * size;
  if (!(std::abs(e.value) <= least) || std::abs(e.low) > least || std::abs(e.high) > least) return e;
  return std::isnan(e.low) ? Estimate{0, e.low, e.high} : exactly(0);
}

Estimate ratio_estimate(const EstimateAt& numerator, const EstimateAt& denominator, const Confidence& confidence) {
  const Estimate top = numerator(confidence), bottom = denominator(confidence);
  if (can_be_paired(top) && can_be_paired(bottom)) return paired_ratio(top, bottom, confidence);
  const Confidence each = confidence_of_each_of_two(confidence);
  return ratio_of_intervals(numerator(each), denominator(each));
}

Estimate ratio_estimate(const Sample& numerator, const Sample& denominator, const Confidence& confidence) {
  return ratio_estimate([&](const Confidence& level) { return mean_estimate(numerator, level); },
                        [&](const Confidence& level) { return mean_estimate(denominator, level); }, confidence);
}

}  // namespace nowsim
