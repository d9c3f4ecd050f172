// Cutting seconds into units.
#include "experiments/driver/text/duration_text.hpp"

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

}  // namespace nowsim
