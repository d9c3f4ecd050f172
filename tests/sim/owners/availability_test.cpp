// Owner models: their paths, long-run moments, the floor on 0, and the spread of TH over workstations.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
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
