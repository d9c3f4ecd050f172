// What points are compared with, where machines fail or the first one is a server.
#include "experiments/driver/points/point_builder.hpp"

#include <catch2/catch.hpp>

#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"
#include "sim/program/scenario.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

std::string farm(const std::string& failures, const std::string& run = "") {
  return "nowsim: 1\n"
         "platform: {workstations: 4, speed: 1f, network: links, bandwidth: 1kBps, latency: 1ms" + failures + "}\n"
         "job: {workload: task-farm, tasks: 40, cost: 10f, law: constant, technique: SS, timeout: 71s}\n"
         "metrics: [tau, speedup]\n"
         "run: {replications: 20" + run + "}\n";
}

}  // namespace

TEST_CASE("The baseline of a speedup is a machine that does not fail", "[reads][companions][failures]") {
  const Experiment failing = loaded(farm(", failures: {rate: 0.01, repair: 20s}"));
  const auto& point = failing.points.at(0);
  REQUIRE(point.scenario()->platform->workstations[1].extras->state_profile);
  CHECK_FALSE(point.simulated()->baseline->platform->workstations[0].extras->state_profile);
  const auto outcome = run_experiment(failing, {2}).at(0);
  CHECK(outcome.failure.empty());
  CHECK(outcome.baseline_s->mean() == Approx(400));
  ScenarioKeys keys;
  const Experiment other = loaded(farm(""));
  CHECK(keys.key(*point.simulated()->baseline, "direct") ==
        keys.key(*other.points.at(0).simulated()->baseline, "direct"));
}

TEST_CASE("A server's machine is no baseline", "[companions][error]") {
  CHECK_THAT(problems_of(farm("", ", baseline: one")), Contains("run.baseline") && Contains("'ws1'") &&
                                                            Contains("server") && Contains("'fastest'"));
  CHECK(problems_of(farm("", ", baseline: fastest")) == "");
}

TEST_CASE("The failure of a baseline says whose it is", "[companions][runner][error]") {
  Additions additions;
  additions.workloads.push_back({"test", "a test", {{"kind", KeyType::count, "0", "whatever"}}, [](KeyReader& read) {
                  read.whole("kind");
                  return std::make_shared<const LambdaWorkload>(
                      [](Rank& self) -> Process {
                        if (self.count() == 1) throw std::runtime_error("nobody is here");
                        co_await self.compute(1);
                      },
                      4.0);
                }});
  const std::string yaml = "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: test}\n"
                           "metrics: [tau, speedup]\nrun: {replications: 5}\n";
  const auto outcome = run_experiment(loaded(yaml, {}, additions), {1}).at(0);
  CHECK_THAT(outcome.failure, Contains("the baseline (the job on ws1 alone): ") && Contains("nobody is here"));
}
