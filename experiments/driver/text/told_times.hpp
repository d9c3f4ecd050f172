// Which unit times that are read together are told in.
#pragma once

#include <vector>

#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {

/// The least and the greatest size of times that are told in one unit, such as down a column or along an axis.
struct TimeRange {
  double least_s = kInfinity, most_s = 0;
  /// 0 has no size, nor has what is not finite.
  void add(double seconds);
};

/// Seconds, unless every time is of ten minutes or more: then what column_unit() says of the greatest.
ColumnUnit unit_of_times(const TimeRange& times);

/// The units of ranges that are read beside each other, such as a table's columns or a figure's panels: of all that of
/// the range that goes furthest, but seconds of one with times so short that they would be less than a tenth of it.
std::vector<ColumnUnit> units_of_times(const std::vector<TimeRange>& together);

}  // namespace nowsim
