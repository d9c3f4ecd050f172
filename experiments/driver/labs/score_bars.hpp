// A trial's score beside what is scored against, as bars with intervals.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// What a bar is called, and how long it is.
using ScoreBars = std::vector<std::pair<std::string, Estimate>>;
/// An SVG picture that is part of a page and says in words what it shows; then the same as a table. `caption` is what
/// both are about, `value` heads the table's numbers.
std::string score_bars_html(const ScoreBars& bars, const std::string& caption, const std::string& value);

}  // namespace nowsim
