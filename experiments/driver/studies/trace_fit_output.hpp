// Fits of traces as an answer.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/driver/points/fitted_habits.hpp"
#include "experiments/driver/studies/answer.hpp"

namespace nowsim {

/// A row per trace, one at the least; below a table what a reader should know: gaps, laws that cannot hold a TH, traces
/// that are short beside their memory or too coarse for it, and day patterns. The picture: fits over their data.
Answer trace_fit_answer(std::vector<FittedHost> hosts, const HabitsAnswer& habits, double confidence);

/// More traces are not drawn.
inline constexpr std::size_t kMostFitRows = 8;
/// Fits of traces over their data, a row of three panels per trace: the series, the distribution of its values, its
/// autocorrelation.
std::string trace_fit_script(const std::vector<FittedHost>& hosts, PictureFormat format);

}  // namespace nowsim
