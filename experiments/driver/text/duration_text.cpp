// Cutting seconds into units; the range that goes furthest decides.
#include "experiments/driver/text/duration_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// A unit, and the next smaller one that is said after it.
struct Pair {
  const char* name;
  const char* less;
  std::int64_t seconds, less_seconds;
};
constexpr Pair kUnitPairs[] = {{"d", "h", 86400, 3600}, {"h", "min", 3600, 60}, {"min", "s", 60, 1}};
constexpr double kFirstDay_s = 2 * 86400;  // up to here hours

}  // namespace

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "no known time";
  if (seconds > 0 && seconds < 1) return format_quantity(seconds, Dimension::time);
  for (const auto& [name, less, unit, less_unit] : kUnitPairs) {
    if (unit == 86400 && seconds < kFirstDay_s) continue;
    const std::int64_t parts = std::llround(seconds / static_cast<double>(less_unit)), per = unit / less_unit;
    if (parts < per) continue;
    const std::string rest = parts % per == 0 ? "" : " " + std::to_string(parts % per) + " " + less;
    return std::to_string(parts / per) + " " + name + rest;
  }
  return short_number(std::round(seconds * 10) / 10) + " s";
}

std::string rough_duration(double seconds) {
  constexpr double kYear_s = 365.25 * 86400;
  return seconds < 2 * kYear_s ? duration_text(seconds) : short_number(std::round(seconds / kYear_s)) + " years";
}

ColumnUnit column_unit(double most_s) {
  if (!(most_s >= 600)) return {"s", 1};
  if (most_s < 12 * 3600.0) return {"min", 60};
  return most_s < 14 * 86400.0 ? ColumnUnit{"h", 3600} : ColumnUnit{"d", 86400};
}

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
