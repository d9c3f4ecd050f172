// Times as people say them, 1 h 52 min, and the unit of many that are read together.
#pragma once

#include <string>
#include <vector>

#include "sim/base/infinity.hpp"

namespace nowsim {

/// Seconds to a unit and the next smaller one: "2 d 3 h", "1 h 52 min", "2 h", "3 min 20 s", "45.3 s"; below a second
/// as format_quantity. "no known time" for what is not finite.
std::string duration_text(double seconds);

/// The same of an estimate: from two years on in years.
std::string rough_duration(double seconds);

/// The unit for a column of times that goes up to this many seconds: values of three digits or so.
struct ColumnUnit {
  const char* name;
  double seconds;
};
ColumnUnit column_unit(double most_s);

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
