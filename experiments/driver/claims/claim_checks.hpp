// The kinds of checks that claims are made of: each turns measured curves into a verdict with its numbers.
#pragma once

#include <span>

#include "experiments/driver/reading/check_kind.hpp"

namespace nowsim {

/// nowsim's own kinds of checks. What each asks for, y being the metric, x the axis `along`; every curve is the
/// points that differ in `along` only, and a claim holds if it does for all curves that `where` leaves:
/// - flat: y_i <= (1 + tolerance) y_j for all pairs of points of a curve.
/// - meet: the same; and points that agree in every metric to the last bit saw the same random numbers, and count as
///   equal without regard to their intervals.
/// - increasing: y_last > y_first, and every step y_(k+1) >= (1 - tolerance) y_k; without a tolerance every step rises.
/// - decreasing: the same for falling.
/// - linear: the least-squares line rises, and no point is off it by more than tolerance times its rise.
/// - proportional: the least-squares line through the origin rises, and no point is off it by more than tolerance of
///   the line (at x = 0: of the line at the smallest x > 0).
/// - grows_more: y_last - y_first is larger for every next value of `across`, over the x that both curves have.
/// - steeper: from where both axes begin, y rises by more up to the end of `along` than up to the end of `across`.
/// - peak_inside: some point between the first and the last is above both.
/// - falls_then_rises: some point between the first and the last is below both.
/// - minimum_between, maximum_between: the lowest (highest) point lies at least <= x <= most.
/// - minima_agree: the lowest point lies no further than `within` from that of the metric `other`, taken as it is.
/// - peak_at_minimum: the highest point lies no further than `within` from the lowest of the metric `other`.
/// - peaks_rise: the highest point is higher for every next value of `across`.
/// - values_between: more_than < y < less_than, everywhere.
/// - r_squared: least <= R² <= most, R² being the part of y's variance that the least-squares line explains, of curves of
///   at least three points and two different x; with `least` the line also has to rise: one that falls does not satisfy it.
/// - power_law: least <= exponent <= most, of the least-squares line of log y over log x; with above_first of
///   y - y_first over the points behind the first. By the delta method; y to be clearly above 0, else undecided.
/// - above: at every x that both have, the curve at across = higher has y >= (1 - tolerance) times that at
///   across = lower, and more than that at the last x; without a tolerance more at every x.
/// - cross: of the x that both have, at some the curve at across = higher is above that at across = lower, and at some
///   below it.
/// - ratio_between: at every x that both have, least <= y_higher/y_lower <= most.
/// - change_between: least <= (y_last - y_first)/y_first <= most.
/// - maximum_value_between: y <= most at all points, y >= least at one at the least.
///
/// With `over` x is another metric's value at the point, in place of that of `along`, whatever the words of `along`; it
/// is taken as it is, as if it had no error. A point without a value of it is missing.
///
/// Verdicts. A claim is a set of comparisons, most of them of a linear combination of estimates (Contrast), with 0.
/// - reproduced: every comparison is shown by its own interval at the claim's confidence. That all are shown at once
///   needs no correction: the claim is a conjunction (intersection-union test, Berger 1982).
/// - not reproduced: some comparison is contradicted by its interval at Bonferroni's confidence, 1 - (1 - c)/m for m
///   comparisons, so that a true claim is denied with a probability of at most 1 - c.
/// - undecided: neither, for want of replications. Also where points that count have failed or have no interval and the
///   others do not contradict, and where there is nothing to compare (too few points on a curve).
///
/// peak_inside and falls_then_rises: reproduced if the best of k inner points is beyond both ends at confidence
/// 1 - (1 - c)/k (it was chosen among k); not reproduced if on some of s curves every inner point is beyond the ends to
/// the wrong side, at 1 - (1 - c)/(2 s) (which end was chosen). cross: reproduced if of k differences the best and the
/// worst are beyond 0 at 1 - (1 - c)/k each; not reproduced if for some of s pairs of curves none is missing, and none
/// is beyond 0 on the one side, or on the other, at 1 - (1 - c)/(2 s).
/// minimum_between, maximum_between, minima_agree and peak_at_minimum: reproduced if the best of k points inside the
/// bounds is beyond all outside, at 1 - (1 - c)/k; not reproduced if on some of s curves the best of k outside is
/// beyond all inside, at 1 - (1 - c)/(k s). maximum_value_between: `least` is shown by the best of k points at
/// 1 - (1 - c)/k, and denied if none is missing and all are below it; ratio_between and change_between: undecided where
/// what they divide by is not clearly above 0. A change is not denied while points are missing. peaks_rise compares the
/// points with the highest estimates, which the best of k may seem to be by chance: it holds as far as their intervals
/// are narrow beside the differences between curves.
///
/// r_squared: linear combinations cannot tell how well a line fits, since near R² = 1 no small change of y changes R².
/// So its interval is that of an angle, see r_squared_interval().
///
/// The bounds least and most belong to what they bound, whatever the check: a value without error that is exactly on
/// one is within. Those of values_between, more_than and less_than, do not.
///
/// Infeasible points are left out, but for those that `solve:` found no size for: they count, and have no value.
/// Intervals of combinations are made as if the points were independent, and at large samples. Points of a sweep share
/// their random numbers. Over 120 seeds the estimates of pairs of points of Figs. 4 to 6, 9 and 11 were correlated from
/// about 0 to 0.98, none clearly below 0; so intervals of differences are too wide rather than too narrow, and an
/// undecided claim may be one that paired replications would decide.
std::span<const CheckKind> builtin_checks();

}  // namespace nowsim
