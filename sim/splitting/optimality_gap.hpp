// How far a split may be from the best one: a one-sided interval of its optimality gap.
#pragma once

#include "sim/splitting/pilot.hpp"
#include "sim/splitting/split_search.hpp"

namespace nowsim {

/// The gap's estimate and its upper bound, in the objective's unit.
struct OptimalityGap {
  double mean = 0;
  double bound = 0;  ///< the gap is at most this, with the confidence asked for; NaN: cannot be told
};

/// The multiple replications procedure (Mak, Morton & Wood, Oper. Res. Lett. 24, 1999): on each of several independent
/// samples the split's value, less that of the split that is best there. In the mean this is at least the gap, since
/// the minimum of a sample's mean is on average below the minimum of the mean; the bound is its one-sided
/// Student interval. It holds as far as the search finds minima, from this split, and is wide where samples are small.
/// Where no search finds anything else, on machines that are not without chance, there is no bound: it would be 0 for
/// certain. Of RF the bound is never less than that of a proportion of which no replication has shown any
/// (Clopper-Pearson), which is the bound where none is late.
/// Sample m is the replications from kGapReplications + m·count on.
/// @param samples at least 2; evaluations: per sample.
OptimalityGap optimality_gap(Pilot& pilot, const SplitObjective& objective, const SearchSpace& space,
                             std::span<const double> share_flop, std::uint64_t samples, std::uint64_t count,
                             std::size_t evaluations, double confidence);

}  // namespace nowsim
