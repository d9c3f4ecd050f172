// Fits of traces as an answer.
#pragma once

#include <vector>

#include "experiments/driver/points/fitted_owner.hpp"
#include "experiments/driver/studies/answer.hpp"

namespace nowsim {

/// A row per trace, one at the least; below a table what a reader should know: gaps, laws that cannot hold a TH, traces
/// that are short beside their memory or too coarse for it, and day patterns. The picture: fits over their data.
Answer trace_fit_answer(std::vector<FittedHost> hosts, double confidence);

}  // namespace nowsim
