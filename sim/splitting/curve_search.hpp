// Searching a split by what a few runs tell of every machine's times, downhill along the gradient.
#pragma once

#include <optional>

#include "sim/splitting/split_search.hpp"

namespace nowsim {

/// The smooth objective of a split by curves; where `by_share` is wanted, its derivatives by every share [1/flop]: of T
/// in a replication that of the machine which is the last.
double read_objective(const FinishCurves& curves, const SmoothObjective& smooth, std::span<const double> share_flop,
                      std::vector<double>* by_share);

/// The best split by the curves around another, no machine's time changed by more than `radius` time scales.
std::vector<double> best_by_curves(const FinishCurves& curves, const SmoothObjective& smooth,
                                   const TimeChanges& changes, double radius);

/// What is not worth another run: a hundredth of half the objective's 95 % interval, of the best split tried.
double search_tolerance(const SplitTrials& trials);

/// Looks for the best split from the best that was tried: the curves' minimum is found by its gradient (thousands of
/// splits cost as much as one run), within a distance over which curves have kept their promises, and that split is run,
/// which makes the curves exact there. It ends where they promise less than a hundredth of half the objective's 95 %
/// interval; but first splits closer and closer around are run, so that slopes are those of the place. Some ten runs,
/// whatever the number of machines.
/// Nothing where machines wait for one another, so that there are no curves.
/// @param evaluations how many splits may be run.
std::optional<SearchEnd> search_by_curves(SplitTrials& trials, const SearchSpace& space, std::size_t evaluations);

}  // namespace nowsim
