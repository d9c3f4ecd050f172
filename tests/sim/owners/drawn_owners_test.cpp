// Remembered owners are those that would be made anew, whoever asks, and a run by them has the same bits.
#include "sim/owners/drawn_owners.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/engines/engine.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

OwnerPtr fitted() {
  const auto make = [](const FittedParameters& p) {
    return intervals_owner(make_value_law("beta", p.mean, std::min(p.th, 0.9 * std::sqrt((1 - p.mean) / p.mean))),
                           make_length_law("exponential", p.interval_s, 3), "beta");
  };
  const FittedParameters at{0.5, 0.3, 10};
  return measured_owner(make(at), at, {20, 0.02, 0.1, 0.2}, make, "one");
}

}  // namespace

TEST_CASE("an owner of a draw is made once, by seed, draw and step", "[computes][drawn_owners]") {
  const OwnerPtr owner = fitted(), other = fitted();
  DrawnOwners owners;
  const OwnerPtr first = owners.of(owner, 1, 0);
  CHECK(owners.of(owner, 1, 0) == first);
  CHECK(first->describe() == drawn(*owner, 1, 0)->describe());
  for (const OwnerPtr& apart : {owners.of(owner, 2, 0), owners.of(owner, 1, 1), owners.of(other, 1, 0),
                                owners.of(owner, 1, {0, 0, 1}), owners.of(owner, 1, {0, 0, -1})})
    CHECK(apart != first);
  CHECK(owners.of(owner, 1, {0, 0, 1})->describe() == drawn(*owner, 1, {0, 0, 1})->describe());
}

TEST_CASE("a run by owners that are remembered has the same bits, and none a step away where none is wanted",
          "[drawn_owners]") {
  const Scenario s = computing(machines(3, NetworkKind::none), 100, fitted());
  BatchRunner again;
  Gathering without;
  without.steps = false;
  for (int k = 0; k < 2; ++k) {
    BatchRunner anew;
    const BatchRecord expected = anew.run(Engine::direct, s, {0, 64}, {});
    const BatchRecord& record = again.run(Engine::direct, s, {0, 64}, {});
    CHECK(record.makespan_s == expected.makespan_s);
    REQUIRE(record.stepped.size() == 1);
    CHECK(record.stepped.front().makespan_s == expected.stepped.front().makespan_s);
    CHECK(anew.run(Engine::direct, s, {0, 64}, without).makespan_s == expected.makespan_s);
    CHECK(anew.run(Engine::direct, s, {0, 64}, without).stepped.empty());
  }
}

TEST_CASE("steps of a path are drawn once for all that follow it, as long as there is room", "[drawn_owners]") {
  std::size_t drawn_steps = 0;
  const auto make = [&](const StreamKey& key) {
    return drawn_path([&drawn_steps, k = 0, r = static_cast<int>(key.replication)]() mutable {
      ++drawn_steps;
      return Step{1, 1.0 / (2 + r + k++)};
    });
  };
  RememberedPaths remembered(make, std::make_shared<std::size_t>(64 + 3));
  const StreamKey key{1, 5}, other{1, 6};
  const auto first = remembered.path(key), second = remembered.path(key);
  CHECK(first->next().value == 1.0 / 7);
  CHECK(first->next().value == 1.0 / 8);
  CHECK(second->next().value == 1.0 / 7);
  CHECK(second->next().value == 1.0 / 8);
  CHECK(second->next().value == 1.0 / 9);
  CHECK(drawn_steps == 3);
  CHECK(first->next().value == 1.0 / 9);
  CHECK(drawn_steps == 3);
  // Now there is no room: each draws its own from the beginning.
  CHECK(first->next().value == 1.0 / 10);
  CHECK(second->next().value == 1.0 / 10);
  CHECK(drawn_steps == 11);
  CHECK(remembered.path(other)->next().value == 1.0 / 8);
}
