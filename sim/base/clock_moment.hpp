// A moment by the clock on the wall, as the start of a run is told by it.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace nowsim {

inline constexpr std::int64_t kSecondsOfDay = 86400;

/// A time of day; of which day of the week, of which date, and by whose clock, where that is said.
struct ClockMoment {
  double of_day_s = 0;                     ///< since midnight
  std::optional<int> weekday = {};         ///< 0 for Monday
  std::optional<std::int64_t> day = {};    ///< of the date, days since 1970; the weekday then is its
  std::string zone = {};                   ///< a zone's name or an offset; "": nobody says
  bool operator==(const ClockMoment&) const = default;
};

/// Of a date, days since 1970: 0 for Monday.
constexpr int weekday_of(std::int64_t day) {
  constexpr std::int64_t kFirst = 3;  // 1970 began on a Thursday
  return static_cast<int>(((day + kFirst) % 7 + 7) % 7);
}

/// At midnight of a date, days since 1970, or so much later.
inline ClockMoment moment_on(std::int64_t day, double of_day_s = 0) { return {of_day_s, weekday_of(day), day, {}}; }

/// Of a local date and time, seconds since 1970 by the clock on the wall.
inline ClockMoment moment_at(double local_s) {
  const double day = std::floor(local_s / static_cast<double>(kSecondsOfDay));
  return moment_on(static_cast<std::int64_t>(day), local_s - day * static_cast<double>(kSecondsOfDay));
}

}  // namespace nowsim
