// Stamps with offsets, the clock on the wall that they tell, and hours that come twice or never in a file.
#include "sim/owners/recordings.hpp"

#include <catch2/catch.hpp>

#include "sim/owners/load_table.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

using Numbers = std::vector<double>;

Stamp stamp(const std::string& text) {
  const auto read = parse_stamp(text);
  REQUIRE(read);
  return *read;
}

LoadTable table(const std::string& rows, const std::string& zone = "", const std::string& head = "timestamp,availability") {
  TableReading reading{.column = "availability"};
  if (!zone.empty()) reading.zone = TimeZone::named(zone);
  return {head + "\n" + rows, "f", reading};
}

std::string message(const std::string& rows, const std::string& zone = "") {
  return sentence_of([&] { static_cast<void>(table(rows, zone).series()); });
}

/// Half hours over the night in which clocks are put back in Berlin.
const std::string kBack =
    "2026-10-25 01:30,1\n2026-10-25 02:00,0.9\n2026-10-25 02:30,0.8\n2026-10-25 02:00,0.7\n2026-10-25 02:30,0.6\n"
    "2026-10-25 03:00,0.5\n";

}  // namespace

TEST_CASE("Stamps with offsets are moments of UTC that keep their clock", "[reads][trace][clock]") {
  const Stamp utc = stamp("2026-03-02T08:00:00Z");
  for (const char* text : {"2026-03-02T09:00:00+01:00", "2026-03-02 09:00+0100", "2026-03-02 09:00:00 +01", "2026-03-02T02:30:00-05:30"}) {
    INFO(text);
    CHECK(stamp(text).kind == StampKind::utc);
    CHECK(seconds_between(utc, stamp(text)) == 0);
    CHECK(stamp(text).offset_s);
  }
  CHECK_FALSE(utc.offset_s);
  CHECK(stamp_text(stamp("2026-03-02 09:00:00.25+0100")) == "2026-03-02T09:00:00.25+01:00");
  CHECK(stamp_text(utc) == "2026-03-02T08:00:00Z");
}

TEST_CASE("A table with offsets is read, also where they change", "[reads][trace][clock]") {
  const LoadSeries series = table("2026-03-02T09:00:00+01:00,0.125\n2026-03-02T09:05:00+01:00,0.225\n2026-03-02T09:10:00+01:00,1\n").series();
  CHECK(series.duration_s == Numbers{300, 300, 300});
  CHECK(stamp_text(series.first) == "2026-03-02T09:00:00+01:00");
  CHECK(table("2026-10-25T02:30:00+02:00,1\n2026-10-25T02:00:00+01:00,1\n2026-10-25T01:30:00Z,1\n").series().duration_s ==
        Numbers{1800, 1800, 1800});
}

TEST_CASE("The clock on the wall is told of stamps that have one", "[trace][clock]") {
  constexpr double kHour = 3600;
  const std::int64_t day = 20514;  // 2026-03-02, a Monday
  const TimeZone berlin = TimeZone::named("Europe/Berlin");
  // As spreadsheets and monitors write it.
  CHECK(wall_clock(stamp("02.03.2026 08:00:00")) == ClockMoment{8 * kHour, 0, day});
  CHECK(wall_clock(stamp("2026-03-02")) == ClockMoment{0, 0, day});
  CHECK(stamp_text(stamp("2026-03-02 08:00:00 UTC")) == "2026-03-02T08:00:00Z");
  CHECK_FALSE(parse_stamp("32.03.2026 08:00"));
  CHECK_FALSE(parse_stamp("03/02/2026 08:00"));
  CHECK(wall_clock(stamp("2026-03-02 08:00")) == ClockMoment{8 * kHour, 0, day});
  CHECK(wall_clock(stamp("2026-03-02 08:00"), &berlin) == ClockMoment{8 * kHour, 0, day});
  CHECK(wall_clock(stamp("2026-03-02T00:30:00+01:00")) == ClockMoment{kHour / 2, 0, day});
  CHECK(wall_clock(stamp("2026-03-02T08:00Z")) == ClockMoment{8 * kHour, 0, day});
  CHECK(wall_clock(stamp("2026-03-02T08:00Z"), &berlin) == ClockMoment{9 * kHour, 0, day});
  CHECK(wall_clock(stamp("2026-07-01T08:00Z"), &berlin)->of_day_s == 10 * kHour);
  CHECK(wall_clock(stamp(std::to_string(day * 86400))) == ClockMoment{0, 0, day});
  CHECK_FALSE(wall_clock(stamp("120")));
}

TEST_CASE("In a zone an hour that comes twice is taken in order of the file", "[trace][clock]") {
  const LoadSeries series = table(kBack, "Europe/Berlin").series();
  CHECK(series.duration_s == Numbers(6, 1800));
  CHECK(stamp_text(series.first) == "2026-10-25T01:30:00+02:00");
  CHECK(table("2026-03-29 01:30,1\n2026-03-29 03:00,1\n2026-03-29 03:30,1\n", "Europe/Berlin").series().duration_s ==
        Numbers(3, 1800));
  // Of each machine's rows apart.
  const LoadTable both = table("2026-10-25 02:30,a,1\n2026-10-25 02:30,b,1\n2026-10-25 02:00,a,1\n2026-10-25 02:00,b,1\n",
                               "Europe/Berlin", "timestamp,host,availability");
  CHECK(both.series("b").duration_s == Numbers(2, 1800));
  CHECK(both.remarks().empty());
}

TEST_CASE("What daylight saving does to stamps without a zone is told", "[trace][clock][error]") {
  CHECK_THAT(message(kBack), Contains("'2026-10-25 02:00:00' is earlier than the one of line 4") && Contains("daylight saving") &&
                                 Contains("--zone Europe/Berlin"));
  CHECK_THAT(message("2026-10-25 08:00,1\n2026-10-25 05:00,1\n"), !Contains("daylight saving"));
  CHECK_THAT(message("2026-03-29 01:30,1\n2026-03-29 02:30,1\n", "Europe/Berlin"),
             Contains("'2026-03-29 02:30:00' has never been in Europe/Berlin: clocks were put forward over it") &&
                 Contains("such as +01:00"));
  const LoadTable rows = table("2026-10-25 02:30,a,1\n2026-10-25 02:00,a,1\n2026-10-25 03:00,a,1\n", "", "timestamp,host,availability");
  REQUIRE(rows.remarks().size() == 2);
  CHECK_THAT(rows.remarks()[1], Contains("go back by an hour or less to 2026-10-25 02:00:00") && Contains("daylight saving"));
}
