// How much series that were recorded at the same time have in common.
#pragma once

#include <optional>
#include <vector>

#include "sim/owners/trace.hpp"

namespace nowsim {

/// The mean of the correlations of availability between all pairs of traces over the time that all were recorded; at most
/// some twenty thousand moments of it are looked at. None of fewer than two traces that vary, or where they share less
/// than kLeastShared of the shortest one's time, or nothing says so. Traces that do not vary do not count.
std::optional<double> mean_correlation(const std::vector<const Trace*>& traces);

}  // namespace nowsim
