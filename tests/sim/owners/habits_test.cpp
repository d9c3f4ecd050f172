// Owners' habits: exact means by hour, what stays for a part of the day, what is shared, machines that come and go; both
// engines; replay of days by the clock.
#include "sim/owners/habits.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "sim/base/error.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr std::uint64_t kSeed = 3;

/// 168 hours: by day, at night, at the weekend.
std::vector<double> week(double by_day, double at_night, double free) {
  std::vector<double> hours;
  for (std::size_t h = 0; h < kHoursOfWeek; ++h)
    hours.push_back(h >= 120 ? free : h % 24 >= 8 && h % 24 < 18 ? by_day : at_night);
  return hours;
}

std::shared_ptr<const Habits> habits(std::vector<HabitsPart> parts, std::vector<double> turns_h = {8, 18},
                                     std::optional<double> start_h = 0, std::vector<double> hours = week(0.4, 0.8, 0.9)) {
  auto made = std::make_shared<Habits>();
  for (double& turn : turns_h) turn *= kHour_s;
  made->layers.push_back(HabitsLayer({0.1, 0.5, 0.9, 1}, std::move(hours), std::move(turns_h), std::move(parts)));
  if (start_h) made->start_s = *start_h * kHour_s;
  made->label = "habits";
  return made;
}

/// The integral from one hour behind the beginning to another.
double left_s(Path& path, double from_h, double to_h) {
  PathCursor at(drawn_path([&path] { return path.next(); }));
  double sum = 0;
  for (double now_s = from_h * kHour_s; now_s < to_h * kHour_s;) {
    at.go_to(now_s);
    const double end_s = std::min(at.end_s(), to_h * kHour_s);
    sum += at.value() * (end_s - now_s);
    now_s = end_s;
  }
  return sum;
}

double value_at(const Owner& owner, std::uint64_t replication, double hours, std::size_t machine = 0) {
  PathCursor at(owner.path({kSeed, replication, machine}));
  at.go_to(hours * kHour_s);
  return at.value();
}

}  // namespace

TEST_CASE("a tilted law has the mean that is asked for, on the same values", "[computes][owners][habits]") {
  const std::vector<double> values{0.1, 0.1, 0.4, 1};
  for (const double mean : {0.1, 0.11, 0.3, 0.4, 0.73, 0.999, 1.0}) {
    const TiltedLaw law = tilted(values, mean);
    CHECK(law.mean == Approx(mean).margin(1e-9));
    CHECK(law.weights[0] == law.weights[1]);
    CHECK(law.until_z.size() == values.size());
  }
  CHECK(tilted(values, 0.05).mean == Approx(0.1));  // below all of them there is the least
  // By hand: of 0 and 1 the weight of 1 is the mean, and the normal between them its quantile.
  CHECK(tilted({0, 1}, 0.25).until_z[0] == Approx(0.6744897502).epsilon(1e-8));
}

TEST_CASE("in every hour habits leave its mean, whatever stays", "[owners][habits]") {
  for (const auto& parts : {std::vector<HabitsPart>{{0.9, 1800}, {0.3, 7200, 0.5, 0.5}}, std::vector<HabitsPart>{{0, 600}, {1, 600}}}) {
    const OwnerPtr owner = habits_owner(habits(parts));
    constexpr int kWeeks = 3000;
    for (const auto& [from_h, mean] : {std::pair(3.0, 0.8), std::pair(12.0, 0.4), std::pair(20.0, 0.8), std::pair(130.0, 0.9)}) {
      double sum = 0, squares = 0;
      for (std::uint64_t r = 0; r < kWeeks; ++r) {
        const double x = left_s(*owner->path({kSeed, r, 0}), from_h, from_h + 1) / kHour_s;
        sum += x;
        squares += x * x;
      }
      const double found = sum / kWeeks, se = std::sqrt((squares / kWeeks - found * found) / kWeeks);
      INFO("hour " << from_h);
      CHECK(std::abs(found - mean) < 4 * se);
    }
    CHECK(owner->mean() == Approx((50 * 0.4 + 70 * 0.8 + 48 * 0.9) / 168).epsilon(1e-9));
    CHECK(*owner->expected_left_s(10 * kHour_s) == Approx((8 * 0.8 + 2 * 0.4) * kHour_s));
  }
}

TEST_CASE("what stays does so until the next turn, and no longer", "[owners][habits]") {
  const OwnerPtr owner = habits_owner(habits({{1, 600}, {1, 600}}));
  int changed = 0;
  for (std::uint64_t r = 0; r < 400; ++r) {
    CHECK(value_at(*owner, r, 9) == value_at(*owner, r, 17.9));
    CHECK(value_at(*owner, r, 18.1) == value_at(*owner, r, 31.9));
    changed += value_at(*owner, r, 9) != value_at(*owner, r, 33) ? 1 : 0;  // the next day
  }
  CHECK(changed > 200);
  const OwnerPtr fast = habits_owner(habits({{0, 600}, {0, 600}}));
  int same = 0;
  for (std::uint64_t r = 0; r < 400; ++r) same += value_at(*fast, r, 9) == value_at(*fast, r, 17.9) ? 1 : 0;
  CHECK(same < 300);  // by chance alone
}

TEST_CASE("what machines have in common is the same on all, the rest is their own", "[owners][habits]") {
  const auto agree = [](const HabitsPart& part) {
    const OwnerPtr owner = habits_owner(habits({part, HabitsPart{0, 1800}}));  // at night they have nothing in common
    int same = 0;
    for (std::uint64_t r = 0; r < 400; ++r) same += value_at(*owner, r, 108, 0) == value_at(*owner, r, 108, 1) ? 1 : 0;  // on Friday
    return same;
  };
  CHECK(agree({0.5, 1800, 1, 1}) == 400);
  CHECK(agree({0.5, 1800, 0, 0}) < 250);
  CHECK(agree({1, 1800, 0, 1}) == 400);
  CHECK(agree({0, 1800, 1, 0}) == 400);
}

TEST_CASE("a machine that is away leaves nothing", "[owners][habits]") {
  auto both = std::make_shared<Habits>(*habits({{0, 600}, {0, 600}}));
  both->layers.push_back(HabitsLayer({0, 1}, week(0.75, 0.25, 0), {8 * kHour_s, 18 * kHour_s}, {{1, 600}, {1, 600}}));
  const OwnerPtr owner = habits_owner(both);
  int away = 0;
  constexpr int kDays = 2000;
  for (std::uint64_t r = 0; r < kDays; ++r) away += value_at(*owner, r, 12) <= kLeastAvailability ? 1 : 0;
  CHECK(std::abs(away / static_cast<double>(kDays) - 0.25) < 0.04);
  CHECK(value_at(*owner, 1, 130) <= kLeastAvailability);
  CHECK(owner->mean() == Approx((50 * 0.4 * 0.75 + 70 * 0.8 * 0.25) / 168).epsilon(1e-9));
}

TEST_CASE("both engines see the same habits, begun at a moment of the week or at a random one", "[owners][habits]") {
  for (const std::optional<double> start_h : {std::optional(17.5), std::optional<double>()}) {
    const OwnerPtr owner = habits_owner(habits({{0.5, 1800, 0.5, 0.5}, {0.9, 3600}}, {8, 18}, start_h));
    const auto results = run(computing(machines(3, NetworkKind::none), 20000, owner), 4);
    for (const auto& result : results) {
      double last_s = 0;
      for (std::size_t m = 0; m < 3; ++m) last_s = std::max(last_s, naive_finish(*owner, 1, result.replication, m, 20000, 1));
      CHECK(result.makespan_s == Approx(last_s).epsilon(1e-9));
    }
  }
  CHECK_FALSE(habits_owner(habits({{}, {}}, {8, 18}, std::nullopt))->expected_left_s(3600));
  const OwnerPtr owner = habits_owner(habits({{}, {}}, {8, 18}, 8));
  const OwnerPtr later = owner_under_way(owner, {10 * kHour_s, {}});
  CHECK(*later->expected_left_s(kHour_s) == Approx(0.8 * kHour_s));
}

TEST_CASE("habits that are seen go on from there", "[owners][habits]") {
  const OwnerPtr owner = habits_owner(habits({{1, 600}, {1, 600}}, {8, 18}, 20));
  for (const auto& [plain, is_measured] : {std::pair(owner, false), std::pair(measured_habits(std::get<HabitsOwner>(owner->kind).habits, {{0.3, 0.3, 0.3, 0.3}}, 10), true)}) {
    const OwnerPtr seen = owner_under_way(plain, {2 * kHour_s, 0.1}), blind = owner_under_way(plain, {2 * kHour_s, {}});
    int busy = 0, at_all = 0;
    for (std::uint64_t r = 0; r < 400; ++r) {
      CHECK(value_at(*seen, r, 0) == Approx(0.1));
      busy += value_at(*seen, r, 9.9) < 0.2 ? 1 : 0;   // until eight, twelve hours behind the beginning
      at_all += value_at(*blind, r, 9.9) < 0.2 ? 1 : 0;
    }
    INFO("measured " << is_measured);
    CHECK(busy == 400);
    CHECK(at_all < 200);
    CHECK(*seen->expected_left_s(9 * kHour_s) < 0.2 * 9 * kHour_s);
  }
  const OwnerPtr fast = owner_under_way(habits_owner(habits({{0, 600}, {0, 600}}, {8, 18}, 20)), {0, 0.1});
  int busy = 0;
  for (std::uint64_t r = 0; r < 400; ++r) busy += value_at(*fast, r, 6) < 0.2 ? 1 : 0;
  CHECK(busy < 200);
}

TEST_CASE("a measured level is another in each draw, the same for machines of which the same is said", "[owners][habits]") {
  const OwnerPtr owner = measured_habits(habits({{1, 600}, {1, 600}}), {{0.8, 0.8, 0.8, 0.8}}, 10);
  REQUIRE(owner->is_measured());
  CHECK(measurements(*owner->fit).size() == 4);
  std::set<double> seen;
  for (std::uint64_t draw = 0; draw < 50; ++draw) {
    const OwnerPtr one = drawn(*owner, kSeed, draw);
    const auto& levels = std::get<HabitsOwner>(one->kind).levels;
    REQUIRE(levels.size() == 1);
    REQUIRE(levels.front().size() == 4);
    CHECK(levels.front()[0] != levels.front()[1]);
    seen.insert(levels.front()[0]);
  }
  CHECK(seen.size() == 50);
  double spread = 0;
  for (const double z : seen) spread += z * z / 50;
  CHECK(std::sqrt(spread) > 0.4);
  CHECK(std::sqrt(spread) < 1.6);
}

namespace {

/// Three weeks from Monday, 2 November 2026, by the hour: each hour's value names the day and the hour.
std::shared_ptr<LoadSeries> three_weeks(StampKind kind = StampKind::civil) {
  auto trace = std::make_shared<LoadSeries>();
  for (int day = 0; day < 21; ++day)
    for (int hour = 0; hour < 24; ++hour) trace->add(kHour_s, (day * 24 + hour + 1) / 600.0);
  trace->first = {kind, 1793577600, 0};
  return trace;
}
int hour_seen(const Owner& owner, std::uint64_t replication, double hours = 0, std::size_t machine = 0) {
  return static_cast<int>(std::lround(value_at(owner, replication, hours, machine) * 600)) - 1;
}

}  // namespace

TEST_CASE("a replay by the clock begins on a random day that is like the one that is asked for", "[owners][traces]") {
  const auto days_of = [](const ClockMoment& at) {
    const OwnerPtr owner = trace_owner(three_weeks(), TraceStart::random, "trace", 0, "f", at);
    std::set<int> days;
    for (std::uint64_t r = 0; r < 300; ++r) {
      const int hour = hour_seen(*owner, r);
      CHECK(hour % 24 == static_cast<int>(at.of_day_s / kHour_s));
      CHECK(hour_seen(*owner, r, 30) == (hour + 30) % (21 * 24));  // over midnight, and the series' end is a week's
      days.insert(hour / 24);
    }
    CHECK(owner->moments_to_begin() == static_cast<double>(days.size()));
    return days;
  };
  CHECK(days_of({18 * kHour_s, {}, {}}).size() == 21);
  CHECK(days_of({18 * kHour_s, 1, {}}) == std::set{0, 1, 2, 3, 7, 8, 9, 10, 14, 15, 16, 17});  // Mondays to Thursdays
  CHECK(days_of({18 * kHour_s, 4, {}}) == std::set{4, 11, 18});
  CHECK(days_of({18 * kHour_s, 6, {}}) == std::set{6, 13, 20});
}

TEST_CASE("days on which jobs take equally long are as many observations", "[owners][traces]") {
  const Scenario s = computing(machines(1), 50, trace_owner(three_weeks(), TraceStart::random, "trace", 0, "f", ClockMoment{18 * kHour_s, 4, {}}));
  Moments alike, differ;
  for (int k = 0; k < 2; ++k) alike.add(100);
  for (const double t : {90.0, 110.0}) differ.add(t);
  CHECK(independent_stretches(s, alike) == 3);
  CHECK(independent_stretches(s, differ) == 3);
}

TEST_CASE("what was recorded together is replayed on the same day", "[owners][traces]") {
  const ClockMoment at{9 * kHour_s, 4, {}};
  auto late = std::make_shared<LoadSeries>(in_spans(*three_weeks(), {{5 * kDay_s, 21 * kDay_s}}));
  SharedParts parts;
  const auto together = replayed_together({trace_owner(three_weeks(), TraceStart::random, "a", 0, "f", at),
                                           trace_owner(late, TraceStart::random, "b", 0, "g", at)},
                                          {}, [](std::size_t i) { return std::to_string(i); }, parts);
  std::set<int> days;
  for (std::uint64_t r = 0; r < 100; ++r) {
    CHECK(hour_seen(*together.owners[0], r, 0, 0) == hour_seen(*together.owners[1], r, 0, 1));
    days.insert(hour_seen(*together.owners[0], r) / 24);
  }
  CHECK(days == std::set{11, 18});
}

TEST_CASE("a replay by the clock needs a calendar, and such a day", "[owners][traces]") {
  auto seconds = three_weeks(StampKind::seconds);
  seconds->first.whole_s = 0;
  CHECK_THAT(sentence_of([&] { trace_owner(seconds, TraceStart::random, "trace", 0, "f", ClockMoment{0, {}, {}}); }), Contains("no hour and no day"));
  auto monday = std::make_shared<LoadSeries>(in_spans(*three_weeks(), {{0, kDay_s}}));
  CHECK_THAT(sentence_of([&] { trace_owner(monday, TraceStart::random, "trace", 0, "f", ClockMoment{0, 6, {}}); }), Contains("no such day"));
}
