// Axes of time by the clock: tics at round hours of the day, and which day it is.
#pragma once

#include <cstddef>
#include <vector>

#include "experiments/driver/pictures/axes.hpp"
#include "sim/base/clock_text.hpp"

namespace nowsim {

/// A beginning by the clock, and whether its day is known, or the time of day alone.
struct AxisClock {
  WallClock clock;
  bool has_day = true;
};

/// Of a run that starts then: by the clock where its machines are, whatever zone that is.
AxisClock axis_clock(const ClockMoment& start);

/// Tics at round moments of the day, from least_s to most_s behind the beginning, at most so many, or one more; "20:00",
/// the first of each day with its name, "Sat 00:00", where it lasts beyond one; where tics are days, "Sat", beyond a week
/// "12-05".
/// @param unit_s of positions on the axis.
std::vector<AxisTic> clock_tics(const AxisClock& clock, double least_s, double most_s, double unit_s, std::size_t most);

/// "time of day, from Fri 2026-12-04 on (Europe/Berlin)", of an axis that begins so long behind the beginning.
std::string clock_label(const WallClock& clock, double least_s);

}  // namespace nowsim
