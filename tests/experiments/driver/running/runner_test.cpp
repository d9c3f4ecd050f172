// Batches over child processes: the same outcomes for any number of jobs, stopping rules, and failures that cost a
// point.
#include "experiments/driver/running/runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <utility>

#include "tests/experiments/driver/experiment_fixture.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Workloads of tests, made of lambdas.
Additions with(const std::string& name, const Program& program, double work = 0) {
  Additions additions;
  additions.workloads.push_back({name, "a test", {{"kind", KeyType::count, "0", "whatever"}}, [=](KeyReader& read) {
                  read.whole("kind");
                  return std::make_shared<const LambdaWorkload>(program, work);
                }});
  return additions;
}

/// Registers `program` as "test" and runs the experiment with it on one machine.
std::vector<PointOutcome> outcomes(const std::string& yaml, const Program& program, int jobs = 2) {
  const Additions additions = with("test", program);
  return run_experiment(loaded("nowsim: 1\njob: {workload: test}\n" + yaml, {}, additions), {jobs});
}

std::vector<PointOutcome> outcomes(const Experiment& e, int jobs) { return run_experiment(e, {jobs}); }

/// All that an outcome holds, exactly.
std::vector<double> bits(const std::vector<PointOutcome>& all) {
  std::vector<double> out;
  for (const auto& o : all) {
    REQUIRE(o.statistics);
    const Moments& m = o.statistics->makespan_s;
    for (double x :
         {static_cast<double>(m.count()), m.mean(), m.central(2), m.central(3), m.central(4), m.min(), m.max()})
      out.push_back(x);
    out.push_back(o.baseline_s ? o.baseline_s->mean() : -1);
  }
  return out;
}

const std::string kSweep =
    "nowsim: 1\n"
    "platform: {workstations: 3, speed: 1f}\n"
    "job: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "metrics: [tau, speedup]\n"
    "sweep: {owner.TH: [0.1, 0.3, 0.5], owner.length: [uniform, exponential]}\n";

/// The nth call of a rank's program in this process fails; the processes are one batch each.
Program failing_in_replication(std::uint64_t bad) {
  return [bad, n = std::make_shared<std::uint64_t>(0)](Rank& self) -> Process {
    if ((*n)++ == bad) throw std::runtime_error("this replication is cursed");
    co_await self.compute(1);
  };
}

/// How often more was done than before: progress is told in between too.
int steps_in(const std::vector<Progress>& calls) {
  int steps = 0;
  std::uint64_t done = 0;
  for (const Progress& p : calls) steps += std::exchange(done, p.replications_done) < p.replications_done ? 1 : 0;
  return steps;
}

}  // namespace

TEST_CASE("Any number of jobs gives the same bits", "[reads][runner]") {
  for (const char* run :
       {"run: {replications: 250}\n", "run: {replications: 2000, precision: 1%}\n", "run: {replications: 1}\n"}) {
    const Experiment e = loaded(kSweep + run);
    const auto one = bits(outcomes(e, 1));
    CHECK(bits(outcomes(e, 2)) == one);
    CHECK(bits(outcomes(e, 5)) == one);
    CHECK(bits(outcomes(e, 40)) == one);
  }
}

TEST_CASE("Fewer replications are the first of more", "[runner]") {
  const auto makespans = [](int n) {
    return outcomes(loaded(kSweep + "run: {replications: " + std::to_string(n) + "}\n"), 2)[4].statistics->makespan_s;
  };
  const Moments few = makespans(50), more = makespans(400);
  CHECK(few.min() >= more.min());
  CHECK(few.max() <= more.max());
  CHECK(more.max() - more.min() > few.max() - few.min());
}

TEST_CASE("A stopping rule looks between batches, after the fewest and up to the most", "[runner]") {
  const auto count = [](const std::string& run) {
    return outcomes(loaded(kSweep + "run: {" + run + "}\n", {"sweep={}"}), 2)[0].statistics->makespan_s.count();
  };
  CHECK(count("replications: 1000, precision: 50%") == 100);
  CHECK(count("replications: 1000, precision: 50%, min_replications: 201") == 300);
  CHECK(count("replications: 250, precision: 0.0001%") == 250);
  CHECK(count("replications: 30, precision: 50%") == 30);
  CHECK(count("replications: 1, precision: 50%") == 1);
}

TEST_CASE("An infeasible point has no statistics, and points in vain cost no process", "[runner]") {
  const Experiment e = loaded(kSweep + "run: {infeasible: skip, replications: 5}\n", {"sweep={owner.TH: [0.9, 0.1]}"});
  std::vector<Progress> calls;
  const auto all = run_experiment(e, {2, [&](const Progress& p) { calls.push_back(p); }});
  CHECK_FALSE(all[0].statistics);
  CHECK(all[0].failure.empty());
  CHECK(all[1].statistics->makespan_s.count() == 5);
  REQUIRE(steps_in(calls) == 2);  // a batch, and the baseline's
  CHECK(calls.back().points_done == 2);
  CHECK(calls.back().points == 2);
}

TEST_CASE("Progress grows to what was expected", "[runner]") {
  std::vector<Progress> calls;
  run_experiment(loaded(kSweep + "run: {replications: 250}\n"), {3, [&](const Progress& p) { calls.push_back(p); }});
  REQUIRE(steps_in(calls) == 6 * 2 * 3);
  for (std::size_t i = 1; i < calls.size(); ++i) {
    CHECK(calls[i].replications_done >= calls[i - 1].replications_done);
    CHECK(calls[i].points_done >= calls[i - 1].points_done);
  }
  CHECK(calls.back().replications_done == 6 * 2 * 250);
  CHECK(calls.back().replications_expected == 6 * 2 * 250);
  CHECK(calls.back().points_done == 6);
}

TEST_CASE("A failure costs its point alone, and says which replication failed", "[runner]") {
  const Additions additions = with("test", failing_in_replication(3));
  const Experiment e = loaded(
      "nowsim: 1\njob: {workload: test, work: 4}\nrun: {replications: 10}\n"
      "sweep: {zip: {job.workload: [base-task, test, base-task], run.seed: [1, 2, 3]}}\n",
      {}, additions);
  for (int jobs : {1, 2, 5}) {
    const auto all = outcomes(e, jobs);
    CHECK(all[0].failure.empty());
    CHECK(all[0].statistics->makespan_s.count() == 10);
    CHECK_THAT(all[1].failure, Contains("in replication 3 rank 0 on ") && Contains("this replication is cursed"));
    CHECK(all[2].failure.empty());
    CHECK(all[2].statistics->makespan_s.count() == 10);
  }
}

TEST_CASE("Workers that die amid many short points cost those points alone, with any number of jobs", "[runner]") {
  const auto points = [](const std::string& mortal) {
    std::string names, seeds;
    for (int p = 0; p < 120; ++p) {
      names += (p > 0 ? ", " : "") + std::string(p == 30 || p == 31 || p == 77 ? mortal : "base-task");
      seeds += (p > 0 ? ", " : "") + std::to_string(p);
    }
    return "nowsim: 1\nplatform: {workstations: 4}\nowner: {model: intervals, TH: 0.3}\nrun: {replications: 150}\n"
           "sweep: {zip: {job.workload: [" + names + "], run.seed: [" + seeds + "]}}\n";
  };
  const Additions additions = with("mortal", [](Rank&) -> Process {
    std::raise(SIGKILL);
    co_return;
  });
  const auto whole = outcomes(loaded(points("base-task"), {"job.work=400f"}), 1);
  const Experiment e = loaded(points("mortal"), {"job.work=400f"}, additions);
  for (const int jobs : {1, 2, 5}) {
    const auto all = outcomes(e, jobs);
    for (std::size_t p = 0; p < all.size(); ++p) {
      INFO("point " << p << ", " << jobs << " jobs: " << all[p].failure);
      if (p == 30 || p == 31 || p == 77) CHECK_THAT(all[p].failure, Contains("Killed"));
      else CHECK((all[p].failure.empty() && bits({all[p]}) == bits({whole[p]})));
    }
  }
}

TEST_CASE("Processes that crash, abort, leave or run out of memory are failures in a sentence", "[runner]") {
  const std::vector<std::pair<Program, std::string>> table{
      {[](Rank&) -> Process {
         std::raise(SIGKILL);
         co_return;
       },
       "Killed"},
      {[](Rank&) -> Process {
         std::raise(SIGUSR1);
         co_return;
       },
       "User defined signal 1"},
      {[](Rank&) -> Process {
         _exit(7);
         co_return;
       },
       "status 7"},
      {[](Rank&) -> Process {
         throw std::bad_alloc();
         co_return;
       },
       "bad_alloc"},
      {[](Rank&) -> Process {
         throw 3;
         co_return;
       },
       "exception"},
      {[](Rank& self) -> Process { co_await self.receive(0); }, "rank 0"},
  };
  for (const auto& [program, sentence] : table) {
    const auto all = outcomes("run: {replications: 300}\n", program);
    INFO(all[0].failure);
    CHECK_THAT(all[0].failure, Contains(sentence));
    CHECK(std::count(all[0].failure.begin(), all[0].failure.end(), '\n') == 0);
  }
}

TEST_CASE("Which failure is told does not depend on the jobs", "[runner]") {
  // In every batch of 100 another replication fails first, all with sentences of their own.
  const Program program = [](Rank& self) -> Process {
    co_await self.compute(1);
    throw std::runtime_error("drew " + std::to_string(self.random().uniform()));
  };
  const std::string one = outcomes("run: {replications: 1000}\n", program, 1)[0].failure;
  CHECK_THAT(one, Contains("drew "));
  for (int jobs : {2, 5, 20}) CHECK(outcomes("run: {replications: 1000}\n", program, jobs)[0].failure == one);
}
