// Intervals of contrasts: of differences and ratios of estimates that saw the same replications.
#pragma once

#include <span>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// Half the width of the two-sided interval of an estimate to which independent entries contribute: estimate - truth is
/// about the sum of the contributions, which themselves add up to 0. Any linear contrast of estimates has such
/// contributions, those of its parts added entry by entry. NaN for fewer than two entries.
double contrast_half_width(std::span<const double> contributions, const Confidence& confidence);

/// Two estimates, their variances and their covariance.
struct RatioParts {
  double numerator = 0, denominator = 0;
  double of_numerator = 0, of_denominator = 0, covariance = 0;
};

/// numerator/denominator and all ratios r for which numerator - r·denominator is at most `t` standard errors from 0:
/// Fieller (J. Roy. Stat. Soc. B 16, 1954). Where the denominator is not apart from 0, these are no interval: the ratios
/// outside one (low > high: everything up to `high` and everything from `low` on), or all (both ends infinite). NaN ends
/// where a variance is not known.
Estimate fieller_interval(const RatioParts& parts, double t);

}  // namespace nowsim
