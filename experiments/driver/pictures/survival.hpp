// The empirical distribution of times as steps, and a deadline's line: what figures and plans draw alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nowsim {

/// From this time on so many replications take longer, until the next step.
struct SurvivalStep {
  double t_s;
  std::uint64_t longer;
};

/// The steps of the replications' times, in the order of time; of many those that can be seen: all near both ends, where
/// a log scale shows each, and elsewhere every 2000th part of them. None without times.
std::vector<SurvivalStep> survival_steps(std::vector<double> times_s);

/// gnuplot's lines that mark a deadline at x, the part of the axis from the left that lies before it deciding where its
/// words stand; they take the tags of an arrow and a label.
std::string deadline_mark(double deadline_s, const std::string& x, double part, int arrow, int label);

inline constexpr const char* kDeadlineColour = "#c03020";

}  // namespace nowsim
