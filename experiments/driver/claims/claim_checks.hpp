// nowsim's own kinds of checks, and what their verdicts mean.
#pragma once

#include <span>

#include "experiments/driver/reading/claims.hpp"

namespace nowsim {

/// In the files checks_*.cpp each says what it asks, y being the metric, x the axis `along`; every curve is the points
/// that differ in `along` only, and a claim holds if it does for all curves that `where` leaves.
///
/// With `over` x is another metric's value at the point, in place of that of `along`, whatever the words of `along`; it
/// is taken as it is, as if it had no error. A point without a value of it is missing.
///
/// A claim is a set of comparisons, most of them of a linear combination of estimates (running/linear_combination.hpp), with 0.
/// - reproduced: every comparison is shown by its own interval at the claim's confidence c. That all are shown at once
///   needs no correction: the claim is a conjunction (intersection-union test, Berger 1982).
/// - not reproduced: some comparison is contradicted by its interval at Bonferroni's confidence, 1 - (1 - c)/m for m
///   comparisons, so that a true claim is denied with a probability of at most 1 - c.
/// - undecided: neither, for want of replications. Also where points that count have failed or have no interval and the
///   others do not contradict, and where there is nothing to compare (too few points on a curve).
///
/// The bounds least and most belong to what they bound, whatever the check: a value without error that is exactly on
/// one is within.
///
/// Infeasible points are left out, but for those that `solve:` found no size for: they count, and have no value.
/// Intervals of combinations are made as if the points were independent, and at large samples. Points of a sweep share
/// their random numbers. Over 120 seeds the estimates of pairs of points of Figs. 4 to 6, 9 and 11 were correlated from
/// about 0 to 0.98, none clearly below 0; so intervals of differences are too wide rather than too narrow, and an
/// undecided claim may be one that paired replications would decide.
std::span<const CheckKind> builtin_checks();

}  // namespace nowsim
