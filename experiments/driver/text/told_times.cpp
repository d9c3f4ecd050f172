// The range that goes furthest decides.
#include "experiments/driver/text/told_times.hpp"

#include <algorithm>
#include <cmath>

namespace nowsim {

void TimeRange::add(double seconds) {
  const double size_s = std::abs(seconds);
  if (!std::isfinite(size_s) || size_s == 0) return;
  least_s = std::min(least_s, size_s);
  most_s = std::max(most_s, size_s);
}

ColumnUnit unit_of_times(const TimeRange& times) {
  constexpr double kLongTime_s = 600;
  return times.least_s >= kLongTime_s ? column_unit(times.most_s) : column_unit(0);
}

std::vector<ColumnUnit> units_of_times(const std::vector<TimeRange>& together) {
  constexpr double kLeastShown = 0.1;  // of the unit
  std::vector<ColumnUnit> out;
  if (together.empty()) return out;
  const ColumnUnit common = unit_of_times(*std::ranges::max_element(together, {}, &TimeRange::most_s));
  for (const auto& times : together)
    out.push_back(times.least_s >= kLeastShown * common.seconds ? common : column_unit(0));
  return out;
}

}  // namespace nowsim
