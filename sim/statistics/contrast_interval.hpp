// Intervals of contrasts: of differences and ratios of estimates that saw the same replications.
#pragma once

#include <span>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// The interval of an estimate to which independent entries contribute: estimate - truth is about the sum of the
/// contributions, which themselves add up to 0. Any linear contrast of estimates has such contributions, those of its
/// parts added entry by entry. Student's, its two
/// halves lengthened or shortened by the contributions' skewness and kurtosis (contrast_interval.cpp), so that it holds
/// for standard deviations as for means. NaN ends for less than one degree of freedom.
/// @param freedom degrees of freedom of the sum of squares: entries less 1, or of those of the least observed part.
Estimate contrast_interval(double value, std::span<const double> contributions, double freedom,
                           const Confidence& confidence);

/// The interval of a ratio, or of anything else that is not 0, from what entries contribute to its logarithm: of a/b what
/// they contribute to a, over a, less what they contribute to b, over b. Its ends have the value's sign.
Estimate ratio_interval(double value, std::span<const double> of_logarithm, double freedom,
                        const Confidence& confidence);

/// Two estimates, their variances and their covariance.
struct RatioParts {
  double numerator = 0, denominator = 0;
  double of_numerator = 0, of_denominator = 0, covariance = 0;
};

/// numerator/denominator and all ratios r for which numerator - r·denominator is at most `t` standard errors from 0:
/// Fieller (J. Roy. Stat. Soc. B 16, 1954). Both ends are infinite where the denominator is not apart from 0: then these
/// ratios are no interval. NaN ends where a variance is not known.
Estimate fieller_interval(const RatioParts& parts, double t);

}  // namespace nowsim
