// Zones of the clock on the wall: from a local date and time to UTC and back, and when clocks are put forward or back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/tz_database.hpp"

namespace nowsim {

/// "Z", "+01:00", "+0100", "+01", "-05:30": local time less UTC [s]; nothing for what is no offset.
std::optional<int> parse_utc_offset(std::string_view text);
/// "+01:00", "-05:30"; of none "+00:00".
std::string utc_offset_text(int offset_s);

/// What a local date and time is in UTC: once, twice where clocks are put back over it, never where they are put forward.
struct LocalMoments {
  int count;
  /// Of the first and the second time, since 1970 [s]. Where there is none: what it were before and behind the change,
  /// so that `first` is as clocks would show it that had not been put forward.
  std::int64_t first_s, second_s;
};

/// Clocks are put forward, or back.
struct OffsetChange {
  std::int64_t utc_s;       ///< when, since 1970
  int from_s, to_s;         ///< local time less UTC, before and behind it
  /// "clocks are put back by 1 h at Sun 2026-10-25 03:00".
  [[nodiscard]] std::string text() const;
};

/// A zone of the tz database, or an offset that holds always. Immutable.
class TimeZone {
 public:
  /// UTC.
  TimeZone() = default;
  /// "Europe/Berlin", "UTC", or an offset, "+01:00". @throws InputError for what is none, naming the nearest.
  static TimeZone named(const std::string& name);
  /// The system's: that of the variable TZ, else /etc/localtime's; UTC where that names none of the database.
  static TimeZone of_system();

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Local time less UTC at a moment of UTC since 1970 [s].
  [[nodiscard]] int offset_s(std::int64_t utc_s) const;
  /// Seconds since 1970 by the clock on the wall.
  [[nodiscard]] double local_s(double utc_s) const;
  /// When a local date and time is, seconds since 1970 by the clock on the wall.
  [[nodiscard]] LocalMoments moments_at(std::int64_t local_s) const;
  /// The first change behind a moment that is not behind another.
  [[nodiscard]] std::optional<OffsetChange> next_change(std::int64_t after_s, std::int64_t until_s) const;

 private:
  std::string name_ = "UTC";
  int fixed_s_ = 0;
  const ZoneRules* rules_ = nullptr;  ///< null: the offset above
};

}  // namespace nowsim
