// Steps that divide a day, or are days.
#include "experiments/driver/pictures/clock_axis.hpp"

#include <algorithm>
#include <cmath>

namespace nowsim {
namespace {

constexpr double kDayOfAxis_s = static_cast<double>(kSecondsOfDay);
constexpr double kSteps_s[] = {1,    2,    5,     10,    15,    30,    60,           120,              300,             600,
                               900,  1800, 3600,  7200,  10800, 21600, 43200, kDayOfAxis_s, 2 * kDayOfAxis_s, 7 * kDayOfAxis_s,
                               28 * kDayOfAxis_s};

double step_for(double range_s, std::size_t most) {
  for (const double step_s : kSteps_s)
    if (range_s / step_s <= static_cast<double>(most)) return step_s;
  return kDayOfAxis_s * round_step(range_s / kDayOfAxis_s, static_cast<double>(most));
}

/// When the clock on the wall shows so many seconds since 1970; where clocks are put forward over it, never.
std::optional<double> moment_of_clock(const WallClock& clock, double local_s) {
  const LocalMoments found = clock.zone.moments_at(static_cast<std::int64_t>(local_s));
  return found.count == 0 ? std::nullopt : std::optional(static_cast<double>(found.first_s) - clock.start_s);
}

/// "Sat 2026-12-05 08:00:30" taken apart.
struct Told {
  std::string weekday, date, time;
};
Told told_at(const WallClock& clock, double elapsed_s) {
  const std::string iso = clock.iso(elapsed_s);  // 2026-12-05T08:00:00+01:00
  const std::string seconds = iso.substr(17, 2);
  return {clock.full_text(elapsed_s).substr(0, 3), iso.substr(5, 5), iso.substr(11, 5) + (seconds == "00" ? "" : ":" + seconds)};
}

}  // namespace

AxisClock axis_clock(const ClockMoment& start) {
  constexpr std::int64_t kSomeMonday = 4;  // 1970-01-05
  const std::int64_t day = start.day.value_or(kSomeMonday + start.weekday.value_or(0));
  return {{static_cast<double>(day) * kDayOfAxis_s + start.of_day_s, {}}, start.weekday.has_value()};
}

std::vector<AxisTic> clock_tics(const AxisClock& axis, double least_s, double most_s, double unit_s, std::size_t most) {
  const WallClock& clock = axis.clock;
  const double step_s = step_for(most_s - least_s, most);
  const bool is_of_days = step_s >= kDayOfAxis_s, is_beyond_week = most_s - least_s > 7 * kDayOfAxis_s;
  const auto day_of = [&](double elapsed_s) { return std::floor(clock.local_s(elapsed_s) / kDayOfAxis_s); };
  const bool is_over_midnight = day_of(most_s) > day_of(least_s);
  std::vector<AxisTic> tics;
  std::string last_day;
  for (double local_s = std::ceil(clock.local_s(least_s) / step_s) * step_s; local_s <= clock.local_s(most_s); local_s += step_s) {
    const auto at_s = moment_of_clock(clock, local_s);
    if (!at_s || *at_s < least_s || *at_s > most_s) continue;
    const Told told = told_at(clock, *at_s);
    const bool names_day = axis.has_day && is_over_midnight && told.date != last_day;
    last_day = told.date;
    const std::string day = is_of_days && is_beyond_week ? told.date : told.weekday;
    tics.push_back({*at_s / unit_s, is_of_days && axis.has_day ? day : (names_day ? day + " " : "") + told.time});
  }
  return tics;
}

std::string clock_label(const WallClock& clock, double least_s) {
  constexpr std::size_t kDay = 14;  // "Fri 2026-12-04"
  return "time of day, from " + clock.full_text(least_s).substr(0, kDay) + " on (" + clock.zone.name() + ")";
}

}  // namespace nowsim
