// Steps to the curves' minimum, and looking closer.
#include "sim/splitting/curve_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/statistics/minimise.hpp"

namespace nowsim {
namespace {

// Distances in time scales.
constexpr double kFirstRadius = 2;                  ///< how far a step may go at first
constexpr double kFirstApart = 0.5, kLastApart = 0.1;     ///< splits that are run around one, to learn slopes
constexpr double kCloser = 0.2;                     ///< from the one to the other
constexpr double kRadiusOfSlopes = 4;               ///< how far slopes hold, in distances at which they were learnt

/// Runs two splits around one: every other machine has more and the rest less.
void learn_slopes(SplitTrials& trials, const SearchSpace& space, const std::vector<double>& around_flop, double by_s) {
  for (double way : {1.0, -1.0}) {
    auto shares = around_flop;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (!(shares[i] > 0)) continue;
      shares[i] += way * by_s * space.speed_flops[i];
      way = -way;
    }
    if (trials.curves()) trials.run(made_feasible(std::move(shares), sum_of(around_flop)));
  }
}

}  // namespace

double search_tolerance(const SplitTrials& trials) {
  const Estimate e = objective_estimate(trials.smooth().objective, trials.best().run.makespan_s, 0.95);
  const double half = e.half_width(), value = std::abs(trials.best().smooth);
  return std::max(1e-6 * value, 0.01 * (std::isfinite(half) ? half : 1e-3 * value));
}

double read_objective(const FinishCurves& curves, const SmoothObjective& smooth, std::span<const double> share_flop,
                      std::vector<double>* by_share) {
  CurvePoint point;
  curves.read(share_flop, point);
  if (by_share != nullptr) *by_share = curves.gradient(point, smooth.slopes(point.makespan_s));
  return smooth.value(point.makespan_s);
}

std::vector<double> best_by_curves(const FinishCurves& curves, const SmoothObjective& smooth,
                                   const TimeChanges& changes, double radius) {
  std::vector<double> by_share;
  const auto at = [&](std::span<const double> change, std::span<double> by_change) {
    const auto shares = changes.shares_at(change);
    if (by_change.empty()) return read_objective(curves, smooth, shares, nullptr);
    const double value = read_objective(curves, smooth, shares, &by_share);
    changes.chain(change, by_share, by_change);
    return value;
  };
  MinimiseSettings settings;
  settings.start.assign(changes.size(), 0.0);
  settings.least = changes.least();
  settings.smallest_step = 1e-4;
  settings.relative_tolerance = 1e-9;
  settings.evaluations = 300;
  return changes.shares_at(minimise_by_gradient(at, settings, radius));
}

std::optional<SearchEnd> search_by_curves(SplitTrials& trials, const SearchSpace& space, std::size_t evaluations) {
  const double scale_s = time_scale_s(space, trials.best().share_flop);
  const std::uint64_t end = trials.evaluations() + evaluations;
  double radius = kFirstRadius;
  for (double apart = kFirstApart; trials.curves(); apart *= kCloser, radius = std::max(radius, kRadiusOfSlopes * apart)) {
    if (trials.evaluations() + 2 > end) return SearchEnd::evaluations;
    auto centre = trials.best().share_flop;
    trials.refit();
    learn_slopes(trials, space, centre, apart * scale_s);
    while (trials.curves() && radius > kLastApart / kRadiusOfSlopes) {
      if (trials.evaluations() == end) return SearchEnd::evaluations;
      const FinishCurves& curves = *trials.curves();
      const double before = read_objective(curves, trials.smooth(), centre, nullptr);
      auto shares = best_by_curves(curves, trials.smooth(), TimeChanges(space, centre, scale_s), radius);
      const double promised = before - read_objective(curves, trials.smooth(), shares, nullptr);
      if (promised <= search_tolerance(trials)) break;
      const double kept = before - trials.run(shares);
      if (kept > 0) centre = std::move(shares);
      if (kept < 0.25 * promised) radius *= 0.5;
    }
    if (trials.curves() && apart <= kLastApart) return SearchEnd::converged;
  }
  return std::nullopt;
}

}  // namespace nowsim
