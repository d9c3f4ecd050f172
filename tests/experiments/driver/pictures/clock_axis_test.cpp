// Tics of axes by the clock: at round moments of the day, with the day's name where an axis goes over midnight.
#include "experiments/driver/pictures/clock_axis.hpp"

#include <catch2/catch.hpp>

using namespace nowsim;

namespace {

constexpr double kHour = 3600;
using Texts = std::vector<std::string>;

/// "at label" of each, in hours.
Texts tics(const AxisClock& axis, double least_h, double most_h, std::size_t most = 7) {
  Texts out;
  for (const AxisTic& tic : clock_tics(axis, least_h * kHour, most_h * kHour, kHour, most))
    out.push_back(std::to_string(tic.at).substr(0, 5) + " " + tic.label.text());
  return out;
}

/// Friday, 20:15, in Berlin.
AxisClock friday() { return {WallClock{1796411700, TimeZone::named("Europe/Berlin")}}; }

}  // namespace

TEST_CASE("Tics stand at round hours of the day", "[computes][picture][clock]") {
  CHECK(friday().clock.full_text() == "Fri 2026-12-04 20:15");
  CHECK(tics(friday(), 0, 3.5, 4) == Texts{"0.750 21:00", "1.750 22:00", "2.750 23:00"});
  CHECK(tics(friday(), 1, 13) == Texts{"1.750 Fri 22:00", "3.750 Sat 00:00", "5.750 02:00", "7.750 04:00", "9.750 06:00", "11.75 08:00"});
  CHECK(tics(friday(), 0, 0.1) == Texts{"0.000 20:15", "0.016 20:16", "0.033 20:17", "0.050 20:18", "0.066 20:19", "0.083 20:20", "0.100 20:21"});
}

TEST_CASE("Days have names, and beyond a week dates", "[picture][clock]") {
  CHECK(tics(friday(), 0, 30, 3) == Texts{"3.750 Sat 00:00", "15.75 12:00", "27.75 Sun 00:00"});
  CHECK(tics(friday(), 0, 90) == Texts{"3.750 Sat", "27.75 Sun", "51.75 Mon", "75.75 Tue"});
  CHECK(tics(friday(), 0, 6 * 24) == Texts{"3.750 Sat", "27.75 Sun", "51.75 Mon", "75.75 Tue", "99.75 Wed", "123.7 Thu"});
  CHECK(tics(friday(), 0, 12 * 24)[0] == "3.750 12-05");
}

TEST_CASE("A start of which the time of day alone is known has no days", "[picture][clock]") {
  const AxisClock evening = axis_clock({20 * kHour, {}, {}});
  CHECK(tics(evening, 0, 8) == Texts{"0.000 20:00", "2.000 22:00", "4.000 00:00", "6.000 02:00", "8.000 04:00"});
  CHECK(tics(axis_clock({20 * kHour, 4, {}}), 0, 6)[0] == "0.000 Fri 20:00");
  CHECK(clock_label(friday().clock, 4 * kHour) == "time of day, from Sat 2026-12-05 on (Europe/Berlin)");
}

TEST_CASE("Tics keep to the clock where it is put back", "[picture][clock]") {
  const AxisClock night{WallClock{1792864800, TimeZone::named("Europe/Berlin")}};
  CHECK(night.clock.full_text() == "Sat 2026-10-24 20:00");
  CHECK(tics(night, 0, 13) == Texts{"0.000 Sat 20:00", "2.000 22:00", "4.000 Sun 00:00", "6.000 02:00", "9.000 04:00", "11.00 06:00", "13.00 08:00"});
}
