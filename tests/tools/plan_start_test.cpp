// `nowsim plan --start any`, and ranges: starts that are known by hand, what is said of owners without a clock, and how near
// to the best one the start is that is named.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

/// Availability by hour: half of what it is else from 8 to 18.
std::string by_day(const std::string& day, const std::string& night) {
  std::string hours;
  for (int hour = 0; hour < 24; ++hour) hours += (hour == 0 ? "[" : ", ") + (hour >= 8 && hour < 18 ? day : night);
  return hours + "]";
}

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// On a machine of 1 flop/s, all the job's by night and half by day; six hours of it.
const Words kSixHours{"plan",    "--machines", "1",     "--speed", "1f",       "--work", "21600",
                      "--set",   "owner.model=dedicated", "--set",   "owner.diurnal.hours=" + by_day("0.5", "1"),
                      "--zone",  "UTC",        "-r",    "100",     "--policies", "equal"};

Json answer(const Words& words, const std::string& folder = "") {
  const ProgramRun r = run_program(joined(words, {"--format", "json", "--quiet"}), folder);
  INFO(r.error);
  REQUIRE(r.status == 0);
  return Json::parse(r.out);
}

std::string told(const Json& r) {
  std::string all;
  for (const auto& sentence : r["advice"]) all += sentence.get<std::string>() + "\n";
  return all;
}

Json start_at(const Json& r, const std::string& iso) {
  for (const auto& start : r["starts"])
    if (start["start"] == iso) return start;
  FAIL("no start " + iso);
  return {};
}

}  // namespace

TEST_CASE("The start with the shortest promise, and what waiting for it costs, are those known by hand", "[computes][plan][start]") {
  const Json r = answer(joined(kSixHours, {"--start", "2026-12-01 12:00..2026-12-02 12:00"}));
  CHECK(r["chosen"] == "2026-12-01T18:00:00+00:00");
  CHECK(r["by_clock"] == true);
  // From 12:00 three hours' work are done by 18:00; a quarter before 18:00 costs 7.5 minutes.
  CHECK(start_at(r, "2026-12-01T12:00:00+00:00")["T_50"]["value"].get<double>() == Approx(9 * 3600));
  CHECK(start_at(r, "2026-12-01T17:45:00+00:00")["T_50"]["value"].get<double>() == Approx(6.125 * 3600));
  CHECK(r["promise"]["safe_deadline"]["high"].get<double>() == Approx(6 * 3600));
  CHECK(r["promise"]["promised_at"] == "2026-12-02T00:00:00+00:00");
  // From 2:00 on the job meets the day.
  REQUIRE(r["alike"].size() == 1);
  CHECK(r["alike"][0]["first"] == "2026-12-01T18:00:00+00:00");
  CHECK(r["alike"][0]["last"] == "2026-12-02T02:00:00+00:00");
  CHECK_THAT(told(r), Contains("Start at Tue 18:00: at a risk of 10 % promise Wed 00:00, 6 h after.") &&
                          Contains("Started at the earliest, Tue 12:00, it would be Tue 21:00, 9 h after: waiting makes the job "
                                   "3 h shorter, and it is done 3 h later, 30 min for each hour of waiting.") &&
                          Contains("An hour later, Tue 19:00, it takes as long.") &&
                          Contains("Starts at Tue 18:00 to Wed 02:00 are as good") &&
                          Contains("A risk of 10 % is taken to be bearable"));
}

TEST_CASE("A deadline that is a duration is told of the shortest start, and from when to when it is kept", "[plan][start]") {
  const Json r = answer(joined(kSixHours, {"--start", "2026-12-01 12:00..2026-12-02 12:00", "--deadline", "7h", "--risk", "5%"}));
  CHECK(r["chosen"] == "2026-12-01T18:00:00+00:00");
  // Two hours before 18:00 cost an hour; two of six hours behind 8:00 two.
  CHECK_THAT(told(r), Contains("The risk of 5 % is kept, as it is from Tue 16:00 to Wed 03:00."));
}

TEST_CASE("The latest start that holds a deadline by the clock is found to the quarter of an hour", "[plan][start]") {
  // From 8:00 to 12:05 2 h 2.5 min of work are done: the rest is begun by 4:02:30.
  const Words asked = joined(kSixHours, {"--deadline", "2026-12-02 12:05"});
  const Json r = answer(joined(asked, {"--start", "2026-12-01 18:00..2026-12-02 11:00"}));
  CHECK(r["chosen"] == "2026-12-02T04:00:00+00:00");
  CHECK(r["is_sure"] == true);
  CHECK(r["may_hold_until"] == "2026-12-02T04:00:00+00:00");
  CHECK(start_at(r, "2026-12-02T04:15:00+00:00")["RF"]["value"] == 1);
  CHECK(start_at(r, "2026-12-02T04:00:00+00:00")["deadline"] == (8 * 60 + 5) * 60);
  CHECK_THAT(told(r), Contains("The latest start that still holds Wed 12:05 at a risk of 10 % is Wed 04:00") &&
                          Contains("an earlier one never hurts") && Contains("An hour later, Wed 05:00, that is 100"));
  const Json all = answer(joined(asked, {"--start", "2026-12-01 18:00..2026-12-01 20:00"}));
  CHECK(all["chosen"] == "2026-12-01T20:00:00+00:00");
  CHECK_THAT(told(all), Contains("Every start up to the last one that was tried holds Wed 12:05"));
  const Json none = answer(joined(asked, {"--start", "2026-12-02 05:00..2026-12-02 07:00"}));
  CHECK(none["chosen"].is_null());
  CHECK_THAT(told(none), Contains("No start holds Wed 12:05 at a risk of 10 %: even from Wed 05:00, at the earliest, it is missed"));
}

TEST_CASE("Without owners by the clock it makes no difference when a job starts, but to a deadline by the clock",
          "[plan][start]") {
  const Words plain{"plan", "--machines", "2", "--speed", "1f", "--work", "7200", "--zone", "UTC", "-r", "100", "--risk", "20%"};
  const Json r = answer(joined(plain, {"--start", "2026-12-01 12:00..2026-12-02 12:00"}));
  CHECK(r["by_clock"] == false);
  CHECK(r["chosen"] == "2026-12-01T12:00:00+00:00");
  CHECK_THAT(told(r), Contains("When it starts makes no difference to how long the job takes"));
  const Json latest = answer(joined(plain, {"--start", "2026-12-01 12:00..2026-12-02 12:00", "--deadline", "2026-12-02 12:10"}));
  CHECK(latest["chosen"] == "2026-12-02T11:00:00+00:00");
}

TEST_CASE("Work goes to who is free in the hours of the run", "[plan][start]") {
  const Folder folder;
  (void)folder.file("two.xml",
                    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                    "<platform version=\"4.1\">\n  <zone id=\"z\" routing=\"None\">\n    <host id=\"night\" speed=\"1f\">"
                    "<prop id=\"owner\" value=\"{model: dedicated, diurnal: {hours: " + by_day("0.5", "1") + "}}\"/></host>\n"
                    "    <host id=\"free\" speed=\"1f\"/>\n  </zone>\n</platform>\n");
  const ProgramRun r = run_program({"plan", "two.xml", "--work", "43200", "--zone", "UTC", "-r", "20", "--start",
                                    "2026-12-01 12:00..2026-12-01 18:00", "--format", "csv", "--quiet"},
                                   folder.path());
  INFO(r.error);
  REQUIRE(r.status == 0);
  // From 12:00 both need 7 h 30 min, of which the one has 4 h 30 min; from 18:00 6 h each.
  CHECK_THAT(r.out, Contains("2026-12-01T12:00:00+00:00,0,proportional,") && Contains(",16200,27000\n") && Contains(",21600,21600\n"));
}

TEST_CASE("'any' tries a day from the next quarter of an hour on", "[plan][start]") {
  const Json r = answer(joined(kSixHours, {"--start", "any"}));
  CHECK(r["starts"].size() >= 40);
  CHECK(r["starts"].back()["after"] == 86400);
  const std::string first = r["start"];
  CHECK((first.substr(14, 5) == "00:00" || first.substr(14, 5) == "15:00" || first.substr(14, 5) == "30:00" || first.substr(14, 5) == "45:00"));
}

TEST_CASE("The start that is named is near to the best", "[plan][start][statistical]") {
  const Words asked{"plan", "--machines", "4", "--speed", "1f", "--work", "72000", "--zone", "UTC", "--policies", "equal", "--set",
                    "owner={model: intervals, value: beta, mean: 0.5, TH: 0.5, interval: 30min, length: exponential}", "--set",
                    "owner.diurnal.hours=" + by_day("0.4", "0.8"), "--deadline", "2026-12-02 12:00"};
  const Json r = answer(joined(asked, {"--start", "2026-12-01 18:00..2026-12-02 11:00", "--risk", "10%", "-r", "1000"}));
  const std::string named = r["chosen"];
  const auto risk_at = [&](const std::string& start) {
    return answer(joined(asked, {"--start", start, "-r", "20000", "--seed", "7"}))["policies"][0]["RF"]["value"].get<double>();
  };
  const std::string start = named.substr(0, 10) + " " + named.substr(11, 5);
  INFO(start);
  const int hour = std::stoi(named.substr(11, 2)), minute = std::stoi(named.substr(14, 2)) + 30;
  const auto digits = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const std::string later = named.substr(0, 10) + " " + digits(hour + minute / 60) + ":" + digits(minute % 60);
  CHECK(risk_at(start) < 0.12);
  CHECK(risk_at(later) > 0.08);
}
