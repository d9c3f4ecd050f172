// What runs tell of every machine's times, and the gradient of an objective by them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/splitting/split_search.hpp"
#include "sim/splitting/split_task.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Flops = std::vector<double>;
constexpr std::uint64_t kSample = 400;
constexpr Batch kOnSample{kSearchReplications, kSample};

/// Four machines that differ, of whom one has a duty cycle, with about 100 s to do each.
Scenario four_unlike() {
  Scenario s = computing(machines({1, 2, 3, 1.5}, NetworkKind::none), 0, dedicated_owner());
  s.owners = {intervals_owner(uniform(0.3, 0.7), uniform(0, 20), "a"), intervals_owner(uniform(0.1, 0.9), uniform(0, 20), "b"),
              duty_cycle_owner(5, 0.4, true), intervals_owner(uniform(0.2, 0.8), uniform(0, 60), "c")};
  return s;
}
const Flops kAround{50, 98, 178, 74};

/// The same with this machine's share changed.
Flops moved(Flops shares, std::size_t i, double by) {
  shares[i] += by;
  return shares;
}

}  // namespace

TEST_CASE("Curves are exact where splits were run, and between them between these", "[computes][curves]") {
  Pilot pilot(four_unlike(), Engine::direct);
  CompletionTimeModel curves(4, kSample);
  for (const double factor : {0.9, 1.0, 1.1}) {
    Flops shares = kAround;
    for (double& x : shares) x *= factor;
    REQUIRE(curves.learn(shares, pilot.run(shares, kOnSample, true)));
  }
  CurvePoint point = curves.read(kAround);
  const PilotRun exact = pilot.run(kAround, kOnSample);
  CHECK(point.makespan_s == exact.makespan_s);
  CHECK(point.last == exact.last);
  const Flops mixed{46, 103, 170, 77};  // which was not run
  point = curves.read(mixed);
  const PilotRun& run = pilot.run(mixed, kOnSample);
  double off = 0, mean = 0;
  for (std::size_t k = 0; k < kSample; ++k) {
    off += point.makespan_s[k] - run.makespan_s[k];
    mean += run.makespan_s[k];
  }
  CHECK(std::abs(off) < 2e-3 * mean);
}

TEST_CASE("The gradient by who is last is that of finite differences on the same replications", "[curves]") {
  using Kind = SplitObjective::Kind;
  const auto objective =
      GENERATE(SplitObjective{}, SplitObjective{Kind::risk, 112, 0}, SplitObjective{Kind::quantile, 0, 0.6});
  Pilot pilot(four_unlike(), Engine::direct);
  SplitTrials trials(pilot, objective, kOnSample);
  for (const double factor : {1.0, 0.97, 1.03}) {
    Flops shares = kAround;
    for (double& x : shares) x *= factor;
    trials.run(shares);
  }
  Flops at = kAround, by_share;
  for (double& x : at) x *= 1.01;
  read_objective(*trials.curves(), trials.smooth(), at, &by_share);
  const double margin = 0.1 * *std::ranges::max_element(by_share);
  for (std::size_t i = 0; i < 4; ++i) {
    INFO("machine " << i);
    const double near = 1e-5 * at[i], far = 0.02 * at[i];
    const auto curve = [&](double by) {
      return read_objective(*trials.curves(), trials.smooth(), moved(at, i, by));
    };
    CHECK(by_share[i] == Approx((curve(near) - curve(-near)) / (2 * near)).epsilon(0.02).margin(0.1 * margin));
    const auto simulated = [&](double by) {
      return trials.smooth().value(pilot.run(moved(at, i, by), kOnSample).makespan_s);
    };
    const double slope = (simulated(far) - simulated(-far)) / (2 * far);
    CHECK(by_share[i] == Approx(slope).epsilon(0.15).margin(margin));
  }
}

TEST_CASE("Equal machines under owners of one law get equal shares", "[curves]") {
  Pilot pilot(computing(machines(5, NetworkKind::none), 0, intervals_owner(uniform(0.2, 0.8), uniform(0, 20), "u")),
              Engine::direct);
  SplitTrials trials(pilot, {}, {kSearchReplications, 4000});
  trials.run(Flops{80, 90, 100, 110, 120});
  const SearchSpace space{std::vector<double>(5, 0.5), std::vector<double>(5, 20)};
  REQUIRE(search_by_model(trials, space, 40) == SearchEnd::converged);
  CHECK(trials.evaluations() <= 25);
  for (const double x : trials.best().share_flop) CHECK(x == Approx(100).epsilon(0.02));
}

TEST_CASE("Of machines that wait for one another there are no curves", "[curves]") {
  Scenario s = four_unlike();
  const auto in_halves = [](Rank& self) -> Process {
    for (int phase = 0; phase < 2; ++phase) {
      co_await self.compute(0.5 * self.share());
      co_await self.barrier();
    }
  };
  for (const bool says_so : {true, false}) {
    s.workload = std::make_shared<const LambdaWorkload>(
        in_halves, ProgramDescription{.work_flop = 400, .phases = says_so ? 2 : 1});
    Pilot pilot(s, Engine::direct);
    SplitTrials trials(pilot, {}, kOnSample);
    trials.run(kAround);
    CHECK_FALSE(trials.curves());
  }
}

TEST_CASE("A time that falls with the share is no curve", "[curves]") {
  CompletionTimeModel curves(2, 1);
  CHECK(curves.learn(Flops{1, 2}, PilotRun{{20}, {1}, {10, 20}}));
  CHECK_FALSE(curves.learn(Flops{1.5, 1.5}, PilotRun{{19}, {1}, {9, 19}}));
}
