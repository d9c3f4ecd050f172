// Moments as monitors and `date` write them: dates in a locale's order, hours with AM and PM, days that are not said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace nowsim {

/// "22:15:24", "22:15", or "10:15:24" with "PM" behind it.
struct MonitorTime {
  double of_day_s;
  bool is_12h;
  std::size_t words;  ///< that it takes
};
/// Of the words from `at` on; nothing where these are no time of day.
std::optional<MonitorTime> monitor_time(const std::vector<std::string>& words, std::size_t at = 0);

/// Stamps, as parse_stamp() reads them, of times of day in their order: after a time that is earlier by half a day and
/// more the next day begins. Without a date they are seconds since the first midnight.
class MonitorClock {
 public:
  /// The date of what follows: "2026-11-30", "11/30/2026", "11/30/26", "30.11.2026", "30/11/2026". Whether it is one.
  /// @throws InputError at that place for "26-11-30", which is of two years.
  bool set_date(const std::string& text, const Place& place);
  std::string stamp(const MonitorTime& time);
  [[nodiscard]] bool has_date() const { return has_date_; }
  /// How a date was read that can be two; "" where none can.
  [[nodiscard]] const std::string& assumption() const { return assumption_; }

 private:
  void settle_date(bool is_12h);

  std::string open_date_;  // whose order the first time of day tells
  bool has_date_ = false;
  std::int64_t day_ = 0;  // since 1970, or since the first one
  std::optional<double> last_s_;
  std::string assumption_;
};

/// The stamp, as parse_stamp() reads it, of a line of `date` in English or German, `date -Is`, `date +%s` or the like:
/// "Mon Nov 30 22:15:24 UTC 2026", "Mon 30 Nov 2026 10:15:24 PM CET". Zones but UTC are not looked at. Nothing for what
/// is none.
std::optional<std::string> moment_of_date(std::string_view text);

}  // namespace nowsim
