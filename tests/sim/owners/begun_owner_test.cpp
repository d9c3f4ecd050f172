// Owners that a job finds in the middle of something, or at a random moment: by hand, and against later paths.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/engines/direct/availability_lanes.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/computing_time.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/statistics.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Steps = std::vector<Step>;

Steps first_steps(const Owner& owner, std::size_t count, std::uint64_t replication = 0, std::uint32_t workstation = 0) {
  const auto path = owner.path({1, replication, workstation, Purpose::owner});
  Steps steps;
  while (steps.size() < count) steps.push_back(path->next());
  return steps;
}

/// A path's availability at a time.
double availability_at(const Owner& owner, double t, std::uint64_t replication, std::uint32_t workstation = 0) {
  const auto path = owner.path({1, replication, workstation, Purpose::owner});
  for (Step step = path->next();; step = path->next()) {
    if (t < step.duration_s) return step.value;
    t -= step.duration_s;
  }
}

OwnerPtr two_values(const std::string& length, double interval_s = 10) {
  return intervals_owner(make_value_law("two-point", 0.6, 0.5), make_length_law(length, interval_s, 3), "two-point " + length);
}

OwnerPtr trace_of(std::vector<double> availability, TraceStart start) {
  LoadSeries trace;
  for (const double a : availability) {
    trace.start_s.push_back(trace.total_s);
    trace.duration_s.push_back(10);
    trace.availability.push_back(a);
    trace.total_s += 10;
  }
  return trace_owner(std::make_shared<const LoadSeries>(std::move(trace)), start, "trace");
}

/// The owner so much later sees what its own path has from then on.
void check_is_further_on(const OwnerPtr& owner, double elapsed_s) {
  const OwnerPtr later = under_way(*owner, {elapsed_s, {}});
  REQUIRE(later);
  CHECK(later->identity() != owner->identity());
  for (const double t : {0.25, 3.5, 17.75, 120.5})
    for (const std::uint64_t k : {0, 5}) {
      INFO(owner->describe() << " at " << t);
      CHECK(availability_at(*later, t, k) == availability_at(*owner, elapsed_s + t, k));
    }
}

OwnerPtr owner_of(const char* value, double th, const char* length, double spread, OwnerStart start, double weight = 0) {
  return correlated_owner(make_value_law(value, 0.5, th), make_length_law(length, 10, spread), weight,
                          std::string(value) + " " + length, {}, start);
}

/// What a path leaves until each of some times, rising [s].
std::vector<double> left_until(const Owner& owner, const std::vector<double>& times_s, const StreamKey& key) {
  const auto path = owner.path(key);
  std::vector<double> out;
  Step step = path->next();
  double at = 0, sum = 0;
  for (const double until : times_s) {
    for (; at + step.duration_s < until; step = path->next()) at += step.duration_s, sum += step.duration_s * step.value;
    out.push_back(sum + (until - at) * step.value);
  }
  return out;
}

/// The integral over s from 0 to t of (t - s)·P[R > s], which is E[(t - R)^+ R + ...]: of each R, its min(R, t)(t - min(R, t)/2).
double variance_integral(const Distribution& length, double t) {
  const ResidualLifePtr life = residual_life(length);
  constexpr int kCells = 600;
  double sum = 0;
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j) {
      const double r = std::min(t, life->at((i + 0.5) / kCells, (j + 0.5) / kCells));
      sum += r * (t - 0.5 * r);
    }
  return sum / kCells / kCells;
}

}  // namespace

TEST_CASE("An interval that is seen goes on for its excess, and then the owner as ever", "[reads][owner][under-way]") {
  for (const char* law : {"constant", "uniform", "exponential"}) {
    const OwnerPtr owner = two_values(law), later = under_way(*owner, {1000, 0.3});
    REQUIRE(later);
    CHECK(later->mean() == owner->mean());
    Moments first;
    for (std::uint64_t k = 0; k < 4000; ++k) {
      const Steps steps = first_steps(*later, 3, k), own = first_steps(*owner, 2, k);
      CHECK(steps[0].value == 0.3);
      CHECK((steps[1].value == own[0].value && steps[1].duration_s == own[0].duration_s));
      CHECK(steps[2].duration_s == own[1].duration_s);
      first.add(steps[0].duration_s);
    }
    INFO(law);
    if (law == std::string("constant")) {  // whose own paths keep their beginning in mind
      CHECK(first.max() <= 10);
      CHECK(first.mean() == Approx(5).epsilon(0.03));
      continue;
    }
    // As long as intervals of the owner's own paths last from a moment far from their beginning.
    Moments own;
    for (std::uint64_t k = 0; k < 4000; ++k) {
      const auto path = owner->path({2, k, 0, Purpose::owner});
      double left = 1000;
      Step step = path->next();
      for (; left >= step.duration_s; step = path->next()) left -= step.duration_s;
      own.add(step.duration_s - left);
    }
    const double error = std::sqrt((own.variance() + first.variance()) / 4000);
    CHECK(std::abs(first.mean() - own.mean()) < 4 * error);
  }
  CHECK_FALSE(under_way(*two_values("uniform"), {1000, {}}));  // it has no clock
  CHECK_FALSE(under_way(*dedicated_owner(), {1000, 0.3}));
}

TEST_CASE("What is expected when something is seen is what is expected at first, on average", "[owner][under-way]") {
  // T = E[T | what is seen after a while], by replications of the owner's own whose state then is handed on.
  constexpr double kElapsed_s = 50, kWork = 60;
  constexpr std::uint64_t kStates = 300;
  for (const OwnerPtr& owner : {two_values("exponential", 20), two_values("uniform", 20)}) {
    const Scenario whole = computing(machines(1, NetworkKind::none), kWork, owner);
    const Moments planned = computing_time(whole, 0, kWork, {0, 4000});
    const auto done = available_time(whole, 0, kElapsed_s, {0, kStates});
    Moments seen_later;
    for (std::uint64_t k = 0; k < kStates; ++k) {
      Scenario rest = whole;
      rest.seed = 3;
      rest.owners[0] = owner_under_way(owner, {kElapsed_s, availability_at(*owner, kElapsed_s, k)});
      seen_later.add(kElapsed_s + computing_time(rest, 0, std::max(0.0, kWork - done[k]), {100 * k, 40}).mean());
    }
    INFO(owner->describe());
    const double error = std::sqrt(planned.variance() / 4000 + seen_later.variance() / kStates);
    CHECK(std::abs(seen_later.mean() - planned.mean()) < 4 * error);
    CHECK(seen_later.variance() < planned.variance());
  }
}

TEST_CASE("Owners by a clock are further on", "[owner][under-way]") {
  check_is_further_on(duty_cycle_owner(10, 0.3, false), 33);
  check_is_further_on(profile_of("0 1\n4 0.5\n9 0.25\nLOOPAFTER 6\n"), 37);
  check_is_further_on(trace_of({0.9, 0.1, 0.5, 0.7}, TraceStart::beginning), 75);
  std::vector<double> hours(24, 0.5);
  hours[1] = 0.8;
  const OwnerPtr base = two_values("constant"), by_hour = diurnal_owner(base, {hours, 1800.0});
  CHECK(under_way(*by_hour, {3600, {}})->identity() == diurnal_owner(base, {hours, 5400.0})->identity());
  CHECK_FALSE(under_way(*duty_cycle_owner(10, 0.3, true), {33, {}}));  // at a random moment of its period, as ever
}

TEST_CASE("A duty cycle is found in the part that is seen", "[owner][under-way]") {
  const OwnerPtr owner = duty_cycle_owner(10, 0.3, true);
  for (const bool is_free : {true, false}) {
    const OwnerPtr later = under_way(*owner, {33, is_free ? 0.9 : 0.1});
    Moments first;
    for (std::uint64_t k = 0; k < 2000; ++k) {
      const Steps steps = first_steps(*later, 2, k);
      CHECK((steps[0].value > 0.5) == is_free);
      CHECK(steps[1].duration_s == Approx(is_free ? 3 : 7));
      first.add(steps[0].duration_s);
    }
    CHECK(first.max() <= (is_free ? 7 : 3));
    CHECK(first.mean() == Approx(is_free ? 3.5 : 1.5).epsilon(0.05));
  }
}

TEST_CASE("A trace goes on from moments that are like what is seen, all that are as near", "[owner][under-way]") {
  std::vector<double> falling;
  for (int k = 0; k < 100; ++k) falling.push_back(k % 2 == 0 ? 0.9 - 0.001 * k : 0.2);
  const OwnerPtr near = under_way(*trace_of(falling, TraceStart::random), {100, 0.85});
  for (std::uint64_t k = 0; k < 500; ++k) {
    const Steps steps = first_steps(*near, 2, k);
    CHECK(steps[0].value == Approx(0.85).margin(0.0101));  // one of the ten nearest rows
    CHECK(steps[0].duration_s <= 10);
    CHECK(steps[1].value == 0.2);
  }
  std::vector<double> series(100, 1.0);
  series.resize(200, 0.1);
  series.resize(300, 1.0);
  const OwnerPtr later = under_way(*trace_of(series, TraceStart::random), {100, 1.0});
  // Half of the ones are followed by others for long, of a replay that begins again at the end.
  int in_second = 0;
  for (std::uint64_t k = 0; k < 1000; ++k) in_second += availability_at(*later, 999, k) == 1.0;
  CHECK(in_second > 400);
  CHECK(in_second < 900);
}

TEST_CASE("Intervals with something in common go on together on the clock of all", "[owner][under-way]") {
  const OwnerPtr owner = correlated_owner(make_value_law("uniform", 0.5, 0.3), make_length_law("uniform", 10, 3), 1.0, "common");
  const OwnerPtr a = under_way(*owner, {100, 0.9}), b = under_way(*owner, {100, 0.1});
  for (std::uint64_t k = 0; k < 50; ++k) {
    CHECK(availability_at(*a, 0, k, 0) == 0.9);
    CHECK(availability_at(*b, 0, k, 1) == 0.1);
    CHECK(availability_at(*a, 200, k, 0) == availability_at(*b, 200, k, 1));  // weight 1: they differ in nothing else
  }
}

TEST_CASE("Measured owners stay measured, also behind a pause", "[owner][under-way][measured]") {
  const auto make = [](const FittedParameters& p) {
    return intervals_owner(make_value_law("beta", p.mean, std::min(p.th, 0.9 * std::sqrt((1 - p.mean) / p.mean))),
                           make_length_law("exponential", p.interval_s, 3), "beta");
  };
  const FittedParameters at{0.6, 0.3, 10};
  const OwnerPtr owner = measured_owner(make(at), at, {30, 0.05, 0.1, 0.3}, make, "one");
  const OwnerPtr later = under_way(*owner, {100, 0.8});
  for (const OwnerPtr& found : {later, later_owner(*later, 5)}) {
    REQUIRE(found->is_measured());
    const Scenario s = computing(machines(2, NetworkKind::none), 100, found);
    CHECK(replications_per_draw(s) == kReplicationsPerDraw);
    const auto direct = run_batch_direct(s, {4, 4}), simgrid = run_batch_simgrid(s, {4, 4});
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(simgrid[k].makespan_s == Approx(direct[k].makespan_s).epsilon(1e-9));
      const auto alone = run_batch_direct(computing(machines(2, NetworkKind::none), 100, drawn(*found, 1, 1)), {4 + k, 1});
      CHECK(alone.front().makespan_s == direct[k].makespan_s);
    }
  }
}

TEST_CASE("What an owner leaves in a time is the integral of its path", "[owner][under-way]") {
  const Scenario aligned = computing(machines(1, NetworkKind::none), 1, duty_cycle_owner(10, 0.3, false));
  CHECK(available_time(aligned, 0, 25, {0, 2}).size() == 2);
  CHECK(available_time(aligned, 0, 25, {0, 2})[1] == Approx(19));
  const Scenario s = computing(machines(1, NetworkKind::none), 1, two_values("uniform"));
  for (std::uint64_t k = 0; k < 20; ++k)
    CHECK(available_time(s, 0, 77, {k, 1}).front() == Approx(77 - naive_owner_time(*s.owners[0], 1, k, 0, 77)));
}

TEST_CASE("From a random moment on, what an owner leaves has the moments of a stationary process", "[owners]") {
  const std::vector<double> times_s{3, 10, 25, 80};
  constexpr std::uint64_t kPaths = 20000;
  const std::pair<const char*, double> laws[] = {{"constant", 0}, {"uniform", 0},   {"exponential", 0},
                                                 {"pareto", 5.5}, {"weibull", 1.5}, {"lognormal", 1.2}};
  for (const auto& [length, spread] : laws) {
    const double th = 0.5;
    const OwnerPtr owner = owner_of("uniform", th, length, spread, OwnerStart::stationary);
    const auto law = make_length_law(length, 10, spread);
    std::vector<Moments> left(times_s.size());
    for (std::uint64_t k = 0; k < kPaths; ++k) {
      const auto one = left_until(*owner, times_s, {1, k, 0, Purpose::owner});
      for (std::size_t i = 0; i < one.size(); ++i) left[i].add(one[i]);
    }
    for (std::size_t i = 0; i < times_s.size(); ++i) {
      const double t = times_s[i], variance = 2 * std::pow(0.5 * th, 2) * variance_integral(*law, t);
      INFO(length << " until " << t << " s");
      CHECK(std::abs(left[i].mean() - 0.5 * t) < 4 * std::sqrt(variance / kPaths));
      CHECK(left[i].variance() == Approx(variance).epsilon(0.06));
    }
  }
}

TEST_CASE("When an interval ends does not depend on the moment at which one looks", "[owners]") {
  // Ends in a window of 2 s at any time: the window over the mean length, on average.
  constexpr std::uint64_t kPaths = 40000;
  for (const char* length : {"constant", "uniform", "lognormal"})
    for (const double weight : {0.0, 1.0}) {
      const OwnerPtr owner = owner_of("uniform", 0.5, length, 2.5, OwnerStart::stationary, weight);
      std::vector<double> ends(20);
      for (std::uint64_t k = 0; k < kPaths; ++k) {
        const auto path = owner->path({1, k, 0, Purpose::owner});
        for (double at = path->next().duration_s; at < 40; at += path->next().duration_s) ++ends[static_cast<std::size_t>(at / 2)];
      }
      for (std::size_t i = 0; i < ends.size(); ++i) {
        INFO(length << " weight " << weight << " from " << 2 * i << " s");
        CHECK(ends[i] / kPaths == Approx(0.2).margin(0.02));
      }
    }
}

TEST_CASE("A fresh start keeps its paths, and goes on behind what a stationary one finds", "[owners]") {
  const OwnerPtr fresh = owner_of("beta", 0.4, "exponential", 0, OwnerStart::fresh),
                 stationary = owner_of("beta", 0.4, "exponential", 0, OwnerStart::stationary);
  for (const Purpose purpose : {Purpose::owner, Purpose::bandwidth}) {
    const auto own = fresh->path({1, 7, 3, purpose}), found = stationary->path({1, 7, 3, purpose});
    const Step first = found->next();
    CHECK(first.duration_s > 0);
    for (int i = 0; i < 5; ++i) {
      const Step a = own->next(), b = found->next();
      CHECK((a.duration_s == b.duration_s && a.value == b.value));
    }
  }
  const Step owners = stationary->path({1, 7, 3, Purpose::owner})->next();
  CHECK(owners.duration_s != stationary->path({1, 7, 3, Purpose::bandwidth})->next().duration_s);
}

TEST_CASE("Correlated machines share the interval that a replication finds", "[owners]") {
  const OwnerPtr owner = owner_of("uniform", 0.5, "lognormal", 2, OwnerStart::stationary, 1);
  const auto one = owner->path({1, 4, 0, Purpose::owner}), other = owner->path({1, 4, 5, Purpose::owner});
  for (int i = 0; i < 5; ++i) {
    const Step a = one->next(), b = other->next();
    CHECK((a.duration_s == b.duration_s && a.value == b.value));
  }
}

TEST_CASE("Lanes of every width find what the path finds", "[owners]") {
  const std::vector<OwnerPtr> owners{owner_of("uniform", 0.5, "exponential", 0, OwnerStart::stationary),
                                     owner_of("two-point", 0.5, "lognormal", 3, OwnerStart::stationary),
                                     owner_of("uniform", 0.5, "exponential", 0, OwnerStart::fresh),
                                     owner_of("uniform", 0.3, "pareto", 3, OwnerStart::stationary),
                                     duty_cycle_owner(10, 0.3, true)};
  for (const std::size_t width : AvailabilityLanes::widths_here())
    for (const bool alike : {false, true}) {
      const std::vector<OwnerPtr> all = alike ? std::vector<OwnerPtr>(5, owners[0]) : owners;
      AvailabilityLanes lanes(all, 1, 2);
      lanes.use_width(width);
      const AvailabilityLanes::Opening openings[]{{0, 3}, {1, 8}};
      lanes.open(openings);
      std::vector<std::uint32_t> asked;
      for (std::uint32_t lane = 0; lane < 10; ++lane) {
        lanes.ask(lane, 37.5, 0);
        asked.push_back(lane);
      }
      lanes.integrate(asked);
      for (std::uint32_t lane = 0; lane < 10; ++lane) {
        const StreamKey key{1, lane < 5 ? 3U : 8U, lane % 5, Purpose::owner};
        INFO("registers of " << width << " bytes, lane " << lane);
        CHECK(lanes.integral_s(lane) == Approx(left_until(*all[lane % 5], {37.5}, key)[0]).epsilon(1e-12));
      }
    }
}
