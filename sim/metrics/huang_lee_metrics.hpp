// Huang & Lee's (2007) metrics of one point: times, risk, heterogeneity, and a split beside their step (1).
#pragma once

#include <span>

#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// The rows of the table of metrics, with quantiles of T and the speedup beside HL's own.
std::span<const Metric> huang_lee_metrics();

}  // namespace nowsim
