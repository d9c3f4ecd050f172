// One search per sample.
#include "sim/optimality_gap.hpp"

#include <cmath>

namespace nowsim {

OptimalityGap optimality_gap(Pilot& pilot, const SplitObjective& objective, const SearchSpace& space,
                             std::span<const double> share_flop, std::uint64_t samples, std::uint64_t count,
                             std::size_t evaluations, double confidence) {
  Moments gaps;
  for (std::uint64_t m = 0; m < samples; ++m) {
    SplitTrials trials(pilot, objective, {kGapReplications + m * count, count});
    trials.run(share_flop);
    const double value = trials.best().value;
    search_nearby(trials, space, evaluations);
    gaps.add(value - trials.best().value);
  }
  const double t = student_quantile(samples, 2 * confidence - 1);  // two-sided at that is one-sided at the confidence
  return {gaps.mean(), gaps.mean() + t * gaps.sd() / std::sqrt(static_cast<double>(samples))};
}

}  // namespace nowsim
