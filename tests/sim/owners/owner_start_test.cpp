// Tests of owners that a replication finds at a random moment of a process that has run for ever.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/engines/direct/availability_lanes.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/program/computing_time.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/statistics.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

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

TEST_CASE("From a random moment on, what an owner leaves has the moments of a stationary process", "[reads][owners]") {
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
