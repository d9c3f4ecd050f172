// What owners are expected to leave from a job's beginning on: against what they leave in thousands of replications.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/owners/owner.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/program/computing_time.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

OwnerPtr intervals(double th = 0.3, double length_s = 600) {
  const double half = 0.5 * th * std::sqrt(3.0);
  return intervals_owner(uniform(0.5 - half, 0.5 + half), uniform(0, 2 * length_s), "intervals");
}

/// Mostly free until noon, then hardly; starts at 10:30.
DiurnalPattern half_days(double start_h = 10.5) {
  std::vector<double> hours(24, 0.9);
  for (std::size_t h = 12; h < 24; ++h) hours[h] = 0.2;
  return {hours, start_h * 3600};
}

OwnerPtr recorded(TraceStart start) {
  auto trace = std::make_shared<LoadSeries>();
  trace->start_s = {0, 100, 400};
  trace->duration_s = {100, 300, 100};
  trace->availability = {0.2, 1.0, 0.5};
  trace->total_s = 500;
  return trace_owner(trace, start, "recorded");
}

/// The mean of what is left in replications that nothing else has seen, and its standard error.
std::pair<double, double> sampled(const OwnerPtr& owner, double seconds) {
  Scenario s = computing(machines(1, NetworkKind::none), 1, owner);
  Moments left_s;
  for (const double x : available_time(s, 0, seconds, {1000, 4000})) left_s.add(x);
  return {left_s.mean(), left_s.sd() / std::sqrt(4000.0)};
}

}  // namespace

TEST_CASE("What is left by the clock is the sum over hours, by hand", "[computes][owners][clock]") {
  const OwnerPtr owner = diurnal_owner(intervals(), half_days());
  CHECK(*owner->expected_left_s(3600) == Approx(0.9 * 3600));
  CHECK(*owner->expected_left_s(3 * 3600) == Approx((1.5 * 0.9 + 1.5 * 0.2) * 3600));
  CHECK(*owner->expected_left_s(49 * 3600) == Approx((24 * 1.1 + 0.9) * 3600));
  const OwnerPtr aligned = duty_cycle_owner(10, 0.3, false);
  CHECK(*aligned->expected_left_s(5) == Approx(5));
  CHECK(*aligned->expected_left_s(29) == Approx(21));
  CHECK(*recorded(TraceStart::beginning)->expected_left_s(250) == Approx(20 + 150));
  CHECK(*recorded(TraceStart::beginning)->expected_left_s(1050) == Approx(2 * 370 + 10));
  CHECK(*profile_of("10 0.5\n20 1\nPERIODICITY 30\n")->expected_left_s(35) == Approx(10 + 5 + 15));
  CHECK(*profile_of("10 0.5\n20 1\n")->expected_left_s(1000) == Approx(995));
}

TEST_CASE("Owners without a clock leave the same on average whenever a job begins", "[owners][clock]") {
  for (const OwnerPtr& owner :
       {intervals(), dedicated_owner(), duty_cycle_owner(10, 0.3, true), recorded(TraceStart::random),
        profile_of("STOCHASTIC LOOP\nDET 10 UNIF 0 1\n"), diurnal_owner(intervals(), {half_days().mean_by_hour, {}})})
    CHECK_FALSE(owner->expected_left_s(100));
}

TEST_CASE("What is expected is what replications leave on average", "[owners][clock][statistical]") {
  const OwnerPtr by_day = diurnal_owner(intervals(), half_days());
  const std::vector<OwnerPtr> owners{
      by_day,
      diurnal_owner(duty_cycle_owner(7200, 0.5, false), half_days()),
      later_owner(*by_day, 4000),
      owner_under_way(intervals(0.4, 3600), {100, 0.2}),
      owner_under_way(by_day, {1800, 0.3}),
      owner_under_way(duty_cycle_owner(7200, 0.5, true), {100, 1.0}),
      owner_under_way(recorded(TraceStart::random), {100, 0.2}),
      profile_of("STOCHASTIC\nDET 600 UNIF 0 1\nDET 1200 UNIF 0.5 0.7\n"),
  };
  for (const OwnerPtr& owner : owners)
    for (const double seconds : {900.0, 7000.0, 20000.0}) {
      INFO(owner->describe() << ", " << seconds << " s");
      REQUIRE(owner->expected_left_s(seconds));
      const auto [mean, error] = sampled(owner, seconds);
      // The expectation itself may be by 400 paths.
      CHECK(*owner->expected_left_s(seconds) == Approx(mean).margin(4.5 * error * std::sqrt(11.0) + 1e-6 * seconds));
    }
}

TEST_CASE("Owner jobs that come by the hour take as much of the task as they ask for", "[owners][clock][jobs]") {
  const auto jobs = jobs_owner(exponential(600), exponential(60), Discipline::processor_sharing, 1, "jobs");
  const OwnerPtr owner = diurnal_owner(jobs, half_days());
  CHECK(*owner->expected_left_s(3600) == Approx(0.9 * 3600));
  CHECK(*owner->expected_left_s(3 * 3600) == Approx((1.5 * 0.9 + 1.5 * 0.2) * 3600));
  CHECK_FALSE(jobs->expected_left_s(3600));
}
