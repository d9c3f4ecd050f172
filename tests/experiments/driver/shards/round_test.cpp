// Tests of rounds: each batch is one shard's, shards have about the same to do, and a round is read back as it was.
#include "experiments/driver/shards/round.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <tuple>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/shards/shard_run.hpp"
#include "sim/base/error.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

const std::string kSweep =
    "nowsim: 1\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\nmetrics: [tau, speedup]\nrun: {replications: 950}\n"
    "sweep: {platform.workstations: [1, 2, 30], owner.TH: [0.1, 0.2]}\n";

double cost_s(const ExecutionPlan& execution, const std::vector<BatchTask>& tasks) {
  double sum = 0;
  for (const auto& task : tasks)
    sum += estimated_cost_s(*execution.series[task.series].scenario, execution.series[task.series].engine, 100) / 100 *
           static_cast<double>(task.batch.count);
  return sum;
}

}  // namespace

TEST_CASE("Each batch is one shard's, and shards have about the same to do", "[reads][shards]") {
  const Experiment experiment = loaded(kSweep);
  const ExecutionPlan execution = plan_execution(experiment);
  const Round round = first_round(execution);
  for (const std::size_t shards : {1, 2, 7, 100}) {
    std::set<std::tuple<std::string, std::uint64_t, std::uint64_t>> seen;
    std::vector<double> costs;
    double longest = 0;
    for (std::size_t one = 1; one <= shards; ++one) {
      const auto tasks = tasks_of(round, execution, one, shards);
      costs.push_back(cost_s(execution, tasks));
      for (const auto& task : tasks) {
        CHECK(seen.emplace(execution.series[task.series].key, task.batch.first, task.batch.count).second);
        longest = std::max(longest, cost_s(execution, {task}));
      }
    }
    CHECK(seen.size() == batches_in(round, execution));
    CHECK(std::ranges::max(costs) - std::ranges::min(costs) <= longest * 1.000001);
  }
}

TEST_CASE("Without a stopping rule the first round is all, with one what the rule wants at least", "[shards]") {
  const ExecutionPlan all = plan_execution(loaded(kSweep)), rule = plan_execution(loaded(kSweep, {"run.precision=1%", "run.min_replications=300"}));
  CHECK(batches_in(first_round(all), all) == 6 * 10);  // points of one machine are the baselines of the others
  for (const auto& range : first_round(rule).ranges) CHECK(range.end == 3);
}

TEST_CASE("The next round has half as many more of what is open, and nothing that is there", "[shards]") {
  const ExecutionPlan rule = plan_execution(loaded(kSweep, {"run.precision=1%", "run.min_replications=300"}));
  std::vector<std::uint64_t> lacking(rule.series.size(), 10);
  std::vector<StoredScenario> stored(rule.series.size());
  CHECK(next_round(1, rule, stored, lacking).ranges.empty());
  lacking[2] = 4;
  stored[2].batches = {{500, 100}};
  const Round round = next_round(1, rule, stored, lacking);
  REQUIRE(round.ranges.size() == 1);
  CHECK(round.ranges[0].series == 2);
  CHECK(round.ranges[0].begin == 4);
  CHECK(round.ranges[0].end == 5);
}

TEST_CASE("A round is read back as it was published, the latest one of its plan", "[shards]") {
  const Folder place;
  const ShardFolder folder(place.path());
  folder.make();
  const ExecutionPlan execution = plan_execution(loaded(kSweep)), other = plan_execution(loaded(kSweep, {"run.seed=9"}));
  CHECK_FALSE(latest_round(folder, "e", execution));
  publish_round(folder, "e", first_round(execution), execution);
  publish_round(folder, "e", {1, {{3, 2, 4}}}, execution);
  publish_round(folder, "e", {7, {{3, 2, 4}}}, other);
  publish_round(folder, "f", {8, {{3, 2, 4}}}, execution);
  const auto latest = latest_round(folder, "e", execution);
  REQUIRE(latest);
  CHECK(latest->number == 1);
  REQUIRE(latest->ranges.size() == 1);
  CHECK(latest->ranges[0].series == 3);
  CHECK(latest->ranges[0].begin == 2);
  CHECK(latest->ranges[0].end == 4);
  const auto all = published_rounds(folder, "e", plan_hash(execution));
  REQUIRE(all);
  CHECK(all->latest == 1);
  CHECK(all->batches.size() == batches_in(first_round(execution), execution));  // the second one's are of these
}

TEST_CASE("A round whose name fits and whose contents do not is refused, and does not count", "[shards][error]") {
  const ExecutionPlan execution = plan_execution(loaded(kSweep));
  const std::string plan = plan_hash(execution), key = execution.series[0].key;
  const std::string label = "e-" + plan.substr(0, 16) + "-r";
  const std::vector<std::string> lines{"999 " + key + " 0 1 100 950\n",
                                       "1 " + key + " 0 1 100 950\n",
                                       "0 " + key + " 0 11 100 950\n",
                                       "0 " + key + " 5 1 100 950\n",
                                       "0 " + key + " 0 18446744073709551615 0 950\n",
                                       "0 " + key + " 0 18446744073709551615 1 18446744073709551615\n",
                                       "0 " + key + " 0 1 100 950 7\n",
                                       "0 " + key + " 0 1 100\n",
                                       "0 " + key + " 0 1 x 950\n",
                                       "-1 " + key + " 0 1 100 950\n",
                                       "words\n",
                                       "0 " + key + " 0 1 100 950\n0 " + key + " 0 1 100 950\n",
                                       "0 " + key + " 0 2 100 950\n0 " + key + " 1 3 100 950\n",
                                       "\n"};
  for (const auto& line : lines) {
    INFO(line);
    const Folder place;
    const ShardFolder folder(place.path());
    folder.make();
    publish_round(folder, "e", first_round(execution), execution);
    const std::string name = folder.publish(line, label + "1.round");
    CHECK_THROWS_WITH(latest_round(folder, "e", execution), Catch::Contains(name) && Catch::Contains("--next-round"));
    const auto all = published_rounds(folder, "e", plan);
    REQUIRE(all);
    CHECK(all->latest == 1);  // so that the next one comes behind it
    CHECK(all->batches.size() <= batches_in(first_round(execution), execution) + 1);
  }
}

TEST_CASE("A round without a number that rounds come to is none", "[shards][error]") {
  const ExecutionPlan execution = plan_execution(loaded(kSweep));
  const Folder place;
  const ShardFolder folder(place.path());
  folder.make();
  for (const char* number : {"2147483647", "-1", "99999999999999999999", "x", ""})
    static_cast<void>(folder.publish(number, "e-" + plan_hash(execution).substr(0, 16) + "-r" + number + ".round"));
  CHECK_FALSE(latest_round(folder, "e", execution));
}

TEST_CASE("A shard is I/N", "[shards][error]") {
  CHECK(parse_shard("3/64") == std::pair<std::size_t, std::size_t>(3, 64));
  for (const char* wrong : {"", "3", "0/2", "3/2", "1/0", "a/2", "1/b", "1/2x", " 1/2", "1/1000001"})
    CHECK_THROWS_AS(parse_shard(wrong), InputError);
}
