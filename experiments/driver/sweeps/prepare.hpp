// From an experiment as described to one whose points can be run: which splits and sizes take simulation, and finding them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {

/// Splits and sizes that are still to be found.
struct PendingSearches {
  std::size_t splits = 0;  ///< each once
  std::size_t sizes = 0;
  std::size_t trials = 0;  ///< the most for one of these sizes
  std::string sought;      ///< "job.size where E = 30 %"

  /// "3 to be found first, by simulation"; "" where there are none.
  [[nodiscard]] std::string splits_text() const;
  /// "60 to be found first, by simulation, each by at most 60 trials: job.size where E = 30 %"; "" where there are
  /// none.
  [[nodiscard]] std::string sizes_text() const;
};

PendingSearches pending_searches(const Experiment& experiment);

/// The splits that are still to be found, each once; points may share one.
std::vector<std::shared_ptr<const SplitTask>> open_splits(const Experiment& experiment);

/// The experiment with every point's final shares and, where they were found by simulation, its report. A point whose
/// split cannot be found is infeasible where the policy refuses, and else failed; it costs only itself.
/// Experiments without such points are returned as they are. `store`: where splits are taken from and kept, each committed
/// at once, since it cost seconds; may be null. @throws Interrupted; what the store throws.
Experiment resolve_splits(Experiment experiment, BatchStore* store, const RunContext& context = {});
/// The same with what a store has alone, of which nothing is written; other points stay open.
Experiment recall_splits(Experiment experiment, BatchStore& store);

/// What a task's answer is kept under.
std::string split_key(const SplitTask& task);

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

/// The experiment with its final splits, and its points at the sizes that were found; its remarks are those of these
/// searches. Points that would take longer than the context allows are left out. `store` may be null: nothing is kept.
/// @throws what resolve_splits and solve_sizes throw.
Experiment prepare(Experiment described, BatchStore* store = nullptr, const RunContext& context = {});

}  // namespace nowsim
