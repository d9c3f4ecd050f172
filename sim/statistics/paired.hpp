// Differences between two programs, splits or sets of machines that were run on the same random numbers.
#pragma once

#include <cstdint>
#include <span>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

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
