// Estimates made of others: by arithmetic with known numbers, of means observed together, and of paired replications.
#pragma once

#include <cstddef>
#include <span>

#include "sim/statistics/joint_moments.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// A known amount over a mean, such as work over a mean time.
Estimate over_mean(double amount, const Estimate& mean);
Estimate divided(const Estimate& e, double by);
Estimate minus(const Estimate& e, double amount);

/// A difference of quantities of this size that is nothing but rounding is 0; its ends stay where they are not known.
Estimate settled(const Estimate& difference, double size);

/// The mean of sum_i factor[i]·x_i over the variables of `m` (missing factors are 0), Student's interval. NaN without
/// observations; where only means are known (JointMoments::of_means) the interval's ends are NaN.
Estimate combined_mean(const JointMoments& m, std::span<const double> factor, const Confidence& confidence);

/// The ratio of two such means by the delta method: with the variance of numerator - value·denominator, and Student's t
/// (Cochran, Sampling Techniques, 1977, 6.3). ratio_half_width() (sample.hpp) is the same for two variables, but sums in
/// another order: neither is made of the other, for the last bits of results that are stored.
Estimate combined_ratio(const JointMoments& m, std::span<const double> numerator, std::span<const double> denominator,
                        const Confidence& confidence);

/// mean(numerator)/mean(denominator) over the replications that both have, each list in their order; where they come in
/// units (pairs), of unit means. By the delta method with the paired differences numerator - ratio·denominator, and
/// Student's t (Cochran, Sampling Techniques, 1977, 6.3): as narrow as common random numbers make it. NaN where there
/// are no replications, NaN ends for fewer than two units.
Estimate paired_ratio_estimate(std::span<const double> numerator, std::span<const double> denominator, std::size_t unit,
                               const Confidence& confidence);

}  // namespace nowsim
