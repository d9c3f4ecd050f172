// Estimates of linear combinations of jointly observed means, and of the ratio of two.
#pragma once

#include <span>

#include "sim/statistics/joint_moments.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// The mean of sum_i factor[i]·x_i over the variables of `m` (missing factors are 0), Student's interval. NaN without
/// observations; where only means are known (JointMoments::of_means) the interval's ends are NaN.
Estimate combined_mean(const JointMoments& m, std::span<const double> factor, const Confidence& confidence);

/// The ratio of two such means by the delta method: with the variance of numerator - value·denominator, and Student's t
/// (Cochran, Sampling Techniques, 1977, 6.3). ratio_half_width() (sample.hpp) is the same for two variables, but sums in
/// another order: neither is made of the other, for the last bits of results that are stored.
Estimate combined_ratio(const JointMoments& m, std::span<const double> numerator, std::span<const double> denominator,
                        const Confidence& confidence);

}  // namespace nowsim
