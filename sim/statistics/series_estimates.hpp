// Estimates from the values of replications themselves: quantiles, with intervals that hold whatever their law is, and
// differences between two programs, splits or sets of machines that were run on the same random numbers.
#pragma once

#include <cstdint>
#include <span>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// The place of the p-quantile among n sorted observations, from 1: ceil(n·p), where n·p may lie a rounding above a whole
/// number.
std::uint64_t quantile_rank(std::uint64_t n, double p);

/// Places in a sorted sample, from 1; low = 0 or high = n + 1 stand for no end.
struct QuantileRanks {
  std::uint64_t low = 0, high = 0;
};
/// Those of the order statistics that enclose the p-quantile of n independent observations, with at most half of
/// 1 - confidence beyond each end, for any law: the number of observations up to the quantile is binomial (David &
/// Nagaraja, Order Statistics, 2003, 7.1).
QuantileRanks quantile_ranks(std::uint64_t n, double p, double confidence);

/// The p-quantile inf{t: F_n(t) >= p} of positive values, 0 < p < 1, and its interval between order statistics. An end
/// that the sample is too small for is 0 or infinite: at 95 % it takes 368 replications to bound the 99 % quantile
/// from above. Values without any spread give an interval of width 0; none give NaN.
/// @param values in the order of replications.
/// @param unit successive replications that are not independent of one another: 2 for pairs; what is left behind the
/// last whole unit counts for the value alone. Their interval is that of
/// as many independent replications as would tell the share of values up to the quantile as well (Woodruff, JASA 47,
/// 1952, with the effective number of Korn & Graubard, Survey Methodology 24, 1998, as for proportions), never of more
/// than there are.
Estimate quantile_estimate(std::span<const double> values, double p, const Confidence& confidence,
                           std::size_t unit = 1);

/// The difference (ratio) of the p-quantiles of two series of values that saw the same random numbers, each in the order
/// of replications; of unequal numbers the common ones pair, and the rest counts. From how far each quantile may lie to
/// either side, and the correlation that "a is up to its quantile" has with "b is up to its": no density is needed, and
/// nothing is resampled (a paired percentile bootstrap tends to the same, but holds in 98 to 100 % at correlation 0.9 and
/// above). Where either quantile has no end: from both intervals at a confidence at which they hold together, for any
/// correlation. Of a series with itself exact.
Estimate paired_quantile_difference(std::span<const double> a, std::span<const double> b, double p,
                                    const Confidence& confidence, std::size_t unit = 1);
Estimate paired_quantile_ratio(std::span<const double> a, std::span<const double> b, double p,
                               const Confidence& confidence, std::size_t unit = 1);

/// The mean of a_k - b_k over the replications that both have, Student's interval of the differences: whatever the
/// correlation is. `unit` as for quantile_estimate(): differences of pairs count as one.
Estimate paired_difference(std::span<const double> a, std::span<const double> b, const Confidence& confidence,
                           std::size_t unit = 1);

/// P[a > t] - P[b > t], from the replications in which one of the two is late and the other is not, how many there are
/// being random too: Tango's score interval (Stat. Med. 17, 1998), which holds its level where few replications differ,
/// or all of them one way, and has width where none does. Units of several replications count as many independent ones
/// as would tell the difference as well.
Estimate paired_late_difference(std::span<const double> a, std::span<const double> b, double t,
                                const Confidence& confidence, std::size_t unit = 1);
/// P[a > t] / P[b > t]: from Wilson's intervals of both, at a level that makes their ratio hold (Bonett & Price, Stat.
/// Med. 25, 2006); of units never as if of more than there are. NaN within [0, infinity] where neither is ever late.
Estimate paired_late_ratio(std::span<const double> a, std::span<const double> b, double t, const Confidence& confidence,
                           std::size_t unit = 1);

/// Whether 0 lies outside the interval; not where there is none.
bool is_apart_from_zero(const Estimate& difference);

}  // namespace nowsim
