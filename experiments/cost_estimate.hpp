// A rough idea, beforehand, of how long replications take: from what an event, a rank and a batch cost.
#pragma once

#include <cstdint>

#include "experiments/study.hpp"

namespace nowsim {

/// How long a number of replications takes on one core [s].
double estimated_cost_s(const Scenario& scenario, Engine engine, std::uint64_t replications);
/// The same of a point with what it is compared with and the most replications.
double estimated_cost_s(const Point& point);

}  // namespace nowsim
