// The keys `correlation` and `diurnal` of an owner's block.
#include <catch2/catch.hpp>

#include "experiments/driver/reading/owner_config.hpp"
#include "tests/experiments/driver/reading_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

struct Read {
  std::vector<OwnerPtr> owners;
  std::string complaint;
};
Read read(const std::string& yaml, std::size_t machines_count = 2) {
  ReadingOf r(yaml);
  OwnerCache cache;
  const auto owners = read_owners(r.reading, *machines(machines_count, NetworkKind::none), cache);
  return {owners, r.found()};
}

std::string list(int count, const std::string& value) {
  std::string out = "[" + value;
  for (int i = 1; i < count; ++i) out += ", " + value;
  return out + "]";
}
std::string hours(const std::string& value = "0.5") { return "hours: " + list(24, value); }
std::string dedicated(const std::string& pattern) { return "owner: {model: dedicated, diurnal: {" + pattern + "}}\n"; }

}  // namespace

TEST_CASE("A pattern is read by day, by week and by kinds of days, with a start by the clock", "[reads][diurnal]") {
  const std::pair<std::string, std::string> table[] = {
      {hours(), "diurnal by 24 hours mean=0.5 start=random"},
      {hours("50%") + ", start: random", "diurnal by 24 hours mean=0.5 start=random"},
      {hours() + ", start: '18:00'", "diurnal by 24 hours mean=0.5 start=18:00"},
      {hours() + ", start: 'Tue 8:05'", "diurnal by 24 hours mean=0.5 start=08:05"},
      {hours() + ", start: 18h", "diurnal by 24 hours mean=0.5 start=18:00"},
      {hours() + ", start: = 3600 * 9", "diurnal by 24 hours mean=0.5 start=09:00"},
      {"hours: " + list(168, "0.25") + ", start: 'Mon 00:00'", "diurnal by 168 hours mean=0.25 start=Mon 00:00"},
      {"weekdays: " + list(24, "0.5") + ", start: 'sunday 23:59'", "diurnal by 168 hours mean=0.5 start=Sun 23:59"},
      {"weekdays: " + list(24, "0.5") + ", saturday: " + list(24, "1") + ", sunday: " + list(24, "0.5"),
       "diurnal by 168 hours mean=0.571429 start=random"},
  };
  for (const auto& [pattern, description] : table) {
    const Read r = read(dedicated(pattern));
    CHECK(r.complaint.empty());
    CHECK(r.owners[0]->describe() == "dedicated, " + description);
    CHECK(r.owners[0] == r.owners[1]);
  }
}

TEST_CASE("One day of a weekend without the other is remarked on", "[diurnal][remark]") {
  const auto remarks = [](const std::string& days) {
    ReadingOf r(dedicated("weekdays: " + list(24, "0.5") + days));
    OwnerCache cache;
    read_owners(r.reading, *machines(2, NetworkKind::none), cache);
    return cache.shared.notes();
  };
  const std::string saturday = ", saturday: " + list(24, "1"), sunday = ", sunday: " + list(24, "0.9");
  REQUIRE(remarks(saturday).size() == 1);
  CHECK_THAT(remarks(saturday)[0], Contains("owner.diurnal.saturday: there is no 'sunday' beside it: that day then is as a weekday"));
  REQUIRE(remarks(sunday).size() == 1);
  CHECK_THAT(remarks(sunday)[0], Contains("owner.diurnal.sunday: there is no 'saturday' beside it"));
  CHECK(remarks(saturday + sunday).empty());
  CHECK(remarks("").empty());
}

TEST_CASE("A pattern lies over the models of machines by name too", "[diurnal]") {
  const Read r = read(
      "owner: {model: intervals, TH: 0.2, correlation: 0.3, diurnal: {" + hours() +
          ", start: '18:00'}, hosts: {ws2: {correlation: 0.5, diurnal: {start: '19:00'}}, ws3: {model: dedicated}}}\n",
      3);
  CHECK(r.complaint.empty());
  CHECK_THAT(r.owners[0]->describe(), Contains("correlation=0.3") && Contains("start=18:00"));
  CHECK_THAT(r.owners[1]->describe(), Contains("correlation=0.5") && Contains("start=19:00"));
  CHECK(r.owners[2]->is_dedicated());
}

TEST_CASE("A correlation of 0 leaves an owner what it is, its name in the store included", "[owners]") {
  const auto one = [](const std::string& yaml) { return read(yaml).owners[0]; };
  const OwnerPtr plain = one("owner: {model: intervals, TH: 0.2}\n"),
                 zero = one("owner: {model: intervals, TH: 0.2, correlation: 0}\n");
  CHECK(plain->identity() == zero->identity());
  CHECK(plain->renewal());
  CHECK(std::holds_alternative<RenewalDraws>(lane_form(*zero, {})));
  CHECK(one("owner: {model: intervals, TH: 0.2, correlation: 0.5}\n")->identity() != plain->identity());
  CHECK(one("owner: {model: duty-cycle, u: 0.2, correlation: 50%}\n")->identity() !=
        one("owner: {model: duty-cycle, u: 0.2}\n")->identity());
  CHECK(one("owner: {model: duty-cycle, u: 0.2, correlation: 0}\n")->identity() ==
        one("owner: {model: duty-cycle, u: 0.2}\n")->identity());
}

TEST_CASE("What is wrong with a pattern or a correlation is said", "[diurnal][error]") {
  const std::pair<std::string, std::string> table[] = {
      {dedicated("hours: " + list(25, "0.5")), "owner.diurnal.hours: there are 25 values"},
      {dedicated("weekdays: " + list(168, "0.5")), "owner.diurnal.weekdays: there are 168 values"},
      {dedicated("hours: 0.5"), "owner.diurnal.hours: there is 1 value"},
      {dedicated(hours("1.5")), "1.5 is out of range"},
      {dedicated(hours("-0.1")), "-0.1 is out of range"},
      {dedicated(hours("nan")), "'nan' is not a fraction"},
      {dedicated(hours() + ", weekdays: " + list(24, "0.5")), "say the same in two ways"},
      {dedicated("saturday: " + list(24, "0.5")), "there are 0 values"},
      {dedicated("start: '18:00'"), "owner.diurnal.hours: this key is missing"},
      {dedicated(hours() + ", start: '25:00'"), "'25:00' is no time at which a job can start"},
      {dedicated(hours() + ", start: '18:60'"), "'18:60' is no time at which a job can start"},
      {dedicated(hours() + ", start: 'Foo 18:00'"), "'Foo 18:00' is no time at which a job can start"},
      {dedicated(hours() + ", start: 24h"), "a job starts before the end of the pattern"},
      {dedicated(hours() + ", start: -1h"), "out of range"},
      {dedicated(hours() + ", start: 18"), "is that 18:00, 18h, or seconds?"},
      {dedicated(hours() + ", start: noon"), "owner.diurnal.start"},
      {dedicated("weekdays: " + list(24, "0.5") + ", start: '18:00'"), "leaves open which day"},
      {"owner: {model: jobs, u: 0.2, demand: 1s, diurnal: {" + hours() + "}}\n",
       "owner.u: the hours of diurnal say how often owner jobs come: this key is not wanted"},
      {"owner: {model: jobs, arrivals: formula, arrival_formula: 9*u, demand: 1s, diurnal: {" + hours() + "}}\n",
       "owner.arrivals: the hours of diurnal say how often owner jobs come, and so does 'formula'"},
      {"owner: {model: intervals, TH: 0.2, correlation: 1.1}\n", "1.1 is out of range"},
      {"owner: {model: intervals, TH: 0.2, correlation: nan}\n", "'nan' is not a fraction"},
      {"owner: {model: duty-cycle, u: 0.2, phase: aligned, correlation: 0.5}\n", "it needs 'phase: random'"},
      {"owner: {model: intervals, TH: 0.2, correlation: 0.5, hosts: {ws2: {interval: 20s}}}\n",
       "workstations ws1 and ws2 are correlated, but their intervals have lengths of two laws"},
  };
  for (const auto& [yaml, sentence] : table) {
    const std::string found = read(yaml).complaint;
    INFO(yaml << ": " << found);
    CHECK_THAT(found, Contains(sentence));
  }
}
