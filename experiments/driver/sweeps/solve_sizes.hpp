// From an experiment that solves for a size to one whose points have theirs: rounds of trials, each an ordinary execution plan.
#pragma once

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/run_context.hpp"

namespace nowsim {

class BatchStore;

/// Sizes whose trial would take longer on one core, roughly, or longer than the context has it, are not tried: without a
/// bound a range that goes up to 1e300, say, would never end [s].
inline constexpr double kMostTrial_s = 3600;

/// The experiment with every point at the size that was found for it, which is its ReadyPoint::solved. A point that has
/// none is unsolved; one of which a trial fails is failed; both cost only themselves. Points stay in their
/// order. Remarks say where only a part of a range counted, and where the best lies at an end of it. Experiments that
/// solve for nothing are returned as they are. `store`: where trials are taken from and kept; may be null. @throws what
/// execute throws.
Experiment solve_sizes(Experiment experiment, BatchStore* store = nullptr, const RunContext& context = {});
/// The same with what a store has alone, of which nothing is written; points whose trials are not all there stay open.
/// Of points that stop by a precision none is settled: what they need is not known before.
Experiment recall_sizes(Experiment experiment, BatchStore& store);

/// A rehearsal of the searches: each trial with its first two replications alone, and none that would take longer in full
/// than so many seconds. `sees` is shown each round as it would be run in full; false gives up. Returns how many searches
/// came to their end.
std::size_t rehearse_sizes(Experiment experiment, double most_trial_s,
                           const std::function<bool(const Experiment& round)>& sees);

}  // namespace nowsim
