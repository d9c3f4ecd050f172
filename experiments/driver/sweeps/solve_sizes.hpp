// From an experiment that solves for a size to one whose points have theirs: rounds of trials, each an ordinary execution plan.
#pragma once

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/sweeps/resolve_splits.hpp"

namespace nowsim {

class BatchStore;

/// How far it is.
struct SizeProgress {
  std::size_t round = 0;              ///< from 1 on
  std::size_t found = 0, wanted = 0;  ///< sizes; those of which is known that there are none count as found
  double share = 0;                   ///< of the whole search, from 0 to 1, roughly: how many rounds there will be is
                                      ///< not known where a size is narrowed down
  double simulated = 0;               ///< the share of the whole search that was simulated; the rest of `share` was
                                      ///< stored
};

struct SizeOptions : SearchOptions<SizeProgress> {
  double most_trial_s = 3600;  ///< sizes whose trial would take longer on one core, roughly, are not tried: without a
                               ///< bound a range that goes up to 1e300, say, would never end
};

/// The experiment with every point at the size that was found for it, which is its ReadyPoint::solved. A point that has
/// none is unsolved; one of which a trial fails is failed; both cost only themselves. Points stay in their
/// order. Remarks say where only a part of a range counted, and where the best lies at an end of it. Experiments that
/// solve for nothing are returned as they are. `store`: where trials are taken from and kept; may be null. @throws what
/// execute throws.
Experiment solve_sizes(Experiment experiment, BatchStore* store = nullptr, const SizeOptions& options = {});
/// The same with what a store has alone, of which nothing is written; points whose trials are not all there stay open.
/// Of points that stop by a precision none is settled: what they need is not known before.
Experiment recall_sizes(Experiment experiment, BatchStore& store);

/// A rehearsal of the searches: each trial with its first two replications alone, and none that would take longer in full
/// than so many seconds. `sees` is shown each round as it would be run in full; false gives up. Returns how many searches
/// came to their end.
std::size_t rehearse_sizes(Experiment experiment, double most_trial_s,
                           const std::function<bool(const Experiment& round)>& sees);

}  // namespace nowsim
