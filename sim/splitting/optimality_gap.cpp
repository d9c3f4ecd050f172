// One search per sample.
#include "sim/splitting/optimality_gap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

/// What the samples have shown.
struct Shown {
  Moments gaps;
  Moments makespan_s;      ///< of the split in question
  bool has_moved = false;  ///< a search has found a better split
};

/// Clopper-Pearson, one-sided, of 0 in n.
double bound_of_none(std::uint64_t n, double confidence) {
  return -portable::expm1(portable::log1p(-confidence) / static_cast<double>(n));
}

double bound_of(const Shown& shown, const SplitObjective& objective, double confidence) {
  const bool is_risk = objective.kind == SplitObjective::Kind::risk;
  const double of_none = is_risk ? bound_of_none(shown.makespan_s.count(), confidence) : 0;
  if (is_risk && shown.makespan_s.max() <= objective.deadline_s) return of_none;  // a gap is at most the risk
  const double spread_s = shown.makespan_s.max() - shown.makespan_s.min();
  if (!shown.has_moved && spread_s > 1e-9 * shown.makespan_s.max()) return std::numeric_limits<double>::quiet_NaN();
  const std::uint64_t samples = shown.gaps.count();
  const double t = student_quantile(samples, 2 * confidence - 1);  // two-sided at that is one-sided at the confidence
  return std::max(of_none, shown.gaps.mean() + t * shown.gaps.sd() / std::sqrt(static_cast<double>(samples)));
}

}  // namespace

OptimalityGap optimality_gap(Pilot& pilot, const SplitObjective& objective, const SearchSpace& space,
                             std::span<const double> share_flop, std::uint64_t samples, std::uint64_t count,
                             std::size_t evaluations, double confidence) {
  Shown shown;
  for (std::uint64_t m = 0; m < samples; ++m) {
    SplitTrials trials(pilot, objective, {kGapReplications + m * count, count});
    trials.run(share_flop);
    for (const double t : trials.best().run.makespan_s) shown.makespan_s.add(t);
    const double value = trials.best().value;
    search_nearby(trials, space, evaluations);
    shown.gaps.add(value - trials.best().value);
    shown.has_moved = shown.has_moved || value > trials.best().value;
  }
  return {shown.gaps.mean(), bound_of(shown, objective, confidence)};
}

}  // namespace nowsim
