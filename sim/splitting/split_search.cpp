// A line, a descent, and a local search; and steps to the minimum of the machines' curves.
#include "sim/splitting/split_search.hpp"

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/statistics/roots_and_minima.hpp"

namespace nowsim {
namespace {

using Shares = std::vector<double>;

// ---- along a line ------------------------------------------------------------------------------------------------

void search_line(SplitTrials& trials, const SearchSpace& space, std::span<const double> from) {
  const double mean_sigma = mean_by_speed(space, space.sigma_s), work = sum_of(from);
  bool is_line = false;  // where all sigma_i are the same it is a point
  for (std::size_t i = 0; i < from.size(); ++i)
    is_line |= space.speed_flops[i] > 0 && std::abs(space.sigma_s[i] - mean_sigma) > 1e-9 * mean_sigma;
  if (!is_line) return;
  const auto at = [&](double c) {
    Shares shares(from.begin(), from.end());
    for (std::size_t i = 0; i < shares.size(); ++i)
      shares[i] += c * space.speed_flops[i] * (mean_sigma - space.sigma_s[i]);
    return trials.run(made_feasible(std::move(shares), work));
  };
  constexpr std::array kGrid{-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0};
  std::array<double, kGrid.size()> values{};
  for (std::size_t k = 0; k < kGrid.size(); ++k) values[k] = at(kGrid[k]);
  const auto least = static_cast<std::size_t>(std::ranges::min_element(values) - values.begin());
  const double low = kGrid[least > 0 ? least - 1 : 0], high = kGrid[std::min(least + 1, kGrid.size() - 1)];
  constexpr int kBits = 10;  // of c: finer is left to the searches behind it
  std::uintmax_t evaluations = 20;
  boost::math::tools::brent_find_minima(at, low, high, kBits, evaluations);
}

// ---- downhill ----------------------------------------------------------------------------------------------------

/// The chance that each is the last, replications weighted as the objective's slopes are; sums to 1.
std::vector<double> last_shares(const SplitTrials& trials, std::size_t n) {
  const PilotRun& run = trials.best().run;
  const auto slopes = trials.smooth().slopes(run.makespan_s);
  std::vector<double> last(n, 0.0);
  for (std::size_t k = 0; k < slopes.size(); ++k) last[run.last[k]] += slopes[k];
  const double sum = sum_of(last);
  if (sum > 0)
    for (double& p : last) p /= sum;
  return last;
}

void search_downhill(SplitTrials& trials, const SearchSpace& space, std::size_t evaluations) {
  const std::size_t n = space.speed_flops.size();
  const double all_speeds = sum_of(space.speed_flops);
  double step_s = 0.25 * time_scale_s(space, trials.best().share_flop);
  const double smallest_s = step_s / 32;
  while (evaluations > 0 && step_s > smallest_s) {
    const auto last = last_shares(trials, n);
    const Shares start = trials.best().share_flop;
    Shares shares = start;
    for (std::size_t i = 0; i < n; ++i)  // s_i·(P_i/pi_i - 1), for a machine without speed 0
      shares[i] -= step_s * (last[i] * all_speeds - space.speed_flops[i]);
    const double before = trials.best().smooth;
    const bool is_better = trials.run(made_feasible(std::move(shares), sum_of(start))) < before;
    step_s *= is_better && trials.best().share_flop != start ? 1.5 : 0.5;
    --evaluations;
  }
}

// ---- in all directions -------------------------------------------------------------------------------------------

SearchEnd search_locally(SplitTrials& trials, const SearchSpace& space, std::size_t evaluations) {
  const Shares start = trials.best().share_flop;
  const SplitCoordinates changes(space, start, time_scale_s(space, start));
  if (changes.size() + 1 > kMostForLocalSearch) return SearchEnd::too_many_workstations;
  MinimiseSettings settings;
  settings.start.assign(changes.size(), 0.0);
  settings.least = changes.least();
  settings.step = 0.25;
  settings.smallest_step = 5e-3;  // where sigma is 10 % of t: 0.05 % of a share, and tau is flat at its minimum
  settings.relative_tolerance = 1e-7;
  settings.evaluations = evaluations;
  const auto at = [&](std::span<const double> change) { return trials.run(changes.shares_at(change)); };
  const MinimiseEnd end = minimise(at, settings);
  return end == MinimiseEnd::evaluations ? SearchEnd::evaluations
         : end == MinimiseEnd::given_up  ? SearchEnd::given_up
                                         : SearchEnd::converged;
}

}  // namespace

bool is_feasible(const Scenario& scenario, std::span<const double> share_flop) {
  try {
    for (std::size_t i = 0; i < share_flop.size(); ++i)
      scenario.workload->program().check_share(rank_share(scenario, i, share_flop[i]));
    return true;
  } catch (const InfeasibleError&) {
    return false;
  }
}

bool has_curves(const Scenario& scenario, std::uint64_t replications) {
  const ProgramDescription& program = scenario.workload->program();
  return program.phases == 1 && !program.communicates && CompletionTimeModel::can_hold(scenario.size(), replications);
}

SplitTrials::SplitTrials(Pilot& pilot, const SplitObjective& objective, const Batch& sample)
    : pilot_(&pilot), smooth_{objective}, sample_(sample) {
  if (has_curves(pilot.scenario(), sample.count)) curves_.emplace(pilot.scenario().size(), sample.count);
}

double SplitTrials::run(std::span<const double> share_flop) {
  if (evaluations_ > 0 && !is_feasible(pilot_->scenario(), share_flop)) return worst_;
  const PilotRun& run = pilot_->run(share_flop, sample_, curves_.has_value());
  if (curves_ && !curves_->learn(share_flop, run)) curves_.reset();
  if (evaluations_++ == 0) smooth_ = SmoothObjective::near(smooth_.objective, run.makespan_s);
  const double value = objective_value(smooth_.objective, run.makespan_s), smooth = smooth_.value(run.makespan_s);
  if (evaluations_ == 1 || smooth > worst_) {
    worst_ = smooth;
    worst_makespan_s_ = run.makespan_s;
  }
  if (evaluations_ == 1 || std::pair(value, smooth) < std::pair(best_.value, best_.smooth))
    best_ = {{share_flop.begin(), share_flop.end()}, run, value, smooth};
  return smooth;
}

void SplitTrials::refit() {
  smooth_ = SmoothObjective::near(smooth_.objective, best_.run.makespan_s);
  best_.smooth = smooth_.value(best_.run.makespan_s);
  worst_ = std::max(best_.smooth, smooth_.value(worst_makespan_s_));
}

SearchEnd search_nearby(SplitTrials& trials, const SearchSpace& space, std::size_t evaluations) {
  const std::uint64_t before = trials.evaluations();
  if (const auto end = search_by_model(trials, space, evaluations)) return *end;
  trials.refit();
  search_downhill(trials, space, std::min<std::size_t>(40, evaluations));
  trials.refit();
  const std::size_t used = trials.evaluations() - before;
  return search_locally(trials, space, evaluations - std::min(evaluations, used));
}

SearchEnd search_split(SplitTrials& trials, const SearchSpace& space, std::span<const double> from,
                       std::size_t evaluations) {
  const std::uint64_t before = trials.evaluations();
  if (!trials.curves()) search_line(trials, space, from);
  const std::size_t used = trials.evaluations() - before;
  return search_nearby(trials, space, evaluations - std::min(evaluations, used));
}

// ---- by curves -----------------------------------------------------------------------------------------------------

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

double read_objective(const CompletionTimeModel& curves, const SmoothObjective& smooth,
                      std::span<const double> share_flop, std::vector<double>* by_share) {
  const CurvePoint point = curves.read(share_flop);
  if (by_share != nullptr) {
    by_share->assign(share_flop.size(), 0);
    const auto slopes = smooth.slopes(point.makespan_s);
    for (std::size_t k = 0; k < slopes.size(); ++k) (*by_share)[point.last[k]] += slopes[k] * point.slope_s[k];
  }
  return smooth.value(point.makespan_s);
}

std::vector<double> best_by_model(const CompletionTimeModel& curves, const SmoothObjective& smooth,
                                  const SplitCoordinates& changes, double radius) {
  std::vector<double> by_share;
  const auto at = [&](std::span<const double> change, std::span<double> by_change) {
    const auto shares = changes.shares_at(change);
    if (by_change.empty()) return read_objective(curves, smooth, shares);
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

std::optional<SearchEnd> search_by_model(SplitTrials& trials, const SearchSpace& space, std::size_t evaluations) {
  const double scale_s = time_scale_s(space, trials.best().share_flop);
  const std::uint64_t end = trials.evaluations() + evaluations;
  double radius = kFirstRadius;
  for (double apart = kFirstApart; trials.curves();
       apart *= kCloser, radius = std::max(radius, kRadiusOfSlopes * apart)) {
    if (trials.evaluations() + 2 > end) return SearchEnd::evaluations;
    auto centre = trials.best().share_flop;
    trials.refit();
    learn_slopes(trials, space, centre, apart * scale_s);
    while (trials.curves() && radius > kLastApart / kRadiusOfSlopes) {
      if (trials.evaluations() == end) return SearchEnd::evaluations;
      const CompletionTimeModel& curves = *trials.curves();
      const double before = read_objective(curves, trials.smooth(), centre);
      auto shares = best_by_model(curves, trials.smooth(), SplitCoordinates(space, centre, scale_s), radius);
      const double promised = before - read_objective(curves, trials.smooth(), shares);
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
