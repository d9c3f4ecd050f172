// Estimates of linear combinations of jointly observed means, and of the ratio of two.
#pragma once

#include <span>

#include "sim/joint_moments.hpp"
#include "sim/statistics.hpp"

namespace nowsim {

/// The mean of sum_i factor[i]·x_i over the variables of `m` (missing factors are 0), Student's interval. NaN without
/// observations; where only means are known (JointMoments::of_means) the interval's ends are NaN.
Estimate combined_mean(const JointMoments& m, std::span<const double> factor, const Confidence& confidence);

/// The ratio of two such means by the delta method, as ratio_half_width() (sample.hpp) for two variables: with the
/// variance of numerator - value·denominator, and Student's t (Cochran, Sampling Techniques, 1977, 6.3).
Estimate combined_ratio(const JointMoments& m, std::span<const double> numerator, std::span<const double> denominator,
                        const Confidence& confidence);

}  // namespace nowsim
