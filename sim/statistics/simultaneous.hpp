// Intervals of several contrasts that hold all together, and comparisons with the best of several estimates.
#pragma once

#include <span>
#include <vector>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// Per estimate, what the same independent entries contribute to it (contrast_interval.hpp); missing last ones are 0.
using Contributions = std::span<const std::vector<double>>;

/// The confidence that each of several two-sided intervals needs so that all hold together at `confidence`: from the
/// greatest of |sum_k g_k·d_k|/standard error over the estimates, g_k normal (Gaussian multiplier bootstrap:
/// Chernozhukov, Chetverikov & Kato, Ann. Stat. 41, 2013), whatever their correlation and their variances are. Never
/// more than Bonferroni's 1 - (1 - confidence)/K, which it is for more than 300. The draws are always the same, so many
/// that the joint confidence is right to 0.2 %.
double confidence_of_each(Contributions contributions, double confidence);

/// The intervals of all estimates, which hold together: contrast_interval() of each.
std::vector<Estimate> simultaneous_intervals(std::span<const double> values, Contributions contributions,
                                             double freedom, double confidence);

enum class Best { smallest, largest };

/// Of each estimate, by how much it differs from the best of the others, with Hsu's constrained intervals (Hsu,
/// Multiple Comparisons, 1996, 4.1; Edwards & Hsu, JASA 78, 1983, for unequal variances and correlated estimates), all
/// of which hold together: with Best::smallest one whose low end is 0 is not the best, one whose high end is 0 is, and
/// the others cannot be told. They need, for each that might be the best, one-sided bounds against all others which
/// hold together. At least two estimates.
std::vector<Estimate> comparisons_with_best(std::span<const double> values, Contributions contributions, double freedom,
                                            Best best, double confidence);

}  // namespace nowsim
