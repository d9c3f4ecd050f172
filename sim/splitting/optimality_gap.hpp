// How far a split may be from the best one: bounds that hold whatever a search has found.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/splitting/pilot.hpp"
#include "sim/splitting/split_report.hpp"

namespace nowsim {

/// The larger, by its confidence end, of two lower bounds of what any split comes to, and how far the split is above
/// it.
/// 1. Replication by replication T is no less than the moment at which all machines together have done the work, at
/// full
///    speed and as far as owners leave them (times_together()). So the mean of that is no more than tau, its quantiles
///    no more than the quantiles of T, its share beyond the deadline no more than RF. Where owners feel the task, or
///    the program prescribes the machines' times, that moment is not known.
/// 2. Of machines that do not wait for one another, any other split gives some machine no less than `levelled` does,
/// and
///    its T_i, which grows with its share, is part of T: so no split is below the least of the machines' own objectives
///    with these shares. That is largest where all of them are the same (WideCurves::levelled()).
/// Where machines' times vary much, neither comes near the best split, and the gap does not close.
/// Intervals are one-sided, and hold for both bounds together. Nothing where neither bound is known.
/// @param levelled shares of their own; empty where machines wait for one another.
/// @param batch replications that neither split was chosen on.
std::optional<SplitBound> split_bound(Pilot& pilot, const SplitObjective& objective, std::span<const double> share_flop,
                                      std::span<const double> levelled, const Batch& batch, double confidence);

}  // namespace nowsim
