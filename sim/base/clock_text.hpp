// Moments by the clock as people write them, "18:00", "fri 20:00", "2026-12-01 18:00", and as they are told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/clock_moment.hpp"
#include "sim/base/time_zone.hpp"

namespace nowsim {

/// What a text says of a moment.
struct ClockText {
  enum class Day { open, weekday, from_today, date };
  Day day = Day::open;
  std::int64_t number = 0;  ///< 0 for Monday; days from today; days since 1970
  std::optional<double> of_day_s = {};  ///< since midnight; nothing: now
  std::string zone = {};                ///< as it stands behind, a zone's name or an offset; "": none does
};

/// Whether a text is about the clock, though it may be wrong: it has a colon, or begins with a day or a date, or is "now".
bool is_about_clock(std::string_view text);

/// "18:00", "18:00:30", "Fri 20:00", "today 18:00", "tomorrow 8:00", "yesterday 18:00", "2026-12-01 18:00", with 'T' too,
/// each perhaps with a zone behind it ("Europe/Berlin", "+01:00", "Z"), or "now". Days in full or by three letters at
/// least, whatever their case. @throws InputError, a sentence that begins with the text, for what is none.
ClockText read_clock_text(std::string_view text);

/// The moment that does not depend on when it is asked for: of a text with neither now nor a day from today. @throws InputError, likewise, for others; for a zone that is none.
ClockMoment lasting_moment(const ClockText& said, std::string_view text);

/// As it can be read again: "18:00", "Mon 18:00", "2026-12-01 18:00 Europe/Berlin".
std::string clock_moment_text(const ClockMoment& moment);

/// Around when a moment by the clock is meant, in UTC since 1970 [s].
struct ClockContext {
  double now_s;         ///< "now", and which day is today
  TimeZone zone = {};   ///< where the text names none
  double from_s;        ///< where the day is open: the first such moment that is not before this
};
/// Which moment is meant, in UTC since 1970 [s]. In an hour over which clocks are put back the first one.
/// @throws InputError, a sentence that begins with the text, for a moment over which clocks are put forward.
double moment_of(const ClockText& said, std::string_view text, const ClockContext& context);
/// The same of a moment that was: where the day is open, the last such moment that is not behind `from_s`.
double moment_before(const ClockText& said, std::string_view text, const ClockContext& context);

/// A beginning by the clock of some place, from which seconds are told as moments there.
struct WallClock {
  double start_s = 0;  ///< UTC since 1970
  TimeZone zone = {};

  /// "Sat 08:00"; a week and more from the beginning with the date, "Sat 2026-12-12 08:00".
  [[nodiscard]] std::string text(double elapsed_s) const;
  /// "Fri 2026-12-04 20:00".
  [[nodiscard]] std::string full_text(double elapsed_s = 0) const;
  /// "2026-12-05T08:00:00+01:00".
  [[nodiscard]] std::string iso(double elapsed_s = 0) const;
  /// The clock on the wall, seconds since 1970.
  [[nodiscard]] double local_s(double elapsed_s) const { return zone.local_s(start_s + elapsed_s); }
  /// The beginning for owners that go by the clock.
  [[nodiscard]] ClockMoment moment() const;
  /// That clocks are put forward or back within so many seconds; "" where they are not.
  [[nodiscard]] std::string change_text(double elapsed_s) const;
};

/// Of this machine, UTC since 1970 [s].
double clock_now_s();

}  // namespace nowsim
