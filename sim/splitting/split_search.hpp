// Searching the split that is best on a sample of replications, by a model of every machine's times where there is one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/splitting/completion_time_model.hpp"
#include "sim/splitting/split_objective.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {

bool is_feasible(const Scenario& scenario, std::span<const double> share_flop);

/// Whether machines compute their shares without waiting for one another, by what the program says of itself, so that
/// curves of their times are learnt.
bool has_curves(const Scenario& scenario, std::uint64_t replications);

/// Splits tried on one sample of replications, and the best of them. Since all of them are on the same random numbers,
/// the best is never worse than any that was tried, and differences are far more certain than values.
class SplitTrials {
 public:
  SplitTrials(Pilot& pilot, const SplitObjective& objective, const Batch& sample);

  /// Runs a split; returns the smooth objective (split_objective.hpp). One that the program refuses counts as worst of
  /// all before; the first must not be.
  double run(std::span<const double> share_flop);
  /// Fits the smooth objective to the best split's sample.
  void refit();

  struct Best {
    std::vector<double> share_flop;
    PilotRun run;
    double value = 0;   ///< of the objective itself
    double smooth = 0;  ///< among equal values the one with the least smooth objective is the best
  };
  [[nodiscard]] const Best& best() const { return best_; }
  [[nodiscard]] const SmoothObjective& smooth() const { return smooth_; }
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }
  /// What all of them tell of every machine's times; nothing where machines wait for one another.
  [[nodiscard]] const std::optional<CompletionTimeModel>& curves() const { return curves_; }

 private:
  Pilot* pilot_;
  SmoothObjective smooth_;
  Batch sample_;
  Best best_;
  double worst_ = 0;  // of the smooth objective
  std::vector<double> worst_makespan_s_;
  std::uint64_t evaluations_ = 0;
  std::optional<CompletionTimeModel> curves_;
};

/// The most workstations for which a local search in all directions is done where there are no curves, and a gap is
/// bounded: beyond, its evaluations would take long, and what chance makes of the sample outweighs what they find.
inline constexpr std::size_t kMostForLocalSearch = 64;

/// Looks for the best split from the best that was tried: by curves (search_by_model()) where each machine's time
/// depends on its own share alone. Else in three ways, each from what the one before has found.
/// 1. Along the line on which every t_i + c·sigma_i is the same, from step (1) at c = 0 (`from`) over HL's step (2) at
///    about 1: one number whatever N is. Brent's method. Left out where all sigma_i are the same.
/// 2. Downhill: of a program whose tasks only meet at its end tau falls, as work moves, by the chance P_i that i is
///    last times its time; so that at the optimum P_i is in proportion to s_i. Times change by -(P_i/pi_i - 1), pi_i =
///    s_i/sum s, which keeps the work, downhill since sum P_i²/pi_i >= 1. Of other objectives replications have the
///    weights of the smooth objective's slopes. Where tasks meet earlier it may not be downhill, and ends at once.
/// 3. In all directions by minimise(), of up to kMostForLocalSearch machines.
/// @param evaluations how many splits may be run.
SearchEnd search_split(SplitTrials& trials, const SearchSpace& space, std::span<const double> from,
                       std::size_t evaluations);
/// By curves, or else the second and the third alone.
SearchEnd search_nearby(SplitTrials& trials, const SearchSpace& space, std::size_t evaluations);

/// The smooth objective of a split by curves; where `by_share` is wanted, its derivatives by every share [1/flop]: of T
/// in a replication that of the machine which is the last.
double read_objective(const CompletionTimeModel& curves, const SmoothObjective& smooth,
                      std::span<const double> share_flop, std::vector<double>* by_share = nullptr);

/// The best split by the curves around another, no machine's time changed by more than `radius` time scales.
std::vector<double> best_by_model(const CompletionTimeModel& curves, const SmoothObjective& smooth,
                                  const SplitCoordinates& changes, double radius);

/// What is not worth another run: a hundredth of half the objective's 95 % interval, of the best split tried.
double search_tolerance(const SplitTrials& trials);

/// Looks for the best split from the best that was tried: the curves' minimum is found by its gradient (thousands of
/// splits cost as much as one run), within a distance over which curves have kept their promises, and that split is run,
/// which makes the curves exact there. It ends where they promise less than a hundredth of half the objective's 95 %
/// interval; but first splits closer and closer around are run, so that slopes are those of the place. Some ten runs,
/// whatever the number of machines.
/// Nothing where machines wait for one another, so that there are no curves.
/// @param evaluations how many splits may be run.
std::optional<SearchEnd> search_by_model(SplitTrials& trials, const SearchSpace& space, std::size_t evaluations);

}  // namespace nowsim
