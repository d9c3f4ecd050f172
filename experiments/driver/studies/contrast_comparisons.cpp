// Differences and ratios of pairs at a joint level, and their hull over those that may be best.
#include "experiments/driver/studies/contrast_comparisons.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/statistics/influence.hpp"
#include "sim/statistics/input_uncertainty.hpp"
#include "sim/statistics/multiple_comparisons.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

constexpr double kHundred = 100;

/// Whether what replications contribute to it tells how it varies: not of a proportion that is 0 in the sample, say.
bool is_told_by_contributions(const Estimate& e) {
  if (is_exact(e)) return true;
  if (!can_be_paired(e)) return false;
  const auto contributions = e.influence->contributions(e.influence->span);
  return std::ranges::any_of(contributions, [](double d) { return d != 0; });
}

/// Whether both are of this kind, of which ratios have an interval of their own.
bool are_both(Influence::Of kind, const Estimate& a, const Estimate& b) {
  return a.influence && b.influence && a.influence->of == kind && b.influence->of == kind &&
         a.influence->span == b.influence->span;
}

Estimate ratio_of(const MeasuredPoint& a, const MeasuredPoint& b, double confidence) {
  const auto &of_a = a.estimate.influence, &of_b = b.estimate.influence;
  if (are_both(Influence::Of::proportion, a.estimate, b.estimate))
    return paired_late_ratio(zeros_and_ones(*of_a), zeros_and_ones(*of_b), 0.5, confidence,
                             std::max(of_a->span, of_a->per_fit));
  if (are_both(Influence::Of::quantile, a.estimate, b.estimate))
    return paired_quantile_ratio(*of_a->values, *of_b->values, of_a->factor, confidence,
                                 std::max<std::uint64_t>(1, of_a->per_fit));
  if (is_told_by_contributions(a.estimate) && is_told_by_contributions(b.estimate))
    return combined_with_fits(paired_ratio(a.estimate, b.estimate, confidence), confidence);
  const double each = confidence_of_each_of_two(confidence).level;
  const auto at = [&](const MeasuredPoint& p) {
    return at_confidence(p.estimate, p.row->observations(), p.row->confidence, each);
  };
  const Estimate over = at(a), under = at(b);
  if (over.low < 0) return {over.value / under.value, kNotKnown, kNotKnown};
  return ratio_of_intervals(over, under);
}

Estimate percent_of(const MeasuredPoint& a, const MeasuredPoint& b, double confidence) {
  if (!(b.estimate.value > 0)) return kUnknownEstimate;
  const Estimate r = ratio_of(a, b, confidence);
  return {kHundred * (r.value - 1), kHundred * (r.low - 1), kHundred * (r.high - 1)};
}

double bonferroni_of(std::size_t values, double confidence) {
  return 1 - (1 - confidence) / static_cast<double>(std::max<std::size_t>(2, values) - 1);
}

/// The level of each difference from one value, so that all hold together.
double level_of_each(std::span<const MeasuredPoint> values, std::size_t from, double confidence) {
  const double bonferroni = bonferroni_of(values.size(), confidence);
  std::vector<const Estimate*> estimates;
  for (const auto& value : values) estimates.push_back(&value.estimate);
  if (!std::ranges::all_of(values, is_told_by_contributions, &MeasuredPoint::estimate)) return bonferroni;
  std::vector<std::vector<double>> contributions = joint_contributions(estimates).of_each;
  const std::vector<double> other = std::move(contributions[from]);
  contributions.erase(contributions.begin() + static_cast<std::ptrdiff_t>(from));
  for (auto& of_one : contributions) {
    of_one.resize(std::max(of_one.size(), other.size()));
    for (std::size_t k = 0; k < other.size(); ++k) of_one[k] -= other[k];
  }
  return confidence_of_each(contributions, confidence);
}

bool is_surely_better(const Estimate& difference, Better better) {
  return better == Better::lower ? difference.high < 0 : difference.low > 0;
}

/// Nothing is better than the best.
double cut(double end, Better better) {
  if (std::isnan(end)) return end;
  return better == Better::lower ? std::max(0.0, end) : std::min(0.0, end);
}

/// Ends that are not known keep the hull's from being known.
void join(Estimate& hull, const Estimate& more, Better better) {
  const double low = cut(more.low, better), high = cut(more.high, better);
  hull.low = std::isnan(low) || low < hull.low ? low : hull.low;
  hull.high = std::isnan(high) || high > hull.high ? high : hull.high;
}

}  // namespace

Differences differences_from(std::span<const MeasuredPoint> values, std::size_t from, double confidence) {
  const double each = level_of_each(values, from, confidence);
  Differences out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.of.push_back(i == from ? exactly(0) : Contrast().add(1, values[i]).add(-1, values[from]).interval(each));
    out.percent.push_back(i == from ? exactly(0) : percent_of(values[i], values[from], each));
  }
  return out;
}

Differences differences_from_best(std::span<const MeasuredPoint> values, Better better, double confidence) {
  const auto by_value = [](const MeasuredPoint& p) { return p.estimate.value; };
  const auto best = better == Better::lower ? std::ranges::min_element(values, {}, by_value)
                                            : std::ranges::max_element(values, {}, by_value);
  const auto first = static_cast<std::size_t>(best - values.begin());
  Differences out = differences_from(values, first, confidence);
  for (auto* ends : {&out.of, &out.percent})
    for (auto& e : *ends) e.low = cut(e.low, better), e.high = cut(e.high, better);
  const double widest = bonferroni_of(values.size(), confidence);
  for (std::size_t b = 0; b < values.size(); ++b) {
    // The level of each is never above Bonferroni's: what differs at that differs at theirs, which take long to find.
    if (b == first || is_surely_better(Contrast().add(1, *best).add(-1, values[b]).interval(widest), better)) continue;
    const Differences from = differences_from(values, b, confidence);
    if (std::ranges::any_of(from.of, [&](const Estimate& e) { return is_surely_better(e, better); })) continue;
    for (std::size_t i = 0; i < values.size(); ++i) {
      join(out.of[i], from.of[i], better);
      join(out.percent[i], from.percent[i], better);
    }
  }
  return out;
}

}  // namespace nowsim
