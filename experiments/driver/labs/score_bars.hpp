// A trial's score beside what is scored against, as bars with intervals.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// What a bar is called, and how long it is.
using ScoreBars = std::vector<std::pair<std::string, Estimate>>;
/// What stands around them: what they are about, the heads of the table's columns, and the unit of its numbers.
struct ScoreWords {
  std::string caption, whose, value, unit;
};
/// An SVG picture that is part of a page and says in words what it shows; then the same as a table.
std::string score_bars_html(const ScoreBars& bars, const ScoreWords& words);

}  // namespace nowsim
