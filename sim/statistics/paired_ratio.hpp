// The ratio of two means over the same replications, which share their random numbers.
#pragma once

#include <cstddef>
#include <span>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// mean(numerator)/mean(denominator) over the replications that both have, each list in their order; where they come in
/// units (pairs), of unit means. By the delta method with the paired differences numerator - ratio·denominator, and
/// Student's t (Cochran, Sampling Techniques, 1977, 6.3): as narrow as common random numbers make it. NaN where there
/// are no replications, NaN ends for fewer than two units.
Estimate paired_ratio_estimate(std::span<const double> numerator, std::span<const double> denominator, std::size_t unit,
                               const Confidence& confidence);

}  // namespace nowsim
