// Habits that are found in what owners of known habits left: hours, kinds of day, what stays, what is shared; and what says
// that nothing is to be found.
#include "sim/owners/habits_fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/owners/owner_models.hpp"

using namespace nowsim;
using Catch::Contains;

namespace {

/// Steps of five minutes of so many days from Monday on.
LoadSeries recorded(const Owner& owner, std::size_t machine, std::size_t days) {
  LoadSeries series;
  PathCursor at(owner.path({11, 0, machine}));
  for (std::size_t i = 0; i < days * 288; ++i) {
    at.go_to(300 * static_cast<double>(i) + 150);
    series.add(300, at.value() <= kLeastAvailability ? 0 : at.value());
  }
  return series;
}

HabitsAnswer fit_of(const std::vector<LoadSeries>& all, const std::vector<std::int64_t>& held_out = {}, double first_s = 0) {
  std::vector<ClockedSeries> clocked;
  for (const auto& one : all) clocked.push_back({&one, first_s, {}});
  return fit_habits(clocked, held_out);
}

std::vector<LoadSeries> lab(const OwnerPtr& owner, std::size_t machines, std::size_t days) {
  std::vector<LoadSeries> all;
  for (std::size_t m = 0; m < machines; ++m) all.push_back(recorded(*owner, m, days));
  return all;
}

std::vector<double> week(double by_day, double at_night, double free) {
  std::vector<double> hours;
  for (std::size_t h = 0; h < kHoursOfWeek; ++h)
    hours.push_back(h >= 120 ? free : h % 24 >= 8 && h % 24 < 18 ? by_day : at_night);
  return hours;
}

OwnerPtr owner_of(std::vector<double> hours, const HabitsPart& by_day, const HabitsPart& at_night) {
  auto habits = std::make_shared<Habits>();
  habits->layers.push_back(HabitsLayer({0.1, 0.1, 1, 1}, std::move(hours), {8 * kHour_s, 18 * kHour_s}, {by_day, at_night}));
  habits->start_s = 0;
  return habits_owner(habits);
}

}  // namespace

TEST_CASE("habits are found again in four weeks of ten machines", "[computes][owners][habits]") {
  const auto fit = fit_of(lab(owner_of(week(0.5, 0.85, 0.95), {0, 2700, 0.5, 0}, {0.9, 2700, 0, 0}), 10, 28)).fit;
  REQUIRE(fit);
  CHECK(fit->kinds == DayKinds::working_and_free);
  CHECK(fit->working_days == 20);
  CHECK(fit->saturdays == 4);
  CHECK(fit->explained > 0.5);
  REQUIRE(fit->layers.size() == 1);
  const HabitsLayer& one = fit->layers.front().machines.front();
  REQUIRE(one.turns_s == std::vector{8 * kHour_s, 18 * kHour_s});
  CHECK(one.parts[0].slow <= 0.2);
  CHECK(one.parts[0].interval_s > 1500);
  CHECK(one.parts[0].interval_s < 5000);
  CHECK(std::abs(one.parts[0].common - 0.5) <= 0.2);
  CHECK(one.parts[1].slow >= 0.75);
  CHECK(one.parts[1].slow_common <= 0.15);
  double by_day = 0, at_night = 0, free = 0;
  for (const auto& machine : fit->layers.front().machines) {
    for (std::size_t h = 9; h < 17; ++h) by_day += machine.mean_by_hour[h] / 80;
    for (std::size_t h = 20; h < 30; ++h) at_night += machine.mean_by_hour[h] / 100;
    for (std::size_t h = 130; h < 140; ++h) free += machine.mean_by_hour[h] / 100;
  }
  CHECK(by_day == Approx(0.5).margin(0.05));
  CHECK(at_night == Approx(0.85).margin(0.04));
  CHECK(free == Approx(0.95).margin(0.05));
  for (const double se : fit->layers.front().level_se) {
    CHECK(se > 0);
    CHECK(se < 0.5);
  }
}

TEST_CASE("a machine that is away for whole days is told from one that is busy", "[owners][habits]") {
  auto habits = std::make_shared<Habits>();
  habits->layers.push_back(HabitsLayer({0.3, 0.7, 1}, week(0.6, 0.9, 0.9), {}, {HabitsPart{0, 1800}}));
  habits->layers.push_back(HabitsLayer({0, 1}, week(0.8, 0.2, 0.1), {8 * kHour_s}, {HabitsPart{1, 3600}}));
  habits->start_s = 0;
  const auto fit = fit_of(lab(habits_owner(habits), 8, 28)).fit;
  REQUIRE(fit);
  REQUIRE(fit->layers.size() == 3);
  CHECK(fit->layers[1].block == "present");
  CHECK(fit->layers[2].block == "comes");
  CHECK(fit->layers[2].machines.front().parts.front().slow >= 0.9);
  CHECK(fit->layers[0].machines.front().parts.front().slow <= 0.2);
  double there = 0;
  for (std::size_t m = 0; m < 8; ++m)
    for (std::size_t h = 9; h < 17; ++h) there += fit->layers[1].machines[m].mean_by_hour[h] * fit->layers[2].machines[m].mean_by_hour[h] / 64;
  CHECK(there == Approx(0.8).margin(0.08));
}

TEST_CASE("jobs that were left are told from sessions, and leave what was measured", "[owners][habits]") {
  auto habits = std::make_shared<Habits>();
  habits->layers.push_back(HabitsLayer({0.2, 1}, week(0.6, 0.95, 0.95), {}, {HabitsPart{0, 2700}}));
  habits->layers.push_back(HabitsLayer({0.25, 1}, week(1, 0.925, 1), {8 * kHour_s, 18 * kHour_s}, {HabitsPart{1, 3600}, HabitsPart{1, 3600}}));
  habits->start_s = 0;
  const auto all = lab(habits_owner(habits), 10, 28);
  const auto fit = fit_of(all).fit;
  REQUIRE(fit);
  REQUIRE(fit->layers.size() == 2);
  CHECK(fit->layers[1].block == "left");
  CHECK(fit->layers[1].machines.front().values.front() == Approx(0.25).margin(0.1));
  double fitted = 0, measured = 0;
  for (std::size_t m = 0; m < all.size(); ++m) {
    for (std::size_t h = 0; h < kHoursOfWeek; ++h)
      fitted += fit->layers[0].machines[m].law_at(h).mean * fit->layers[1].machines[m].law_at(h).mean / (168.0 * 10);
    measured += all[m].mean() / 10;
  }
  CHECK(fitted == Approx(measured).margin(0.02));
  // Machines that are slow for ever have no jobs that were left.
  std::vector<LoadSeries> slow;
  for (std::size_t m = 0; m < 6; ++m) {
    slow.emplace_back();
    for (std::size_t i = 0; i < 14 * 288; ++i) slow.back().add(300, (m < 3 ? 0.62 : 0.38) - (i % 288 / 12 >= 8 && i % 288 / 12 < 18 ? 0.01 * static_cast<double>(1 + i % 7) : 0));
  }
  const auto of_slow = fit_of(slow).fit;
  REQUIRE(of_slow);
  CHECK(of_slow->layers.size() == 1);
}

TEST_CASE("where hours foretell nothing, or there is too little, that is said", "[owners][habits]") {
  const OwnerPtr flat = intervals_owner(make_value_law("uniform", 0.5, 0.5), make_length_law("exponential", 1800, 3), "test");
  CHECK_THAT(fit_of(lab(flat, 1, 14)).why_not, Contains("no pattern by the day"));
  const OwnerPtr owner = owner_of(week(0.5, 0.85, 0.95), {0, 2700}, {0.9, 2700});
  CHECK_THAT(fit_of(lab(owner, 3, 2)).why_not, Contains("2 days have data") && Contains("it takes 3"));
  CHECK_THAT(fit_of(lab(owner, 3, 4), {0, 1}).why_not, Contains("2 days have data"));
  LoadSeries idle;
  for (int i = 0; i < 14 * 288; ++i) idle.add(300, 1);
  CHECK_THAT(fit_of({idle}).why_not, Contains("does not vary"));
}

TEST_CASE("hours follow the clock where it is put on", "[owners][habits]") {
  // Busy from eight to ten by the clock on the wall, which is put on by an hour in the middle.
  LoadSeries series;
  for (int i = 0; i < 28 * 24; ++i) {
    const int wall = i + (i >= 14 * 24 ? 1 : 0);
    series.add(kHour_s, wall % 24 >= 8 && wall % 24 < 10 ? 0.2 + 0.1 * (wall / 24 % 2) : 1);
  }
  const HabitsAnswer kept = fit_habits({{&series, 0, {}}}), put_on = fit_habits({{&series, 0, {{14 * kDay_s, kHour_s}}}});
  REQUIRE(put_on.fit);
  CHECK(put_on.fit->explained > 0.95);
  CHECK(kept.fit->explained < 0.8);
  const auto& hours = put_on.fit->layers.front().machines.front().mean_by_hour;
  CHECK(hours[7] > 0.95);
  CHECK(hours[9] < 0.35);
}
