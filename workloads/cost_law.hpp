// The law that costs of tasks are drawn from, as a job's keys `law` and `cv` describe it.
#pragma once

#include <string>

#include "sim/distribution.hpp"
#include "workloads/parameters.hpp"

namespace nowsim {

/// The law of this mean > 0 [flop] that `law` names (constant, the default, uniform, normal, exponential), with the
/// coefficient of variation `cv` (0.3) where uniform or normal. Nothing it gives is negative: uniform holds cv up to
/// 1/sqrt(3), normal is truncated at 0 with mean and cv as they are after that.
/// @throws InputError where mean is 0, InfeasibleError where the law does not hold such a cv.
DistributionPtr read_cost_law(ParameterReader& read, const std::string& name_of_mean, double mean_flop);

}  // namespace nowsim
