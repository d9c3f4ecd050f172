// What theory says of one point's parallel execution time, as metrics beside the simulated ones.
#pragma once

#include <span>

#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// The rows of the table of metrics.
std::span<const Metric> theory_metrics();

}  // namespace nowsim
