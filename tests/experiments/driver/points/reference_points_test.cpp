// Points that are compared with others of their sweep, what baselines run on, and which scenarios know that their network
// is uniform.
#include <catch2/catch.hpp>
#include <cmath>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/points/point_builder.hpp"
#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/splitting/policies.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::string kScaled =
    "nowsim: 1\nplatform: {speed: 1f}\njob: {workload: base-task, work: = 50 * N}\nowner: {model: intervals, TH: 0.2}\n"
    "metrics: [tau, E, L, scale_e, scale_work, ratio]\nrun: {replications: 60, reference: platform.workstations}\n"
    "sweep: {owner.TH: [0.1, 0.2], platform.workstations: [2, 4, 8]}\n";

ResultTable summary_of(const Experiment& e, int jobs = 2) { return summarise(e, run_experiment(e, {jobs})); }

/// Takes long on a machine whose memory is small.
class Paged final : public Workload {
 public:
  Paged()
      : Workload({.work_flop = 40,
                  .split_work_flop = [](std::span<const double> share_flop) { return share_flop.empty() ? 0. : 60.; },
                  .paging_alone_s = [](const Workstation& host) { return host.speed_flops > 3 ? 100. : 0.; }}) {}
  Process run(Rank& self) const override { return compute_share(self); }
};

std::string elimination(const std::string& network, const std::string& job = "{workload: gauss, size: 6}") {
  return "nowsim: 1\n"
         "platform: {workstations: 3, speed: 1Mf, network: " + network + ", bandwidth: 1kBps, latency: 1ms}\n"
         "job: " + job + "\nmetrics: [tau, speedup]\nrun: {replications: 1}\n";
}

std::string farm(const std::string& failures, const std::string& run = "") {
  return "nowsim: 1\n"
         "platform: {workstations: 4, speed: 1f, network: links, bandwidth: 1kBps, latency: 1ms" + failures + "}\n"
         "job: {workload: task-farm, tasks: 40, cost: 10f, law: constant, technique: SS, timeout: 71s}\n"
         "metrics: [tau, speedup]\n"
         "run: {replications: 20" + run + "}\n";
}

}  // namespace

TEST_CASE("Points are compared with the first along the reference's axis", "[reads][reference-points]") {
  const Experiment e = loaded(kScaled);
  for (std::size_t p = 0; p < 6; ++p) CHECK(e.points[p].reference == p / 3 * 3);
  CHECK(loaded(kScaled, {"run.reference=owner.TH"}).points[4].reference == std::optional<std::size_t>(1));
  const ExecutionPlan execution = plan_execution(e);
  CHECK(execution.series.size() == 6);  // each point's own, no more
  CHECK(execution.points[4].reference == execution.points[3].series);
}

TEST_CASE("Scalability of a sweep is 1 at the reference, the same for any number of jobs", "[reference-points]") {
  const Experiment e = loaded(kScaled);
  const ResultTable summary = summary_of(e);
  const auto cell = [&](std::size_t row, std::size_t metric) { return summary.rows[row].estimates[metric].front(); };
  for (const std::size_t first : {0, 3})
    for (const std::size_t metric : {3, 4, 5}) {
      CHECK(cell(first, metric).value == 1);
      CHECK(cell(first, metric).half_width() == 0);
    }
  CHECK(cell(5, 3).value == Approx(cell(3, 2).value / cell(5, 2).value));
  CHECK(cell(5, 3).half_width() > 0);
  CHECK(cell(5, 4).value == Approx(1));  // work per power is the same
  CHECK(cell(5, 5).value == Approx(cell(3, 0).value / cell(5, 0).value));
  CHECK(csv(summary) == csv(summary_of(e, 5)));
}

TEST_CASE("Intervals of the machines' times are there, whatever reduces the variance", "[reference-points]") {
  for (const std::string way : {"none", "antithetic", "both"}) {
    const ResultTable summary = summary_of(loaded(kScaled, {"run.variance_reduction=" + way}));
    INFO(way);
    CHECK(summary.rows[1].estimates[1][0].half_width() > 0);
  }
}

TEST_CASE("A point whose reference is infeasible has no comparison, and its other metrics", "[reference-points]") {
  const Experiment e = loaded(kScaled, {"sweep={owner.TH: [0.9, 0.1]}", "platform.workstations=3",
                                        "run.infeasible=skip", "run.reference=owner.TH"});
  const ResultTable summary = summary_of(e);
  CHECK(summary.rows[0].status == PointStatus::infeasible);
  CHECK(summary.rows[1].status == PointStatus::ok);
  CHECK(summary.rows[1].estimates[0][0].value > 0);
  CHECK(std::isnan(summary.rows[1].estimates[3][0].value));
}

TEST_CASE("A flag that fixes the reference's axis leaves comparisons blank", "[reference-points]") {
  const ResultTable summary = summary_of(loaded(kScaled, {"platform.workstations=3"}));
  REQUIRE(summary.rows.size() == 2);
  CHECK(std::isnan(summary.rows[1].estimates[3][0].value));
  CHECK(summary.rows[1].estimates[1][0].value > 0);
}

TEST_CASE("A reference that is missing, or not swept, is a sentence", "[reference-points][error]") {
  CHECK_THAT(problems_of(kScaled, {"run={replications: 60}"}),
             Contains("run.reference: the metrics compare points with a reference, the first one along a swept key"));
  CHECK_THAT(problems_of(kScaled, {"run.reference=owner.HT"}),
             Contains("--set: run.reference: 'owner.HT' is not swept; did you mean 'owner.TH'?"));
  CHECK(problems_of(kScaled, {"run={replications: 60}", "metrics=[tau]"}).empty());
  for (const char* metric : {"scale_e", "ratio"})
    CHECK_THAT(problems_of(kScaled, {"run.precision_of=" + std::string(metric)}), Contains("compares two points"));
  CHECK_THAT(problems_of(kScaled, {"run.precision_of=solved"}), Contains("is known before the point runs"));
  CHECK(problems_of(kScaled, {"run.precision_of=E"}).empty());
}

TEST_CASE("A stopping rule about the efficiency gathers what it reads", "[reference-points]") {
  const Experiment e =
      loaded(kScaled, {"metrics=[tau]", "run.precision=0.5%", "run.precision_of=E", "run.replications=5000"});
  const ResultTable summary = summary_of(e);
  for (const auto& row : summary.rows) {
    CHECK(row.reason.empty());
    CHECK(row.replications < 5000);
  }
}

TEST_CASE("The fastest machine alone is the first to end all the work, its waiting for pages with it", "[companions]") {
  GeneratedPlatform d;
  d.names = {"slow", "quick", "large"};
  d.speed_flops = {1, 4, 3};
  d.network = NetworkKind::none;
  Scenario s = scenario(std::make_shared<const Platform>(generate_platform(d)), compute_share);
  AlonePlatforms platforms;
  s.workload = std::make_shared<const LambdaWorkload>(compute_share, 40);
  CHECK(fastest_alone(s, platforms)->platform->workstations[0].name == "quick");
  CHECK(fastest_alone(s, platforms)->share_flop == std::vector<double>{40});
  s.workload = std::make_shared<const Paged>();
  CHECK(fastest_alone(s, platforms)->platform->workstations[0].name == "large");
  CHECK(fastest_alone(s, platforms)->share_flop == std::vector<double>{60});
  s.owners[2] = duty_cycle_owner(10, 0.9, false);  // 60/0.3 s are more than 60/4 + 100
  CHECK(fastest_alone(s, platforms)->platform->workstations[0].name == "slow");
  s.workload = std::make_shared<const LambdaWorkload>(compute_share, 0);  // nothing to split: the highest speed
  CHECK(fastest_alone(s, platforms)->platform->workstations[0].name == "quick");
}

TEST_CASE("A scenario has its uniform network where its program has a closed form",
          "[scenario][uniform_network]") {
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

TEST_CASE("The baseline of a speedup is a machine that does not fail", "[companions][failures]") {
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
