// Owner models: paths, long-run moments, the floor on 0, the spread of TH; and fewer, longer intervals for the many.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/scenario.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// Time-weighted mean and standard deviation of one long path.
std::pair<double, double> measured(const Owner& owner, double horizon) {
  const auto path = owner.path({5, 0, 0});
  double t = 0, sum = 0, squares = 0;
  while (t < horizon) {
    const Step s = path->next();
    const double lasts = std::min(s.duration_s, horizon - t);
    sum += lasts * s.value;
    squares += lasts * s.value * s.value;
    t += lasts;
  }
  const double mean = sum / t;
  return {mean, std::sqrt(std::max(0.0, squares / t - mean * mean))};
}

OwnerPtr owner_of(const char* value, double mean, double th, const char* length, double interval_s) {
  return intervals_owner(make_value_law(value, mean, th), make_length_law(length, interval_s, 3),
                         std::string(value) + " " + length);
}

double memory_s(const IntervalModel& m) { return m.mean_square_length / m.mean_length_s; }

std::vector<double> times_s(const OwnerPtr& owner, double work_s) {
  std::vector<double> times;
  for (const auto& run : run_batch_direct(computing(machines({1.0}, NetworkKind::none), work_s, owner), {0, 4000}))
    times.push_back(run.makespan_s);
  std::ranges::sort(times);
  return times;
}

}  // namespace

TEST_CASE("A path's long-run moments are the model's", "[reads][owners]") {
  // 2·10^5 intervals: the mean's standard error is below 0.002, taken six-fold; the seed is fixed.
  const auto interval_owner = [](const char* value, double th, const char* length) {
    return intervals_owner(make_value_law(value, 0.5, th), make_length_law(length, 5, 3), "test");
  };
  for (const auto& owner : {interval_owner("uniform", 0.56, "uniform"), interval_owner("beta", 0.8, "exponential"),
                            interval_owner("two-point", 1.0, "constant"), interval_owner("truncated-normal", 0.5, "pareto"),
                            duty_cycle_owner(10, 0.3, true), profile_of("STOCHASTIC LOOP\nEXP 0.5 UNIF 0 1\nUNIF 0 4 DET 0.2\n")}) {
    const auto [mean, sd] = measured(*owner, 1e6);
    INFO(owner->describe());
    CHECK(mean == Approx(owner->mean()).margin(0.012));
    CHECK(sd == Approx(owner->sd()).margin(0.012));
  }
}

TEST_CASE("A duty cycle's phase is random in each replication and machine, or aligned", "[owners]") {
  const auto first = [](const OwnerPtr& owner, std::uint64_t replication, std::uint64_t machine) {
    return owner->path({1, replication, machine})->next().duration_s;
  };
  const OwnerPtr aligned = duty_cycle_owner(10, 0.4, false), random = duty_cycle_owner(10, 0.4, true);
  CHECK(first(aligned, 0, 0) == Approx(6));
  CHECK(first(aligned, 3, 2) == Approx(6));
  CHECK(first(random, 0, 0) != first(random, 1, 0));
  CHECK(first(random, 0, 0) != first(random, 0, 1));
  // The first step is never longer than its part, and the second is a whole one.
  for (std::uint64_t k = 0; k < 200; ++k) {
    const auto path = random->path({1, k, 0});
    const Step a = path->next(), b = path->next();
    CHECK(a.duration_s <= (a.value == 1 ? 6 : 4) + 1e-12);
    CHECK(b.duration_s == Approx(b.value == 1 ? 6 : 4));
  }
}

TEST_CASE("A duty cycle's parameters have bounds", "[owners][error]") {
  for (const double period : {0.0, -1.0, std::nan(""), HUGE_VAL}) CHECK_THROWS_AS(duty_cycle_owner(period, 0.5, true), InputError);
  for (const double busy : {-0.1, 1.1, std::nan("")}) CHECK_THROWS_AS(duty_cycle_owner(10, busy, true), InputError);
}

TEST_CASE("TH is spread linearly over the workstations, with mean TH and maximum TH + SH", "[owners]") {
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(spread_temporal_heterogeneity(0.28, 0.14, 8, i) == Approx(0.14 + 0.04 * static_cast<double>(i)));
  CHECK(spread_temporal_heterogeneity(0.3, 0, 1, 0) == 0.3);
  CHECK(spread_temporal_heterogeneity(0.3, 0.3, 2, 0) == Approx(0).margin(1e-15));
  CHECK_THROWS_AS(spread_temporal_heterogeneity(0.3, 0.1, 1, 0), InfeasibleError);
  CHECK_THROWS_AS(spread_temporal_heterogeneity(0.3, 0.31, 4, 0), InfeasibleError);
  CHECK_THROWS_AS(spread_temporal_heterogeneity(-0.1, 0, 4, 0), InputError);
  CHECK_THROWS_AS(spread_temporal_heterogeneity(0.1, -0.1, 4, 0), InputError);
}

TEST_CASE("Availability 0 has its floor, and a model that leaves nothing for ever says so in one step", "[owners]") {
  const auto path = profile_of("0 0\n1 0.25\n")->path({1, 0, 0});
  CHECK(path->next().value == kLeastAvailability);
  CHECK(path->next().value == 0.25);
  const auto step = [](const OwnerPtr& owner, int number) {
    const auto steps = owner->path({1, 2, 3});
    for (int k = 1; k < number; ++k) steps->next();
    return steps->next();
  };
  const auto ever_nothing = [](const Step& s) { return std::isinf(s.duration_s) && s.value == kLeastAvailability; };
  CHECK(ever_nothing(step(duty_cycle_owner(10, 1, true), 1)));
  CHECK(ever_nothing(step(intervals_owner(constant(0), constant(3), "test"), 1)));
  CHECK(ever_nothing(step(profile_of("PERIODICITY 20\n0 0\n"), 1)));
  const OwnerPtr later = profile_of("PERIODICITY 20\n5 0\n");
  CHECK(step(later, 1).duration_s == 5);
  CHECK(step(later, 1).value == 1);
  CHECK(ever_nothing(step(later, 2)));
  CHECK(ever_nothing(step(later, 3)));
  CHECK(step(duty_cycle_owner(10, 0, true), 1).value == 1);
}

TEST_CASE("Fewer intervals have the mean and the long-run variance of the many", "[owner][coarse]") {
  for (const char* length : {"uniform", "exponential", "constant"}) {
    const OwnerPtr many = owner_of("beta", 0.4, 0.5, length, 1.5), few = coarsened(*many, 10000);
    REQUIRE(few);
    const IntervalModel a = *many->renewal(), b = *few->renewal();
    CHECK(b.mean_availability == Approx(a.mean_availability));
    CHECK(b.th * b.th * memory_s(b) == Approx(a.th * a.th * memory_s(a)));
    CHECK(b.mean_length_s == Approx(20));
    CHECK(few->identity() != many->identity());
  }
}

TEST_CASE("A job's time has the same quantiles to within the bound", "[owner][coarse][statistical]") {
  // The second has nearly the error that the bound lets through.
  for (const OwnerPtr& many : {owner_of("uniform", 0.5, 0.3, "uniform", 1), owner_of("two-point", 0.6, 0.6, "exponential", 1)}) {
    constexpr double kWork_s = 2500;
    const double time_s = kWork_s / many->mean();
    const OwnerPtr few = coarsened(*many, time_s);
    REQUIRE(few);
    const auto a = times_s(many, kWork_s), b = times_s(few, kWork_s);
    for (const double q : {0.05, 0.5, 0.95, 0.99}) {
      const auto at = [&](const std::vector<double>& t) { return t[static_cast<std::size_t>(q * 4000)]; };
      // Both are of 4000: an order statistic's standard error is some sd/sqrt(4000) times 1.3 to 4.
      const double sd_s = time_s * many->temporal_heterogeneity() * std::sqrt(memory_s(*many->renewal()) / time_s);
      INFO(many->describe() << " at " << q);
      CHECK(std::abs(at(b) - at(a)) < kCoarseningError * time_s + 4 * 1.4 * (q == 0.99 ? 4 : 2.1) * sd_s / std::sqrt(4000));
    }
  }
}

TEST_CASE("Where fewer intervals would not do, or save nothing, there are none", "[owner][coarse]") {
  const OwnerPtr owner = owner_of("uniform", 0.5, 0.3, "uniform", 10);
  CHECK(coarsened(*owner, 20000));
  CHECK_FALSE(coarsened(*owner, 19000));                                                 // fewer than 2000 already
  CHECK_FALSE(coarsened(*owner_of("uniform", 0.5, 0.3, "pareto", 1), 1e5));              // no fourth moment
  CHECK_FALSE(coarsened(*owner_of("constant", 0.5, 0, "uniform", 1), 1e5));
  const auto lognormal = intervals_owner(make_value_law("uniform", 0.5, 0.3), make_length_law("lognormal", 1, 3), "lognormal");
  CHECK_FALSE(coarsened(*lognormal, 1e5));  // its moments are in a tail that quantiles do not tell
  CHECK_FALSE(coarsened(*owner_of("beta", 0.999, 0.03, "exponential", 1), 2000));        // it is seldom there, and then for all
  CHECK_FALSE(coarsened(*dedicated_owner(), 1e9));
  CHECK_FALSE(coarsened(*duty_cycle_owner(10, 0.3, true), 1e9));
}

TEST_CASE("An owner found in an interval goes on from it, in fewer", "[owner][coarse][under-way]") {
  const OwnerPtr few = coarsened(*under_way(*owner_of("uniform", 0.5, 0.3, "uniform", 1), {50, 0.6}), 1e4);
  REQUIRE(few);
  const auto path = few->path({1, 0, 0, Purpose::owner});
  const Step first = path->next();
  CHECK(first.value == 0.6);
  CHECK(first.duration_s <= 2);  // of the owner's own intervals
  double longest = 0;
  for (int k = 0; k < 100; ++k) longest = std::max(longest, path->next().duration_s);
  CHECK(longest > 10);
}

TEST_CASE("Measured owners are coarsened draw by draw", "[owner][coarse][measured]") {
  const auto make = [](const FittedParameters& p) { return owner_of("uniform", p.mean, std::min(p.th, 0.2), "uniform", p.interval_s); };
  const FittedParameters at{0.6, 0.2, 1};
  const OwnerPtr many = measured_owner(make(at), at, {30, 0.02, 0.1, 0.3}, make, "one"), few = coarsened(*many, 1e4);
  REQUIRE(few);
  REQUIRE(few->is_measured());
  for (const std::uint64_t draw : {0, 3}) {
    const IntervalModel a = *drawn(*many, 1, draw)->renewal(), b = *drawn(*few, 1, draw)->renewal();
    CHECK(b.mean_availability == Approx(a.mean_availability));
    CHECK(b.th * b.th * memory_s(b) == Approx(a.th * a.th * memory_s(a)));
  }
}
