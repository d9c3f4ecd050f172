// Runs with shares of every size, level by level, and downhill from several places; the split and its bounds.
#include "sim/splitting/wide_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/program/computing_time.hpp"
#include "sim/splitting/split_search.hpp"
#include "sim/statistics/roots_and_minima.hpp"

namespace nowsim {
namespace {

using Shares = std::vector<double>;

/// More machines have too many pairs.
constexpr std::size_t kMostForPairs = 12;
constexpr int kPartsOfPair = 16, kRoundsOfPairs = 3;

Shares downhill(const Shares& from, const CompletionTimeModel& curves, const SmoothObjective& smooth,
                const SearchSpace& space) {
  const double scale_s = time_scale_s(space, from), whole_s = sum_of(from) / sum_of(space.speed_flops);
  return best_by_model(curves, smooth, SplitCoordinates(space, from, scale_s), 4 * whole_s / scale_s);
}

/// The work of each two machines as well divided between them as it can be. Returns whether that helped.
bool divide_pairs(Shares& shares, const CompletionTimeModel& curves, const SmoothObjective& smooth,
                  const SearchSpace& space) {
  double least = read_objective(curves, smooth, shares);
  const double before = least;
  for (std::size_t i = 0; i < shares.size(); ++i)
    for (std::size_t j = i + 1; j < shares.size(); ++j) {
      const double both = shares[i] + shares[j];
      if (!(both > 0) || !(space.speed_flops[i] > 0) || !(space.speed_flops[j] > 0)) continue;
      Shares moved = shares;
      for (int part = 0; part <= kPartsOfPair; ++part) {
        moved[i] = both * part / kPartsOfPair;
        moved[j] = both - moved[i];
        const double value = read_objective(curves, smooth, moved);
        if (!(value < least)) continue;
        least = value;
        shares = moved;
      }
    }
  return least < before;
}

constexpr std::size_t kShares = 16, kLevellings = 4;  // runs

/// A share, and the objective of its machine alone.
struct ShareValue {
  double share_flop, value;
};
using ShareValues = std::vector<std::vector<ShareValue>>;  // of each machine, ascending

/// Some shares of every machine up to these, whose values are not known yet. False where that cannot be.
bool learn_shares(Pilot& pilot, const Batch& sample, std::span<const double> most_flop, CompletionTimeModel& curves,
                  ShareValues& known) {
  try {
    for (std::size_t k = 1; k <= kShares; ++k) {
      Shares shares;
      for (const double most : most_flop)
        shares.push_back(most * static_cast<double>(k) / static_cast<double>(kShares));
      if (!is_feasible(pilot.scenario(), shares)) return false;
      if (!curves.learn(shares, pilot.run(shares, sample, true))) return false;
      for (std::size_t i = 0; i < shares.size(); ++i)
        if (shares[i] > 0) known[i].push_back({shares[i], 0});
    }
    return true;
  } catch (const InputError&) {
    return false;
  } catch (const RunError&) {
    return false;
  }
}

/// The shares with which each has that objective, along lines between those that are known.
Shares at_level(const ShareValues& known, double level) {
  Shares shares;
  for (const auto& values : known) {
    if (values.empty()) {
      shares.push_back(0);
      continue;
    }
    auto above = std::ranges::upper_bound(values, level, {}, &ShareValue::value);
    if (above == values.end()) --above;
    const ShareValue high = *above, low = above == values.begin() ? ShareValue{0, 0} : *std::prev(above);
    const double rise = high.value - low.value;
    shares.push_back(rise > 0 ? low.share_flop + (level - low.value) / rise * (high.share_flop - low.share_flop)
                              : high.share_flop);
  }
  return shares;
}

}  // namespace

std::optional<WideCurves> wide_curves(Pilot& pilot, const Batch& sample, std::span<const double> most_flop,
                                      const SmoothObjective& smooth, double work_flop) {
  const std::size_t n = most_flop.size();
  if (!CompletionTimeModel::can_hold(n, sample.count, kShares + kLevellings)) return {};
  WideCurves wide{CompletionTimeModel(n, sample.count, kShares + kLevellings)};
  ShareValues known(n);
  if (!learn_shares(pilot, sample, most_flop, wide.curves, known)) return {};
  const auto value_alone = [&](std::size_t i, double share_flop) {
    Shares alone(n, 0.0);
    alone[i] = share_flop;
    return read_objective(wide.curves, smooth, alone);
  };
  for (std::size_t i = 0; i < n; ++i)
    for (ShareValue& of_machine : known[i]) of_machine.value = value_alone(i, of_machine.share_flop);
  double most = -1;
  for (std::size_t k = 0; k < kLevellings; ++k) {
    const auto left_flop = [&](double level) { return work_flop - sum_of(at_level(known, level)); };
    double high = 0;
    for (const auto& values : known)
      if (!values.empty()) high = std::max(high, values.back().value);
    constexpr int kDoublings = 60;
    for (int d = 0; d < kDoublings && left_flop(high) > 0; ++d) high *= 2;
    Shares shares = made_feasible(at_level(known, falling_root(left_flop, 0, high)), work_flop);
    if (!is_feasible(pilot.scenario(), shares) || !wide.curves.learn(shares, pilot.run(shares, sample, true))) break;
    double least = kInfinity;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(shares[i] > 0)) continue;
      const ShareValue levelled{shares[i], value_alone(i, shares[i])};
      least = std::min(least, levelled.value);
      known[i].insert(std::ranges::upper_bound(known[i], levelled.share_flop, {}, &ShareValue::share_flop), levelled);
    }
    if (least > most) wide.levelled_flop = std::move(shares);
    most = std::max(most, least);
  }
  return wide;
}

std::vector<double> best_from(std::span<const std::vector<double>> starts, const CompletionTimeModel& curves,
                              const SmoothObjective& smooth, const SearchSpace& space) {
  Shares best;
  double least = kInfinity;
  const auto look_at = [&](Shares shares) {
    const double value = read_objective(curves, smooth, shares);
    if (best.empty() || value < least) best = std::move(shares);
    least = std::min(least, value);
  };
  for (const Shares& start : starts) {
    look_at(start);
    look_at(downhill(start, curves, smooth, space));
  }
  for (int round = 0; round < kRoundsOfPairs && best.size() <= kMostForPairs; ++round) {
    Shares divided = best;
    if (!divide_pairs(divided, curves, smooth, space)) break;
    look_at(divided);
    look_at(downhill(divided, curves, smooth, space));
  }
  return best;
}

// ---- bounds --------------------------------------------------------------------------------------------------------

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
std::optional<SplitBound> bound_together(Pilot& pilot, const SplitObjective& objective,
                                         const std::vector<double>& makespan_s, const Batch& batch, double confidence) {
  if (!can_be_followed(pilot.scenario())) return std::nullopt;
  constexpr double kRounding = 1e-9;
  const std::vector<double> together_s = times_together(pilot.scenario(), batch, &pilot.drawn_owners());
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
  const auto together = bound_together(pilot, objective, makespan_s, batch, confidence);
  auto bound = bound_levelled(pilot, objective, makespan_s, levelled, batch, confidence);
  if (!bound || (together && together->low >= bound->low)) bound = together;
  if (!bound) return std::nullopt;
  if (objective.kind == SplitObjective::Kind::risk)  // no gap is more than the risk itself
    bound->gap = std::min(bound->gap, objective_estimate(objective, makespan_s, confidence).high);
  bound->low = std::max(bound->low, 0.0);
  return bound;
}

}  // namespace nowsim
