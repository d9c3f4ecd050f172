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
/// @param zone by whose clock the picture is.
Answer trace_fit_answer(std::vector<FittedHost> hosts, const HabitsAnswer& habits, double confidence, const TimeZone& zone = {});

/// More traces without habits are not drawn.
inline constexpr std::size_t kMostFitRows = 8;
/// Fits of traces over their data. Habits by the clock (habits_script()); else a row of three panels per trace: the series,
/// by the clock where its stamps say days, the distribution of its values, its autocorrelation.
std::string trace_fit_script(const std::vector<FittedHost>& hosts, PictureFormat format, const TimeZone& zone = {});

}  // namespace nowsim
