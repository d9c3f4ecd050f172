// The beta law, which availability on 0..1 can have. (gamma() is declared in distribution.hpp.)
#pragma once

#include "sim/statistics/distribution.hpp"

namespace nowsim {

/// With this mean in (0, 1) and sd/mean in (0, sqrt((1 - mean)/mean)).
DistributionPtr beta(double mean, double th);

}  // namespace nowsim
