// Trial runs: what they give, and that equal shares give equal numbers whichever engine runs them; what they tell of
// every machine's times, and the gradient of an objective by them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/splitting/split_search.hpp"
#include "sim/splitting/split_task.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

OwnerPtr uniform_owner() { return intervals_owner(uniform(0.2, 0.8), uniform(0, 20), "test"); }
Scenario three() { return computing(machines(3, NetworkKind::none), 50, uniform_owner()); }

}  // namespace

TEST_CASE("A pilot has the makespans, finish times and last workstations of the engine's replications",
          "[computes][pilot]") {
  Scenario s = three();
  s.share_flop = {40, 50, 60};
  const Batch batch{kSearchReplications, 30};
  const auto expected = run_batch_direct(s, batch);
  Pilot pilot(three(), Engine::direct);
  const PilotRun& run = pilot.run(s.share_flop, batch, true);
  for (std::size_t k = 0; k < 30; ++k) {
    CHECK(run.makespan_s[k] == expected[k].makespan_s);
    CHECK(expected[k][Quantity::finish_s][run.last[k]] == expected[k].makespan_s);
    CHECK(run.times_s[3 * k + 1] == expected[k][Quantity::finish_s][1]);
  }
}

TEST_CASE("A pilot gives the same again after other splits were run", "[pilot]") {
  Pilot pilot(three(), Engine::direct);
  const std::vector<double> a{40, 50, 60}, b{80, 30, 40};
  const auto first = pilot.run(a, {0, 200}).makespan_s;
  pilot.run(b, {0, 100});
  CHECK(pilot.run(a, {0, 200}).makespan_s == first);
  CHECK(pilot.runs() == 3);
}

TEST_CASE("A pilot on SimGrid gives the direct engine's numbers but for rounding", "[pilot][engine]") {
  Pilot direct(three(), Engine::direct), simgrid(three(), Engine::simgrid);
  const std::vector<double> shares{40, 50, 60};
  const auto a = direct.run(shares, {kSearchReplications, 20}, true);
  const auto b = simgrid.run(shares, {kSearchReplications, 20}, true);
  for (std::size_t k = 0; k < 20; ++k) CHECK(a.makespan_s[k] == Approx(b.makespan_s[k]).epsilon(1e-9));
  CHECK(a.last == b.last);
  CHECK(a.times_s[2] == Approx(b.times_s[2]).epsilon(1e-9));
}

namespace {

/// Two messages at once, over the receiver's one link.
Process meet(Rank& self) {
  co_await self.compute(self.share());
  if (self.index() == 0) {
    co_await self.receive_any();
    co_await self.receive_any();
  } else {
    co_await self.isend(0, 1000);
  }
}

}  // namespace

TEST_CASE("Where transfers meet a pilot on either engine gives the same", "[pilot][engine]") {
  const Scenario s = scenario(machines(3), meet);
  const std::vector<double> shares{1, 1, 1};
  const auto on = [&](Engine engine) { return Pilot(s, engine).run(shares, {0, 2}).makespan_s; };
  CHECK(on(Engine::direct)[1] == Approx(on(Engine::simgrid)[1]).epsilon(1e-9));
}

// ---- curves --------------------------------------------------------------------------------------------------------

namespace {

using Flops = std::vector<double>;
constexpr std::uint64_t kSample = 400;
constexpr Batch kOnSample{kSearchReplications, kSample};

/// Four machines that differ, of whom one has a duty cycle, with about 100 s to do each.
Scenario four_unlike() {
  Scenario s = computing(machines({1, 2, 3, 1.5}, NetworkKind::none), 0, dedicated_owner());
  s.owners = {intervals_owner(uniform(0.3, 0.7), uniform(0, 20), "a"),
              intervals_owner(uniform(0.1, 0.9), uniform(0, 20), "b"), duty_cycle_owner(5, 0.4, true),
              intervals_owner(uniform(0.2, 0.8), uniform(0, 60), "c")};
  return s;
}
const Flops kAround{50, 98, 178, 74};

/// The same with this machine's share changed.
Flops moved(Flops shares, std::size_t i, double by) {
  shares[i] += by;
  return shares;
}

}  // namespace

TEST_CASE("Curves are exact where splits were run, and between them between these", "[curves]") {
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
