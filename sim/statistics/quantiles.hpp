// Quantiles of replications, with intervals that hold whatever their law is.
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
/// @param unit successive replications that are not independent of one another: 2 for pairs. Their interval is that of
/// as many independent replications as would tell the share of values up to the quantile as well (Woodruff, JASA 47,
/// 1952, with the effective number of Korn & Graubard, Survey Methodology 24, 1998, as for proportions), never of more
/// than there are.
Estimate quantile_estimate(std::span<const double> values, double p, const Confidence& confidence,
                           std::size_t unit = 1);

}  // namespace nowsim
