// Estimates made of others: by arithmetic with known numbers, of means observed together, and of paired replications.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "sim/statistics/observations.hpp"
#include "sim/statistics/sample.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

Estimate over_mean(double amount, const Estimate& mean);
Estimate divided(const Estimate& e, double by);
Estimate minus(const Estimate& e, double amount);

/// A difference of quantities of this size that is nothing but rounding is 0; its ends stay where they are not known.
Estimate settled(const Estimate& difference, double size);

/// The mean of sum_i factor[i]·x_i over the variables of `m` (missing factors are 0), Student's interval. NaN without
/// observations; where only means are known (JointMoments::of_means) the interval's ends are NaN.
Estimate combined_mean(const JointMoments& m, std::span<const double> factor, const Confidence& confidence);

/// The ratio of two such means by the delta method: with the variance of numerator - value·denominator, and Student's t
/// (Cochran, Sampling Techniques, 1977, 6.3).
Estimate combined_ratio(const JointMoments& m, std::span<const double> numerator, std::span<const double> denominator,
                        const Confidence& confidence);

/// numerator/denominator of two estimates, each made at any confidence: paired_ratio() (influence.hpp) where both can be,
/// else from both intervals at a confidence at which they hold together, for any correlation.
using EstimateAt = std::function<Estimate(const Confidence&)>;
Estimate ratio_estimate(const EstimateAt& numerator, const EstimateAt& denominator, const Confidence& confidence);
Estimate ratio_estimate(const Sample& numerator, const Sample& denominator, const Confidence& confidence);

}  // namespace nowsim
