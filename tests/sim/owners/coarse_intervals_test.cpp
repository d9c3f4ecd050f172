// Tests of fewer, longer intervals: what they have in common with the many, and what a job's time makes of them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/engines/direct/engine.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/scenario.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

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

TEST_CASE("Fewer intervals have the mean and the long-run variance of the many", "[reads][owner][coarse]") {
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
