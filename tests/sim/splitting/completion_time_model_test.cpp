// Trial runs: what they give, and that equal shares give equal numbers whichever engine runs them.
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/splitting/completion_time_model.hpp"
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
