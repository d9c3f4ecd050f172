// Patterns by hour: exact means, borders between hours, a clock that all share, and what is refused.
#include "sim/owners/diurnal.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/owners/owner_models.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// 24 hours of this mean, but for those given.
std::vector<double> day(double usual, const std::vector<std::pair<std::size_t, double>>& others = {}) {
  std::vector<double> hours(24, usual);
  for (const auto& [hour, mean] : others) hours[hour] = mean;
  return hours;
}

constexpr double at(double hours, double minutes = 0) { return 3600 * hours + 60 * minutes; }

OwnerPtr busy_and_idle(double mean = 0.5, double th = 0.5) {
  return intervals_owner(make_value_law("uniform", mean, th), make_length_law("exponential", 200, 3), "test");
}

/// Machines of 1 flop/s under this owner, each with this work: T on both engines.
double makespan(const OwnerPtr& owner, double work) {
  const auto results = run(computing(machines(2, NetworkKind::none), work, owner));
  return results.front().makespan_s;
}

/// The time averages of A in each of 24 hours, over many days, and its extremes.
struct Measured {
  std::vector<double> mean = std::vector<double>(24);
  double least = 1, most = 0, squares = 0;
};
Measured measured(const Owner& owner, int days) {
  Measured m;
  const auto path = owner.path({3, 0, 0});
  for (double t = 0; t < 86400.0 * days;) {
    const Step step = path->next();
    const auto hour = static_cast<std::size_t>((t + step.duration_s / 2) / 3600) % 24;
    m.mean[hour] += step.duration_s * step.value / (3600.0 * days);
    m.squares += step.duration_s * step.value * step.value / (86400.0 * days);
    m.least = std::min(m.least, step.value);
    m.most = std::max(m.most, step.value);
    t += step.duration_s;
  }
  return m;
}

}  // namespace

TEST_CASE("A dedicated machine has the pattern itself, hour by hour, and over midnight", "[reads][diurnal]") {
  const OwnerPtr owner = diurnal_owner(dedicated_owner(), {day(0.5, {{22, 0.25}, {23, 0.75}, {0, 1}}), at(22, 15)});
  const auto path = owner->path({1, 0, 0});
  const Step expected[] = {{2700, 0.25}, {3600, 0.75}, {3600, 1}, {3600, 0.5}};
  for (const Step& step : expected) {
    const Step found = path->next();
    CHECK(found.duration_s == Approx(step.duration_s));
    CHECK(found.value == step.value);
  }
  CHECK(owner->mean() == Approx((21 * 0.5 + 2) / 24));
  std::vector<double> week(168, 0.5);  // it goes on from Sunday to Monday
  week[167] = 0.2;
  week[0] = 0.9;
  const auto by_week = diurnal_owner(dedicated_owner(), {week, at(167, 30)})->path({1, 0, 0});
  for (const double value : {0.2, 0.9, 0.5}) CHECK(by_week->next().value == value);
}

TEST_CASE("A job crosses the border between two hours", "[diurnal][engine]") {
  // From 17:30 on 1800 s at 0.5 give 900 of 1000 flop, and the last 100 take 400 s at 0.25.
  CHECK(makespan(diurnal_owner(dedicated_owner(), {day(1, {{17, 0.5}, {18, 0.25}}), at(17, 30)}), 1000) ==
        Approx(2200));
  // Below the model's mean a pattern scales what is left, above it what the owner takes. 600 s free, 400 s busy, mean
  // 0.6. At 0.3 A is 0.5 or 0, at 0.8 it is 1 or 0.5. From 17:50 on: 600 s at 0.5, then 400 s (from 18:00) at 0.5, then
  // the last 200 of 700 flop at 1.
  const OwnerPtr cycle = duty_cycle_owner(1000, 0.4, false);
  CHECK(makespan(diurnal_owner(cycle, {day(1, {{17, 0.3}, {18, 0.8}}), at(17, 50)}), 700) == Approx(1200));
}

TEST_CASE("Every hour has its mean, over any model, and the moments are those of the whole day",
          "[diurnal][statistics]") {
  // 2000 days: an hour's mean has a variance of at most Var A·2·200 s/(3600 s·2000), a standard error of 0.0022.
  constexpr int kDays = 2000;
  const auto hours = day(0.4, {{3, 0.9}, {4, 0.5}, {5, 0.05}, {6, 0}, {7, 1}});
  const OwnerPtr correlated =
      correlated_owner(make_value_law("beta", 0.6, 0.5), make_length_law("uniform", 150, 3), 0.5, "c");
  for (const auto& base : {busy_and_idle(), correlated, duty_cycle_owner(777, 0.3, true)}) {
    const OwnerPtr owner = diurnal_owner(base, {hours, 0});
    const Measured m = measured(*owner, kDays);
    INFO(owner->describe());
    double mean = 0;
    for (std::size_t h = 0; h < 24; ++h) {
      CHECK(m.mean[h] == Approx(hours[h]).margin(4.5 * 0.0022));
      mean += m.mean[h] / 24;
    }
    CHECK(owner->mean() == Approx(mean).margin(0.002));
    CHECK(owner->sd() == Approx(std::sqrt(m.squares - mean * mean)).margin(0.005));
    CHECK(m.least >= kLeastAvailability);
    CHECK(m.most <= 1);
  }
}

TEST_CASE("A random start is common to all machines, new in each replication, and the same by day and by week",
          "[diurnal]") {
  const auto first = [](const OwnerPtr& owner, std::uint64_t replication, std::uint64_t workstation) {
    return owner->path({1, replication, workstation})->next();
  };
  std::vector<double> hours(24), week(168);
  for (std::size_t h = 0; h < 168; ++h) hours[h % 24] = week[h] = static_cast<double>(h % 24) / 24;
  const OwnerPtr by_day = diurnal_owner(dedicated_owner(), {hours, {}}),
                 by_week = diurnal_owner(dedicated_owner(), {week, {}});
  double sum = 0;
  for (std::uint64_t k = 0; k < 4000; ++k) {
    const Step step = first(by_day, k, 0);
    if (k < 20) {
      CHECK(first(by_day, k, 9).value == step.value);
      CHECK(first(by_day, k, 9).duration_s == step.duration_s);
      CHECK(first(by_week, k, 4).value == step.value);
      CHECK(first(by_week, k, 4).duration_s == Approx(step.duration_s));
      CHECK(first(by_day, k + 1, 0).duration_s != step.duration_s);
    }
    sum += step.value;
  }
  CHECK(sum / 4000 == Approx(11.5 / 24).margin(4.5 * 0.2885 / std::sqrt(4000)));  // all hours alike
}

TEST_CASE("Both engines run patterns over other models alike", "[diurnal][engine]") {
  const auto hours = day(0.4, {{3, 0.9}, {4, 0.5}, {5, 0.05}, {6, 1}});
  Scenario s = computing(machines(3, NetworkKind::none), 4000, diurnal_owner(busy_and_idle(), {hours, {}}));
  s.owners[1] = diurnal_owner(duty_cycle_owner(777, 0.3, true), {hours, at(4, 59)});
  for (const auto& r : run(s, 20))
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(r[Quantity::finish_s][i] ==
            Approx(naive_finish(*s.owners[i], s.seed, r.replication, i, 4000, 1)).epsilon(1e-9));
}

TEST_CASE("A pattern is part of a model's identity, and makes it no renewal process", "[diurnal]") {
  const auto with = [](std::vector<double> hours, std::optional<double> start) {
    return diurnal_owner(busy_and_idle(), {std::move(hours), start});
  };
  const OwnerPtr one = with(day(0.5), 0.0);
  CHECK(one->identity() == with(day(0.5), 0.0)->identity());
  CHECK(one->identity() != with(day(0.5), 1.0)->identity());
  CHECK(one->identity() != with(day(0.5), std::nullopt)->identity());
  CHECK(one->identity() != with(day(0.5, {{7, 0.4}}), 0.0)->identity());
  CHECK_FALSE(one->renewal());
  CHECK_FALSE(std::holds_alternative<RenewalDraws>(lane_form(*one, {})));
  CHECK(one->dependence().kind == Dependence::Kind::clock);
  CHECK(mirrored(*one)->mean() == one->mean());
  CHECK(mirrored(*diurnal_owner(dedicated_owner(), {day(0.5), 0.0}))->mean() == 0.5);
  CHECK(mirrored(*diurnal_owner(duty_cycle_owner(10, 0.5, true), {day(0.5), 0.0})) == nullptr);
  CHECK_FALSE(diurnal_owner(dedicated_owner(), {day(1), 0.0})->is_dedicated());
}

TEST_CASE("A pattern of nothing says in one step that it is for ever", "[diurnal]") {
  const Step step = diurnal_owner(busy_and_idle(), {day(0), {}})->path({1, 0, 0})->next();
  CHECK(std::isinf(step.duration_s));
  CHECK(step.value == kLeastAvailability);
}

TEST_CASE("Patterns that cannot be are refused", "[diurnal][error]") {
  const auto made = [](std::vector<double> hours, std::optional<double> start = {}) {
    return diurnal_owner(dedicated_owner(), {std::move(hours), start});
  };
  for (const std::size_t n : {0, 23, 25, 167}) CHECK_THROWS_AS(made(std::vector<double>(n, 0.5)), InputError);
  for (const double mean : {-0.1, 1.1, std::nan("")}) CHECK_THROWS_AS(made(day(0.5, {{4, mean}})), InputError);
  for (const double start : {-1.0, 86400.0, std::nan("")}) CHECK_THROWS_AS(made(day(0.5), start), InputError);
  CHECK_THROWS_AS(diurnal_owner(poisson_jobs(0.3, exponential(2), Discipline::processor_sharing), {day(0), {}}),
                  InputError);
}
