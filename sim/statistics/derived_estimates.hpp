// Estimates that follow from another one by arithmetic with numbers that are known.
#pragma once

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// A known amount over a mean, such as work over a mean time.
Estimate over_mean(double amount, const Estimate& mean);
Estimate divided(const Estimate& e, double by);
Estimate minus(const Estimate& e, double amount);

/// A difference of quantities of this size that is nothing but rounding is 0; its ends stay where they are not known.
Estimate settled(const Estimate& difference, double size);

}  // namespace nowsim
