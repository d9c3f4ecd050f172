// Tests of pictures of fits by the clock: a lab's hours, week and memory, all its machines, and series in dates.
#include "experiments/driver/studies/trace_fit_habits.hpp"

#include <catch2/catch.hpp>

#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/studies/trace_fit_output.hpp"
#include "tests/experiments/driver/figure_fixture.hpp"
#include "tests/sim/owners/lab_generator.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr std::int64_t kMonday = 20759;  // 2 November 2026, in days since 1970

/// Machines of a lab that is in use by day, by their fit.
std::vector<FittedHost> lab_of(LabKind kind, std::size_t machines) {
  std::vector<FittedHost> hosts;
  for (const auto& machine : Lab(kind, 3).weeks(2, 5)) {
    hosts.push_back({"pc" + std::to_string(hosts.size() + 1), "a.csv", series_of(machine), {}});
    hosts.back().trace.first = {StampKind::civil, kMonday * kSecondsOfDay, 0};
  }
  REQUIRE(fit_habits_of(hosts, {}).fit);
  const std::size_t own = hosts.size();
  while (hosts.size() < machines) {
    hosts.push_back(hosts[hosts.size() % own]);
    hosts.back().name = "pc" + std::to_string(hosts.size());
  }
  hosts.resize(machines);
  return hosts;
}

FittedHost host_of(const Stamp& first, std::initializer_list<LoadCut> cuts = {}) {
  FittedHost host{"pc1", "a.csv", {}, {}};
  for (int k = 0; k < 100; ++k) host.trace.add(3600, k / 3 % 2 == 0 ? 0.3 : 0.7);
  host.trace.first = first;
  host.fit = fit_load(host.trace, "a.csv", {});
  host.trace.cuts = cuts;
  return host;
}

std::string drawn(const FittedHost& host, const TimeZone& zone = {}) { return trace_fit_script({host}, PictureFormat::svg, zone); }

std::size_t count_of(const std::string& what, const std::string& text) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("A fit of habits is drawn by hours, by the week and by lags to a week, and every machine", "[computes][trace][fit][habits]") {
  const auto hosts = lab_of(LabKind::overnight, 40);
  const std::string script = trace_fit_script(hosts, PictureFormat::svg);
  CHECK(script == habits_script(hosts, PictureFormat::svg, {}));
  CHECK_THAT(script, Contains("('0:00' 0, '6:00' 6, '12:00' 12, '18:00' 18, '24:00' 24)"));
  CHECK_THAT(script, Contains("('Mon' 0, 'Tue' 1, 'Wed' 2, 'Thu' 3, 'Fri' 4, 'Sat' 5, 'Sun' 6, 'Mon' 7)"));
  CHECK_THAT(script, Contains("caption_1 = 'hours of the day: the mean of 40 machines'"));
  CHECK_THAT(script, Contains("caption_3 = 'memory; between machines: ") && Contains("x_label_3 = 'lag [d]'"));
  CHECK_THAT(script, Contains("fitted: 25 draws of 14 days each, seed 1"));
  CHECK_THAT(script, Contains("'pc1'") && Contains("'pc40'"));
  CHECK_THAT(script, Contains("$curve43_1 << ") && !Contains("$curve44_1 << "));
  CHECK(count_of("set tmargin", script) == 43);
}

TEST_CASE("Of more machines than are drawn the picture says how many are not", "[trace][fit][habits]") {
  const auto hosts = lab_of(LabKind::overnight, kMostHabitsMachines + 4);
  const std::string script = trace_fit_script(hosts, PictureFormat::svg);
  CHECK_THAT(script, Contains("not drawn: the other 4 machines"));
  CHECK(count_of("set tmargin", script) == 3 + kMostHabitsMachines);
}

TEST_CASE("One machine is correlated with no other", "[trace][fit][habits]") {
  const std::string script = trace_fit_script(lab_of(LabKind::overnight, 1), PictureFormat::svg);
  CHECK_THAT(script, Contains("caption_1 = 'hours of the day'\n") && Contains("caption_3 = 'memory'\n"));
}

TEST_CASE("Pictures of habits are drawn whole", "[trace][fit][habits][gnuplot]") {
  const Folder folder;
  for (const std::size_t machines : {1, 5, 30}) {
    folder.file("p.gp", "output = 'picture'\n" + trace_fit_script(lab_of(LabKind::laptops, machines), PictureFormat::svg));
    REQUIRE_NOTHROW(run_gnuplot(folder.path(), "./p.gp"));
    CHECK(is_whole_picture(content_of(folder.path() + "/picture")));
  }
}

TEST_CASE("A series whose stamps say days is drawn by the clock, gaps and all", "[trace][fit]") {
  const Stamp noon{StampKind::civil, kMonday * kSecondsOfDay + kSecondsOfDay / 2, 0};
  const std::string whole = drawn(host_of(noon));
  CHECK_THAT(whole, Contains("'time, from Mon 2026-11-02 12:00'"));
  CHECK_THAT(whole, Contains("('Tue' 0.5, 'Wed' 1.5, 'Thu' 2.5, 'Fri' 3.5)"));
  const std::string apart = drawn(host_of(noon, {{50, 10 * 3600}}));
  CHECK(count_of("$curve1_", apart) == count_of("$curve1_", whole) + 4);  // another range and line, each a block and drawn
  const Stamp summer{StampKind::utc, 1782900000, 0};  // 1 July 2026, 10:00
  CHECK_THAT(drawn(host_of(summer), TimeZone::named("Europe/Berlin")), Contains("'time, from Wed 2026-07-01 12:00 (Europe/Berlin)'"));
}

TEST_CASE("A series from any moment is drawn from its beginning on, without gaps", "[trace][fit]") {
  CHECK_THAT(drawn(host_of({})), Contains("x_label_1 = 'time [d]'"));
  CHECK_THAT(drawn(host_of({}, {{50, 10 * 3600}})), Contains("x_label_1 = 'time [d], without gaps'"));
}
