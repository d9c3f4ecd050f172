// The standard normal's quantile function, and its one table.
#pragma once

#include <memory>

#include "sim/statistics/quantile_table.hpp"

namespace nowsim {

/// Exact, as a table is made of it.
TailQuantiles standard_normal_quantiles();
/// The one table of all normal laws.
const std::shared_ptr<const QuantileTable>& standard_normal_table();

}  // namespace nowsim
