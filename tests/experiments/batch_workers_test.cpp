// Queues of batches: how long they are, and what becomes of one whose worker dies.
#include "experiments/batch_workers.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <limits>
#include <set>

#include "tests/experiments/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// A study of points with one workstation and one batch each, whose program is called with the point's seed.
struct Points {
  Points(std::size_t count, const std::function<void(std::uint64_t seed)>& program) {
    WorkloadRegistry registry = builtin_workloads();
    registry.add({"test", "a test", "seed", [program](ParameterReader& read) {
                    const auto seed = static_cast<std::uint64_t>(read.count("seed", 0));
                    return std::make_shared<const LambdaWorkload>(
                        [program, seed](Rank& self) -> Process {
                          program(seed);
                          co_await self.compute(1);
                        }, 0);
                  }});
    experiment = loaded("nowsim: 1\njob: {workload: test}\nrun: {replications: 1}\n"
                        "sweep: {job.seed: {from: 1, to: " + std::to_string(count) + ", step: 1}}\n", {}, registry);
    study = plan_study(experiment);
  }
  Experiment experiment;
  Study study;
};

bool never(std::size_t) { return false; }

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kMany = 1'000'000;

/// How many batches fit into the queues, after a first one that shows how long they take.
std::size_t room_after_first(const Points& points, std::size_t jobs, std::uint64_t left) {
  BatchWorkers workers(points.study, jobs);
  std::size_t given = 0;
  for (; given < jobs; ++given) workers.give({given, 0, {0, 1}});
  while (!workers.is_idle()) workers.collect(kNoLimit, never, [](const BatchAnswer&) {});
  const std::size_t before = given;
  while (workers.has_room(left) && given < points.study.series.size()) workers.give({given++, 0, {0, 1}});
  while (!workers.is_idle()) workers.collect(kNoLimit, never, [](const BatchAnswer&) {});
  return given - before;
}

}  // namespace

TEST_CASE("Short batches wait in queues, long ones do not, and towards the end none", "[batch_workers]") {
  const Points brief(200, [](std::uint64_t) {}), lasting(20, [](std::uint64_t) { usleep(5000); });
  std::size_t most = 0;  // a machine that is held up may take a short batch for a long one
  for (int attempt = 0; attempt < 50 && most < 8; ++attempt) most = std::max(most, room_after_first(brief, 2, kMany));
  CHECK(most >= 8);
  CHECK(room_after_first(brief, 2, kMany) <= 2 * kLongestQueue);
  CHECK(room_after_first(brief, 2, 4) == 2);
  CHECK(room_after_first(brief, 2, 12) <= 6);
  CHECK(room_after_first(lasting, 2, kMany) == 2);
}

TEST_CASE("A worker that dies in its queue's middle fails the batch it was at, and gives those behind it back",
          "[batch_workers]") {
  const Points points(10, [](std::uint64_t seed) {
    if (seed == 5) std::raise(SIGKILL);
  });
  BatchWorkers workers(points.study, 1);
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
  BatchWorkers workers(points.study, 1);
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
