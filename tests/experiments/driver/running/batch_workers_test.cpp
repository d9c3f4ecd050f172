// Queues of batches: how long they are, and what becomes of one whose worker dies.
#include "experiments/driver/running/batch_workers.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <limits>
#include <set>

#include "tests/experiments/driver/experiment_fixture.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// An execution plan of points with one workstation and one batch each, whose program is called with the point's seed.
struct Points {
  Points(std::size_t count, const std::function<void(std::uint64_t seed)>& program) {
    Additions additions;
    additions.workloads.push_back({"test", "a test", {{"seed", KeyType::count, "0", "whatever"}}, [program](KeyReader& read) {
                    const auto seed = static_cast<std::uint64_t>(read.whole("seed"));
                    return std::make_shared<const LambdaWorkload>(
                        [program, seed](Rank& self) -> Process {
                          program(seed);
                          co_await self.compute(1);
                        }, 0);
                  }});
    experiment = loaded("nowsim: 1\njob: {workload: test}\nrun: {replications: 1}\n"
                        "sweep: {job.seed: {from: 1, to: " + std::to_string(count) + ", step: 1}}\n", {}, additions);
    execution = plan_execution(experiment);
  }
  Experiment experiment;
  ExecutionPlan execution;
};

bool never(std::size_t) { return false; }

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kMany = 1'000'000;

}  // namespace

TEST_CASE("Short batches wait in queues, long ones do not, and towards the end none",
          "[computes][reads][batch_workers]") {
  CHECK(queue_length(kQueue_s / 1e6, kMany, 2) == kLongestQueue);
  CHECK(queue_length(kQueue_s / 8, kMany, 2) == 8);
  CHECK(queue_length(kQueue_s * 2, kMany, 2) == 1);
  CHECK(queue_length(kQueue_s / 8, 12, 2) == 3);
  CHECK(queue_length(kQueue_s / 8, 12, 1) == 6);
  for (const std::uint64_t left : {0, 1, 4}) CHECK(queue_length(kQueue_s / 8, left, 2) == 1);
}

TEST_CASE("As long as nobody knows what batches take, each worker is given one", "[batch_workers]") {
  const Points points(10, [](std::uint64_t) {});
  BatchWorkers workers(points.execution, 3, false);
  std::size_t given = 0;
  for (; workers.has_room(kMany) && given < 10; ++given) workers.give({given, 0, {0, 1}});
  CHECK(given == 3);
}

TEST_CASE("A worker that dies in its queue's middle fails the batch it was at, and gives those behind it back",
          "[batch_workers]") {
  const Points points(10, [](std::uint64_t seed) {
    if (seed == 5) std::raise(SIGKILL);
  });
  BatchWorkers workers(points.execution, 1, false);
  for (std::size_t s = 0; s < 10; ++s) workers.give({s, 0, {0, 1}});
  std::set<std::size_t> done, failed;
  while (!workers.is_idle())
    workers.collect(kNoLimit, never, [&](const BatchAnswer& answer) {
      (answer.statistics ? done : failed).insert(answer.task.series);
      if (!answer.statistics) CHECK_THAT(answer.failure, Contains("Killed"));
    });
  CHECK(done == std::set<std::size_t>{0, 1, 2, 3});
  CHECK(failed == std::set<std::size_t>{4});
  std::set<std::size_t> returned;
  for (const auto& task : workers.take_back()) returned.insert(task.series);
  CHECK(returned == std::set<std::size_t>{5, 6, 7, 8, 9});
  CHECK(workers.take_back().empty());
}

TEST_CASE("A batch that becomes surplus while it runs is ended, and those behind it are given back",
          "[batch_workers]") {
  const Points points(3, [](std::uint64_t seed) {
    if (seed == 1) sleep(100);
  });
  BatchWorkers workers(points.execution, 1, false);
  for (std::size_t s = 0; s < 3; ++s) workers.give({s, 0, {0, 1}});
  std::size_t answers = 0;
  while (!workers.is_idle())
    workers.collect(kNoLimit, [](std::size_t s) { return s == 0; }, [&](const BatchAnswer& answer) {
      ++answers;
      CHECK(answer.task.series == 0);
      CHECK_FALSE(answer.statistics);
    });
  CHECK(answers == 1);
  CHECK(workers.take_back().size() == 2);
}
