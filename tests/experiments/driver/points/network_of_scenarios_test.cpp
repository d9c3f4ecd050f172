// Which scenarios know that their network is uniform: those of programs with a closed form, on two machines and more.
#include <catch2/catch.hpp>

#include "sim/program/scenario.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/splitting/policies.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

std::string elimination(const std::string& network, const std::string& job = "{workload: gauss, size: 6}") {
  return "nowsim: 1\n"
         "platform: {workstations: 3, speed: 1Mf, network: " + network + ", bandwidth: 1kBps, latency: 1ms}\n"
         "job: " + job + "\nmetrics: [tau, speedup]\nrun: {replications: 1}\n";
}

}  // namespace

TEST_CASE("A scenario has its uniform network where its program has a closed form",
          "[reads][scenario][uniform_network]") {
  const Experiment e = loaded(elimination("switch") + "sweep: {platform.workstations: [1, 2, 3]}\n");
  CHECK_FALSE(e.points.at(0).scenario()->network);
  for (const std::size_t k : {1, 2}) {
    REQUIRE(e.points.at(k).scenario()->network);
    CHECK(e.points[k].scenario()->network->latency_s == Approx(1e-3));
    CHECK(e.points[k].scenario()->network->bandwidth_Bps == Approx(1000));
  }
  CHECK_FALSE(loaded(elimination("bus")).points.at(0).scenario()->network);
  CHECK_FALSE(loaded(elimination("switch", "{workload: ep, size: 6}")).points.at(0).scenario()->network);
}

TEST_CASE("One machine of a scenario has no network, several have the same", "[scenario][uniform_network]") {
  const Experiment e = loaded(elimination("switch"));
  const Point& point = e.points.at(0);
  REQUIRE(point.simulated()->baseline);
  CHECK_FALSE(point.simulated()->baseline->network);
  const Policy& equal = *builtin_policies().find("equal");
  CHECK_FALSE(sub_scenario(*point.scenario(), {1}, equal).network);
  CHECK(sub_scenario(*point.scenario(), {2, 0}, equal).network);
}

TEST_CASE("A scenario's key does not depend on whether its network is known to be uniform", "[scenario][identity]") {
  Scenario s = *loaded(elimination("switch")).points.at(0).scenario();
  const std::string key = ScenarioKeys().key(s, "direct");
  s.network.reset();
  CHECK(ScenarioKeys().key(s, "direct") == key);
}

TEST_CASE("Gaussian elimination reads its keys", "[experiment][gauss]") {
  const auto work = [](const std::string& keys) {
    const Experiment e = loaded(elimination("switch", "{workload: gauss, " + keys + "}"));
    return e.points.at(0).scenario()->workload->program().work_flop;
  };
  CHECK(work("size: 10, rows: full, communication: point-to-point, element: 4B, steps: free") == 1000);
  CHECK(work("size: 10, rows: shrinking, communication: broadcast, steps: synchronised") == 330);
  CHECK_THAT(problems_of(elimination("switch", "{workload: gauss, size: 1, rows: shrinking}")), Catch::Contains("size"));
  CHECK_THAT(problems_of(elimination("switch", "{workload: gauss, size: 5, element: 0}")),
             Catch::Contains("element must be more than 0 bytes"));
}
