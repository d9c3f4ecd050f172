// Where the machines' time goes: metrics of the job's, the owners' and overhead's shares, and of owners' slowdown.
#pragma once

#include <span>

#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// The rows of the table of metrics.
std::span<const Metric> time_share_metrics();

}  // namespace nowsim
