// Moments by the clock as people write them, the one that is meant from a moment on, and how moments are told.
#include "sim/base/clock_text.hpp"

#include <catch2/catch.hpp>

#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const TimeZone kBerlin = TimeZone::named("Europe/Berlin");
constexpr double kHour = 3600;

/// Monday, 2026-11-30, 17:50 in Berlin.
const double kNow_s = 1796057400;

ClockContext from(double from_s, const TimeZone& zone = kBerlin) { return {kNow_s, zone, from_s}; }

/// As it is told there.
std::string meant(const std::string& text, double from_s = kNow_s) {
  return WallClock{moment_of(read_clock_text(text), text, from(from_s)), kBerlin}.full_text();
}
std::string meant_before(const std::string& text) {
  return WallClock{moment_before(read_clock_text(text), text, from(kNow_s)), kBerlin}.full_text();
}

}  // namespace

TEST_CASE("The next moment is meant of a text that leaves the day open", "[reads][clock]") {
  CHECK(meant("now") == "Mon 2026-11-30 17:50");
  CHECK(meant("18:00") == "Mon 2026-11-30 18:00");
  CHECK(meant("17:50") == "Mon 2026-11-30 17:50");
  CHECK(meant("8:00") == "Tue 2026-12-01 08:00");
  CHECK(meant("fri 20:00") == "Fri 2026-12-04 20:00");
  CHECK(meant("Friday 20:00", kNow_s + 5 * 24 * kHour) == "Fri 2026-12-11 20:00");
  CHECK(meant("mon 8:00") == "Mon 2026-12-07 08:00");
  CHECK(meant("18:00 tomorrow") == "Tue 2026-12-01 18:00");
  CHECK(meant("today 8:00") == "Mon 2026-11-30 08:00");
}

TEST_CASE("A date is one, with T or a zone of its own", "[clock]") {
  CHECK(meant("2026-12-01 18:00") == "Tue 2026-12-01 18:00");
  CHECK(meant("2026-12-01T18:00:30") == "Tue 2026-12-01 18:00:30");
  CHECK(meant("2026-12-01T18:00Z") == "Tue 2026-12-01 19:00");
  CHECK(meant("2026-12-01T18:00:00-05:00") == "Wed 2026-12-02 00:00");
  CHECK(meant("2026-12-01 18:00 +0100") == "Tue 2026-12-01 18:00");
  CHECK(meant("2026-12-01 18:00 America/New_York") == "Wed 2026-12-02 00:00");
}

TEST_CASE("Of what has begun the last such moment is meant", "[clock]") {
  CHECK(meant_before("16:00") == "Mon 2026-11-30 16:00");
  CHECK(meant_before("18:00") == "Sun 2026-11-29 18:00");
  CHECK(meant_before("fri 20:00") == "Fri 2026-11-27 20:00");
  CHECK(meant_before("yesterday 23:00") == "Sun 2026-11-29 23:00");
}

TEST_CASE("Texts about the clock are told from durations", "[clock]") {
  for (const char* text : {"18:00", "25:00", "now", "fri", "tomorrow", "2026-12-01", "noon:"}) CHECK(is_about_clock(text));
  for (const char* text : {"", "2h", "90 min", "13 h 12 min", "1e3", "soon"}) CHECK_FALSE(is_about_clock(text));
}

TEST_CASE("What is no moment by the clock is said", "[clock][error]") {
  const auto said = [](const std::string& text) { return sentence_of([&] { meant(text); }); };
  for (const char* text : {"25:00", "18:60", "Foo 18:00", "18", "", "fri sat 18:00", "18:00 19:00 20:00", "8:0"})
    CHECK_THAT(said(text), Contains("is no moment by the clock, such as"));
  CHECK_THAT(said("yesterday"), Contains("'yesterday' leaves open at what time: 'yesterday 18:00', say"));
  CHECK_THAT(said("2026-02-30 18:00"), Contains("there is no day 2026-02-30"));
  CHECK_THAT(said("18:00 Europe/Berln"), Contains("did you mean 'Europe/Berlin'?"));
  CHECK_THAT(said("2027-03-28 02:30"), Contains("is never: in Europe/Berlin clocks are put forward over it"));
  // What was shown twice, long ago, is the first of them.
  CHECK(moment_of(read_clock_text("2026-10-25 02:30"), "", {kNow_s, kBerlin, kNow_s}) == 1792888200);
  // At noon of that day tomorrow's is meant.
  constexpr double kNoon_s = 1806228000;  // 2027-03-28 12:00 in Berlin
  CHECK(moment_of(read_clock_text("2:30"), "2:30", {kNoon_s, TimeZone::named("Europe/Berlin"), kNoon_s}) == kNoon_s + 14.5 * kHour);
}

TEST_CASE("What lasts is no matter of when it is read", "[clock]") {
  const auto lasting = [](const std::string& text) { return lasting_moment(read_clock_text(text), text); };
  CHECK(lasting("18:00") == ClockMoment{18 * kHour, {}, {}});
  CHECK(lasting("sat 18:00") == ClockMoment{18 * kHour, 5, {}});
  CHECK(lasting("2026-12-01 18:00 Europe/Berlin") == ClockMoment{18 * kHour, 1, 20788, "Europe/Berlin"});
  for (const char* text : {"18:00", "Sat 18:00", "2026-12-01 18:00", "08:05:30"}) CHECK(clock_moment_text(lasting(text)) == text);
  CHECK_THAT(sentence_of([&] { lasting("tomorrow 8:00"); }), Contains("depends on when it is read"));
  CHECK_THAT(sentence_of([&] { lasting("18:00 Berln"); }), Contains("there is no zone"));
}

TEST_CASE("Moments are told by the clock", "[clock]") {
  const WallClock friday{kNow_s + 4 * 24 * kHour + 130 * 60, kBerlin};
  CHECK(friday.full_text() == "Fri 2026-12-04 20:00");
  CHECK(friday.text(12 * kHour) == "Sat 08:00");
  CHECK(friday.text(12 * kHour + 31) == "Sat 08:01");
  CHECK(friday.text(90) == "Fri 20:01:30");
  CHECK(friday.text(8 * 24 * kHour) == "Sat 2026-12-12 20:00");
  CHECK(friday.iso(12 * kHour) == "2026-12-05T08:00:00+01:00");
  CHECK(friday.moment() == ClockMoment{20 * kHour, 4, 20791, "Europe/Berlin"});
}

TEST_CASE("Hours that pass are counted where clocks are put back or forward", "[clock]") {
  const auto at = [](const std::string& text) { return moment_of(read_clock_text(text), text, from(kNow_s)); };
  CHECK(at("2026-10-25 08:00") - at("2026-10-24 20:00") == 13 * kHour);
  CHECK(at("2027-03-28 08:00") - at("2027-03-27 20:00") == 11 * kHour);
  const WallClock night{at("2026-10-24 20:00"), kBerlin};
  CHECK(night.text(13 * kHour) == "Sun 08:00");
  CHECK(night.iso(13 * kHour) == "2026-10-25T08:00:00+01:00");
  CHECK(night.change_text(13 * kHour) == "clocks are put back by 1 h at Sun 2026-10-25 03:00 in Europe/Berlin");
  CHECK(night.change_text(2 * kHour) == "");
}
