// Fewer, longer intervals that do for a long job what many short ones do.
#pragma once

#include <optional>

#include "sim/owners/owner.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {

/// See coarsened().
inline constexpr double kCoarseningError = 1e-3;

struct CoarseIntervals {
  DistributionPtr value, length_s;
};

/// Of a job that computes for time_s and will have 500 intervals: uniform values on uniform lengths with the same mean and
/// variance in the long run. Nothing where uniform values cannot hold what is left of TH.
std::optional<CoarseIntervals> coarse_intervals(const IntervalModel& model, double time_s);

/// The same where it does no harm, of a job that has some thousand intervals of these laws.
///
/// What is left by a time t is a renewal-reward sum: its mean is a·t, its variance t·(a·TH)²·E[L²]/E[L] (Cox, Renewal
/// Theory, 1962, ch. 8), and T's mean has the term TH²·E[L²]/(2 E[L]) beside t: all of them functions of a and of
/// TH²·E[L²]/E[L], which uniform values on uniform lengths have as well. What differs is the third cumulant. By the first
/// term of Cornish & Fisher's expansion a skewness g moves the quantile at z normal standard deviations by (z² - 1)/6·g
/// standard deviations of T, which are t·TH·sqrt(E[L²]/(E[L]·t)). With n intervals g is |E[(A-a)³]|/sd³ ·
/// E[L³]/E[L²]^1.5 / sqrt(n). Nothing where that is more than kCoarseningError of t at z = 3.72, where one of a hundred
/// machines has to be for the last of them to be at its 99 %; where the moments of lengths are not told by some hundred of
/// their quantiles; or there are too few intervals for it to save anything.
std::optional<CoarseIntervals> harmless_coarse_intervals(const DistributionPtr& value, const Distribution& length_s, double time_s);

/// The same owner in fewer, longer intervals, for jobs that compute for so long on each machine: mean and variance of
/// what it leaves in the long run are the same, and a job's T_99 on up to a hundred machines is off by no
/// more than kCoarseningError of it, to first order. Null where that cannot be had, or saves nothing.
OwnerPtr coarsened(const Owner& owner, double time_s);

}  // namespace nowsim
