// Fitted habits as an owner block and as a platform's property: what is written is read again, and says the same.
#include "experiments/driver/points/fitted_habits.hpp"

#include <catch2/catch.hpp>

#include "experiments/driver/reading/owner_config.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/owners/measured_owner.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/reading_fixture.hpp"
#include "tests/sim/owners/lab_generator.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

std::vector<FittedHost> hosts_of(LabKind kind, std::size_t weeks) {
  std::vector<FittedHost> hosts;
  const LabWeeks lab = Lab(kind, 3).weeks(weeks, 5);
  for (std::size_t m = 0; m < lab.size(); ++m) {
    hosts.push_back({"pc" + std::to_string(m + 1), "pc.csv", series_of(lab[m]), {}});
    hosts.back().fit = fit_load(hosts.back().trace, "pc.csv", {});
  }
  return hosts;
}

Platform platform_of(const std::vector<FittedHost>& hosts) {
  GeneratedPlatform d;
  for (const auto& host : hosts) d.names.push_back(host.name);
  d.speed_flops.assign(hosts.size(), 1.0);
  return generate_platform(d);
}

}  // namespace

TEST_CASE("A block of habits that were found is read again as them", "[computes][trace][habits]") {
  for (const LabKind kind : kLabKinds) {
    std::vector<FittedHost> hosts = hosts_of(kind, 2);
    const HabitsAnswer answer = fit_habits_of(hosts, TimeZone());
    REQUIRE(answer.fit);
    ReadingOf r(owner_block(hosts));
    OwnerCache cache;
    const auto owners = read_owners(r.reading, platform_of(hosts), cache);
    CHECK(r.found().empty());
    for (std::size_t m = 0; m < hosts.size(); ++m) {
      const auto& read = *std::get<HabitsOwner>(owners[m]->kind).habits;
      REQUIRE(read.layers.size() == hosts[m].habits->layers.size());
      CHECK(owners[m]->is_measured());
      CHECK(owners[m]->fit->worth == 10);
      for (std::size_t l = 0; l < read.layers.size(); ++l) {
        const HabitsLayer &one = read.layers[l], &fitted = hosts[m].habits->layers[l];
        CHECK(one.turns_s == fitted.turns_s);
        REQUIRE(one.parts.size() == fitted.parts.size());
        for (std::size_t k = 0; k < one.parts.size(); ++k) CHECK(one.parts[k].slow == Approx(fitted.parts[k].slow).margin(1e-9));
        for (std::size_t h = 0; h < kHoursOfWeek; ++h) CHECK(one.mean_by_hour[h] == Approx(fitted.mean_by_hour[h]).margin(1e-3));
      }
    }
    CHECK(habits_sentences(answer).size() == 1 + answer.fit->layers.size());
    CHECK_THAT(habits_sentences(answer)[1], Contains("what a machine leaves, around the hour's mean: "));
    CHECK_THAT(habits_sentences(answer).front(), Contains("10 working days, 2 Saturdays, 2 Sundays"));
  }
}

TEST_CASE("Too few days, and stamps by no calendar, have no habits, which is said", "[trace][habits]") {
  std::vector<FittedHost> hosts = hosts_of(LabKind::staff, 2);
  hosts.front().trace.first = {StampKind::seconds, 0, 0};
  CHECK_THAT(habits_sentences(fit_habits_of(hosts, TimeZone())).front(), Contains("seconds from a beginning of their own"));
  CHECK_FALSE(hosts.back().habits);
  hosts.erase(hosts.begin());
  CHECK_THAT(habits_sentences(fit_habits_of(hosts, TimeZone(), {20755, 20756, 20757, 20758, 20759, 20760, 20761, 20762, 20763, 20764, 20765, 20766})).front(),
             Contains("days have data of twelve hours"));
}

TEST_CASE("Hours are by the clock of the zone, across a change of it", "[trace][habits]") {
  // Busy from 8 to 10 by Berlin's clock, which is put back on 25 October 2026; stamps are UTC.
  std::vector<FittedHost> hosts(1);
  FittedHost& host = hosts.front();
  host.name = "a";
  const TimeZone berlin = TimeZone::named("Europe/Berlin");
  host.trace.first = {StampKind::utc, 1791756000, 0};  // Mon 2026-10-12, 00:00 in Berlin
  for (int i = 0; i < 28 * 24; ++i) {
    const double local_s = berlin.local_s(1791756000.0 + 3600 * i);
    const auto hour = static_cast<long>(local_s / 3600) % 24;
    host.trace.add(3600, hour == 8 || hour == 9 ? 0.2 + 0.1 * (i / 24 % 2) : 1);
  }
  REQUIRE(fit_habits_of(hosts, berlin).fit);
  CHECK(host.habits->layers.front().mean_by_hour[9] < 0.35);
  CHECK(host.habits->layers.front().mean_by_hour[10] > 0.95);
  CHECK(host.habits->layers.front().mean_by_hour[7] > 0.95);
}
