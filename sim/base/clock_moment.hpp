// A moment by the clock on the wall, as the start of a run is told by it.
#pragma once

#include <cstdint>
#include <optional>

namespace nowsim {

/// A time of day; of which day of the week, and of which date, where that is said.
struct ClockMoment {
  double of_day_s = 0;                     ///< since midnight
  std::optional<int> weekday = {};         ///< 0 for Monday
  std::optional<std::int64_t> day = {};    ///< of the date, days since 1970; the weekday then is its
  bool operator==(const ClockMoment&) const = default;
};

}  // namespace nowsim
