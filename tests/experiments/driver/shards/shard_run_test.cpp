// Tests of dealing out: each batch is one shard's, and shards have about the same to do.
#include "experiments/driver/shards/shard_run.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <tuple>

#include "sim/base/error.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

const std::string kSweep =
    "nowsim: 1\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\nmetrics: [tau, speedup]\nrun: {replications: 950}\n"
    "sweep: {platform.workstations: [1, 2, 30], owner.TH: [0.1, 0.2]}\n";

}  // namespace

TEST_CASE("Each batch is one shard's, and shards have about the same to do", "[reads][shards]") {
  const Experiment experiment = loaded(kSweep);
  const ExecutionPlan execution = plan_execution(experiment);
  for (const std::size_t shards : {1, 2, 7, 100}) {
    std::set<std::tuple<std::string, std::uint64_t, std::uint64_t>> seen;
    std::vector<double> costs;
    double longest = 0;
    for (std::size_t one = 1; one <= shards; ++one) {
      const auto tasks = batches_of_shard(execution, one, shards);
      costs.push_back(seconds_of(tasks, execution));
      for (const auto& task : tasks) {
        CHECK(seen.emplace(execution.series[task.series].key, task.batch.first, task.batch.count).second);
        longest = std::max(longest, seconds_of({task}, execution));
      }
    }
    CHECK(seen.size() == known_batches(execution).size());
    CHECK(std::ranges::max(costs) - std::ranges::min(costs) <= longest * 1.000001);
  }
}

TEST_CASE("Without a stopping rule all batches are known, with one as many as it wants at least", "[shards]") {
  const ExecutionPlan all = plan_execution(loaded(kSweep)),
                      rule = plan_execution(loaded(kSweep, {"run.precision=1%", "run.min_replications=300"}));
  CHECK(known_batches(all).size() == 6 * 10);  // points of one machine are the baselines of the others
  CHECK(known_batches(rule).size() == 6 * 3);
  std::vector<StoredScenario> stored(all.series.size());
  for (auto& scenario : stored) scenario.batches = {{500, 100}};
  CHECK(missing_batches(known_batches(all), stored).size() == 6 * 9);
}

TEST_CASE("A shard is I/N", "[shards][error]") {
  CHECK(parse_shard("3/64") == std::pair<std::size_t, std::size_t>(3, 64));
  for (const char* wrong : {"", "3", "0/2", "3/2", "1/0", "a/2", "1/b", "1/2x", " 1/2", "1/1000001"})
    CHECK_THROWS_AS(parse_shard(wrong), InputError);
}
