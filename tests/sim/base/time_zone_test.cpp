// Zones by the system's tz database: offsets, hours that come twice or never, and names that are none.
#include "sim/base/time_zone.hpp"

#include <catch2/catch.hpp>

#include "sim/base/clock_moment.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr std::int64_t kHour = 3600;
/// 2026-03-29 and 2026-10-25, at 1:00 of UTC on which clocks change in Berlin; days since 1970.
constexpr std::int64_t kForward = 20541 * kSecondsOfDay + kHour, kBack = 20751 * kSecondsOfDay + kHour;

}  // namespace

TEST_CASE("Days have weekdays, before 1970 too", "[reads][clock]") {
  CHECK(weekday_of(0) == 3);
  CHECK(weekday_of(-4) == 6);
  CHECK(moment_at(20541.5 * 86400) == ClockMoment{43200, 6, 20541});
}

TEST_CASE("Offsets are read as people write them, and others are none", "[clock]") {
  CHECK(parse_utc_offset("Z") == 0);
  CHECK(parse_utc_offset("+01:00") == 3600);
  CHECK(parse_utc_offset("+0100") == 3600);
  CHECK(parse_utc_offset("-05:30") == -19800);
  CHECK(parse_utc_offset("+01") == 3600);
  for (const char* text : {"", "01:00", "+1", "+01:0", "+01:60", "+25:00", "+01:00h", "+-1:00"}) CHECK_FALSE(parse_utc_offset(text));
  CHECK(utc_offset_text(-19800) == "-05:30");
  CHECK(utc_offset_text(0) == "+00:00");
}

TEST_CASE("A zone's clock is put forward and back", "[clock]") {
  const TimeZone berlin = TimeZone::named("Europe/Berlin");
  CHECK(berlin.offset_s(kForward - 1) == 3600);
  CHECK(berlin.offset_s(kForward) == 7200);
  CHECK(berlin.local_s(static_cast<double>(kBack)) == static_cast<double>(kBack + 3600));
  const LocalMoments usual = berlin.moments_at(kForward);  // 01:00 there
  CHECK(usual.count == 1);
  CHECK(usual.first_s == kForward - 3600);
  CHECK(berlin.moments_at(kForward + 3600 + 1800).count == 0);  // 02:30 of that day
  const LocalMoments twice = berlin.moments_at(kBack + 3600 + 1800);  // 02:30 of the other
  CHECK(twice.count == 2);
  CHECK(twice.first_s == kBack - 1800);
  CHECK(twice.second_s == kBack + 1800);
  const auto change = berlin.next_change(kForward, kBack);
  REQUIRE(change);
  CHECK(change->utc_s == kBack);
  CHECK(change->text() == "clocks are put back by 1 h at Sun 2026-10-25 03:00");
  CHECK_FALSE(berlin.next_change(kForward, kBack - 1));
  CHECK(berlin.next_change(kForward - 1, kForward)->text() == "clocks are put forward by 1 h at Sun 2026-03-29 02:00");
}

TEST_CASE("Offsets and UTC are zones that never change", "[clock]") {
  for (const auto& [name, offset_s] : {std::pair("UTC", 0), std::pair("Z", 0), std::pair("-05:30", -19800)}) {
    const TimeZone zone = TimeZone::named(name);
    CHECK(zone.offset_s(kBack) == offset_s);
    CHECK(zone.moments_at(kBack).count == 1);
    CHECK_FALSE(zone.next_change(0, 2 * kBack));
  }
}

TEST_CASE("Of a zone that is none the one is named that is meant", "[clock][error]") {
  const auto said = [](const char* name) { return sentence_of([&] { TimeZone::named(name); }); };
  CHECK_THAT(said("Europe/Berln"), Contains("there is no zone 'Europe/Berln'; did you mean 'Europe/Berlin'?"));
  CHECK_THAT(said("berlin"), Contains("did you mean 'Europe/Berlin'?"));
  CHECK_THAT(said("nowhere at all"), Contains("zones are called as Europe/Berlin, or are an offset"));
}
