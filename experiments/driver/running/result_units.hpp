// In which units a summary's tables tell its metrics.
#pragma once

#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/duration_text.hpp"

namespace nowsim {

/// The unit of each metric's columns: its own, of times the one that suits the columns together (units_of_times()). It
/// refers to the summary's metrics.
std::vector<ColumnUnit> metric_units(const ResultTable& summary);

}  // namespace nowsim
