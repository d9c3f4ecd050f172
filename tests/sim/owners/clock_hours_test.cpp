// Tests of machines' hours by the clock: where they begin, what is unknown, and clocks that are put on.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/owners/habits_fit.hpp"

using namespace nowsim;

namespace {

LoadSeries series_of(std::initializer_list<double> values, double step_s) {
  LoadSeries series;
  for (const double value : values) series.add(step_s, value);
  return series;
}

}  // namespace

TEST_CASE("Hours by the clock are from midnight before the first day on; others are not known", "[computes][habits]") {
  constexpr double kTuesday_s = 8 * kDay_s;
  const LoadSeries early = series_of({1, 0.5, 0.5, 0.25}, 1800), late = series_of({0.75, 0.75}, 1800);
  const ClockHours hours = clock_hours({{&early, kTuesday_s + 8.5 * kHour_s, {}}, {&late, kTuesday_s + 23 * kHour_s, {}}});
  CHECK(hours.first_day == 8);
  CHECK(hours.days == 1);
  REQUIRE(hours.mean.size() == 2);
  REQUIRE(hours.mean[0].size() == kHoursOfDay);
  CHECK(std::isnan(hours.mean[0][7]));
  CHECK(hours.mean[0][8] == Approx(1));
  CHECK(hours.mean[0][9] == Approx(0.5));
  CHECK(hours.mean[0][10] == Approx(0.25));
  CHECK(std::isnan(hours.mean[0][11]));
  CHECK(std::isnan(hours.mean[1][22]));
  CHECK(hours.mean[1][23] == Approx(0.75));
}

TEST_CASE("Where clocks are put on, an hour of the clock is never", "[habits]") {
  const LoadSeries series = series_of({1, 0.5, 0.25}, 3600);
  const ClockHours hours = clock_hours({{&series, kHour_s, {{kHour_s, kHour_s}}}});
  CHECK(hours.mean[0][1] == Approx(1));
  CHECK(std::isnan(hours.mean[0][2]));
  CHECK(hours.mean[0][3] == Approx(0.5));
  CHECK(hours.mean[0][4] == Approx(0.25));
}
