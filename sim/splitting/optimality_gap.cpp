// The split and its bounds on the same replications.
#include "sim/splitting/optimality_gap.hpp"

#include <algorithm>
#include <cmath>

#include "sim/program/computing_time.hpp"
#include "sim/splitting/split_objective.hpp"

namespace nowsim {
namespace {

/// A bound by one sample: the objective of that, and how far the split is above it.
SplitBound bound_by(const SplitObjective& objective, std::span<const double> makespan_s,
                    std::span<const double> sample_s, SplitBound::By by, double confidence) {
  const Estimate above = paired_difference(objective, makespan_s, sample_s, confidence);
  return {by, objective_estimate(objective, sample_s, confidence).low, above.value, above.high};
}

bool can_be_followed(const Scenario& scenario) {
  const auto feels_task = [](const OwnerPtr& owner) { return owner->jobs() != nullptr; };
  const std::size_t first = first_worker(scenario);
  return std::ranges::none_of(scenario.owners, feels_task) &&
         !scenario.workload->program().own_time(rank_share(scenario, first, scenario.workload->program().work_flop));
}

/// Nothing of a program that computes less than its work.
std::optional<SplitBound> bound_together(const Scenario& scenario, const SplitObjective& objective,
                                         const std::vector<double>& makespan_s, const Batch& batch, double confidence) {
  if (!can_be_followed(scenario)) return std::nullopt;
  constexpr double kRounding = 1e-9;
  const std::vector<double> together_s = times_together(scenario, batch);
  for (std::size_t k = 0; k < together_s.size(); ++k)
    if (together_s[k] > makespan_s[k] * (1 + kRounding)) return std::nullopt;
  return bound_by(objective, makespan_s, together_s, SplitBound::By::together, confidence);
}

std::optional<SplitBound> bound_levelled(Pilot& pilot, const SplitObjective& objective,
                                         const std::vector<double>& makespan_s, std::span<const double> levelled,
                                         const Batch& batch, double confidence) {
  if (levelled.empty()) return std::nullopt;
  const std::vector<double> times_s = pilot.run(levelled, batch, true).times_s;
  const auto working = static_cast<double>(std::ranges::count_if(levelled, [](double share) { return share > 0; }));
  const double of_each = 1 - (1 - confidence) / working;
  std::optional<SplitBound> least;
  for (std::size_t i = 0; i < levelled.size(); ++i) {
    if (!(levelled[i] > 0)) continue;
    std::vector<double> own_s;
    for (std::size_t k = i; k < times_s.size(); k += levelled.size()) own_s.push_back(times_s[k]);
    const SplitBound own = bound_by(objective, makespan_s, own_s, SplitBound::By::levelled, of_each);
    if (!least) least = own;
    least->low = std::min(least->low, own.low);
    least->gap_mean = std::max(least->gap_mean, own.gap_mean);
    if (!(own.gap <= least->gap)) least->gap = own.gap;
  }
  return least;
}

}  // namespace

std::optional<SplitBound> split_bound(Pilot& pilot, const SplitObjective& objective, std::span<const double> share_flop,
                                      std::span<const double> levelled, const Batch& batch, double confidence) {
  const std::vector<double> makespan_s = pilot.run(share_flop, batch).makespan_s;
  // Two-sided intervals at the confidence are one-sided ones that two bounds share.
  const auto together = bound_together(pilot.scenario(), objective, makespan_s, batch, confidence);
  auto bound = bound_levelled(pilot, objective, makespan_s, levelled, batch, confidence);
  if (!bound || (together && together->low >= bound->low)) bound = together;
  if (!bound) return std::nullopt;
  if (objective.kind == SplitObjective::Kind::risk)  // no gap is more than the risk itself
    bound->gap = std::min(bound->gap, objective_estimate(objective, makespan_s, confidence).high);
  bound->low = std::max(bound->low, 0.0);
  return bound;
}

}  // namespace nowsim
