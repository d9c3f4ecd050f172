// Looking for a split in all that machines could do in the job's time, not near one place alone; and bounds of how far
// it may be from the best, that hold whatever a search has found.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/splitting/completion_time_model.hpp"
#include "sim/splitting/split_search.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {

/// Each machine's times with shares from next to nothing up to a most: what a CompletionTimeModel tells of splits that
/// have nothing in common. Machines do not wait for one another, so that a run tells of a share of each at once,
/// whatever their sum is.
struct WideCurves {
  CompletionTimeModel curves;
  /// The split with which each machine alone has the same objective. Of all splits the largest of the machines'
  /// objectives, none of which falls as its share grows, is least there. Empty where no split like it can be run.
  std::vector<double> levelled_flop = {};
};

/// Runs some shares of every machine up to these, and some splits that level them. Nothing where machines wait for one
/// another after all, the program cannot be run so, or curves of so many machines are not held in memory.
std::optional<WideCurves> wide_curves(Pilot& pilot, const Batch& sample, std::span<const double> most_flop,
                                      const SmoothObjective& smooth, double work_flop);

/// The best split by curves that is found from any of these downhill, and by moving the work of two machines between
/// them.
std::vector<double> best_from(std::span<const std::vector<double>> starts, const CompletionTimeModel& curves,
                              const SmoothObjective& smooth, const SearchSpace& space);

/// The larger, by its confidence end, of two lower bounds of what any split comes to, and how far the split is above
/// it.
/// 1. Replication by replication T is no less than the moment at which all machines together have done the work, at
///    full speed and as far as owners leave them (times_together()). So the mean of that is no more than tau, its
///    quantiles no more than the quantiles of T, its share beyond the deadline no more than RF. Where owners feel the
///    task, or the program prescribes the machines' times, that moment is not known.
/// 2. Of machines that do not wait for one another, any other split gives some machine no less than `levelled` does,
///    and its T_i, which grows with its share, is part of T: so no split is below the least of the machines' own
///    objectives with these shares. That is largest where all of them are the same (WideCurves).
/// Where machines' times vary much, neither comes near the best split, and the gap does not close.
/// Intervals are one-sided, and hold for both bounds together. Nothing where neither bound is known.
/// @param levelled shares of their own; empty where machines wait for one another.
/// @param batch replications that neither split was chosen on.
std::optional<SplitBound> split_bound(Pilot& pilot, const SplitObjective& objective, std::span<const double> share_flop,
                                      std::span<const double> levelled, const Batch& batch, double confidence);

}  // namespace nowsim
