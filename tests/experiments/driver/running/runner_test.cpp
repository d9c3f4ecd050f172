// Batches over child processes: the same outcomes for any number of jobs, stopping rules, failures that cost a point;
// which engine runs it, and what is said of replayed series.
#include "experiments/driver/running/runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <sstream>
#include <utility>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/running/run_bounds.hpp"
#include "sim/base/error.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/paths.hpp"
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

// Two workstations exchange over links of their own; three share them.
const char* const kExchange =
    "nowsim: 1\n"
    "platform: {workstations: 2, speed: 1f, network: switch, bandwidth: 1kBps, latency: 1ms}\n"
    "job: {workload: all-to-all, work: 8f, rounds: 2, bytes: 500}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "run: {replications: 250}\n"
    "sweep: {platform.workstations: [2, 3]}\n";

ResultTable summary_of(const Experiment& e, int jobs) { return summarise(e, run_experiment(e, {jobs})); }

/// A series of 40 s that leaves half of a machine of 1 flop/s on average.
Experiment replaying(const Folder& folder, const std::string& works, const std::string& owner = "") {
  folder.file("t.csv", "time,value\n0,10\n10,90\n20,70\n30,30\n");
  folder.file("p.profile", "PERIODICITY 40\n0 1.0\n10 0.5\n");
  return loaded("nowsim: 1\nplatform: {workstations: 1, speed: 1f}\njob: {workload: base-task, work: 1f}\n"
                "metrics: [tau, sigma_T]\nrun: {replications: 10}\nsweep: {job.work: [" + works + "]}\nowner: " +
                (owner.empty() ? "{model: trace, file: " + folder.path() + "/t.csv}" : owner) + "\n");
}

std::string met(const Experiment& e) { return summarise(e, run_experiment(e, {1})).remark; }

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

TEST_CASE("Points whose transfers meet are run directly too, and every row says which engine ran", "[engine]") {
  const Experiment e = loaded(kExchange);
  const ResultTable s = summary_of(e, 2);
  for (const auto& row : s.rows) CHECK(row.engine == "direct");
  CHECK(s.rows[1].replications == 250);
  const ResultTable simgrid = summary_of(loaded(kExchange, {"run.engine=simgrid"}), 1);
  for (const auto& row : simgrid.rows) CHECK(row.engine == "simgrid");
  CHECK(s.rows[1].estimates[0][0].value == Approx(simgrid.rows[1].estimates[0][0].value).epsilon(1e-9));
  for (const int jobs : {1, 5}) CHECK(csv(summary_of(e, jobs)) == csv(s));
}

TEST_CASE("On one Ethernet messages follow each other or meet, and take as long as they should",
          "[engine]") {
  const ResultTable s = summary_of(
      loaded("nowsim: 1\n"
             "let: {way: 1}\n"
             "platform:\n"
             "  file: " + source_folder() + "/platforms/sparc-now.xml\n"
             "  sets: {101: [sparc5-1, sparc5-2], 102: [sparc5-3, sparc5-4, classic-1]}\n"
             "  set: = let.way * 100 + let.step\n"
             "  weights: ep\n"
             "  speed: 1Mf\n"
             "job: {workload: all-to-all, work: 2Mf, bytes: 10kB}\n"
             "split: {policy: equal}\n"
             "sweep:\n"
             "  let.step: [1, 2]\n"
             "  zip: {job.workload: [ping-pong, all-to-all, all-to-all], job.work: [0, 2Mf, 2Mf],\n"
             "        platform.weights: [ep, ep, merge-sort],\n"
             "        platform.links.ethernet.bandwidth: [1000kBps, 1000kBps, 500kBps]}\n"
             "run: {replications: 1}\n"),
      1);
  const auto tau = [&](std::size_t row) { return s.rows.at(row).estimates[0][0].value; };
  for (const auto& row : s.rows) CHECK(row.engine == "direct");
  CHECK(tau(0) == Approx(2 * 0.012).epsilon(1e-9));
  CHECK(tau(3) == Approx(4 * 0.012).epsilon(1e-9));
  // Two SPARC 5-70 end their 1 Mflop at once, and each of their two messages has half of the Ethernet.
  CHECK(tau(1) == Approx(1 + 0.002 + 2 * 0.01).epsilon(1e-9));
  CHECK(tau(2) == Approx(1 + 0.002 + 2 * 0.02).epsilon(1e-9));
  // The SPARCclassic is last, long after the others' messages: it sends two at once.
  CHECK(tau(4) == Approx(2.0 / 3 / 0.39 + 0.002 + 2 * 0.01).epsilon(1e-9));
  CHECK(tau(5) == Approx(2.0 / 3 / 0.63 + 0.002 + 2 * 0.02).epsilon(1e-9));
}

TEST_CASE("Owners' jobs on machines that switch off are run on SimGrid, and refused on the other engine", "[engine]") {
  const Folder folder;
  folder.file("off.profile", "PERIODICITY 100\n0 1\n50 0\n60 1\n");
  const std::string file =
      folder.file("p.xml",
                  "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                  "<platform version=\"4.1\"><zone id=\"z\" routing=\"None\">"
                  "<host id=\"a\" speed=\"1f\" state_file=\"off.profile\"/></zone></platform>\n");
  const std::string yaml =
      "nowsim: 1\nplatform: {file: " + file + "}\njob: {workload: base-task, work: 20f}\nrun: {replications: 3}\n";
  CHECK(summary_of(loaded(yaml), 1).rows[0].engine == "direct");
  const std::string jobs = "owner={model: jobs, u: 20%, demand: 1s}";
  CHECK(summary_of(loaded(yaml, {jobs}), 1).rows[0].engine == "simgrid");
  CHECK_THROWS_AS(summary_of(loaded(yaml, {jobs, "run.engine=direct"}), 1), InputError);
  const ResultTable two = summary_of(loaded(yaml, {jobs, "run.engine=direct", "sweep.job.work=[20f, 30f]"}), 1);
  for (const auto& row : two.rows) {
    CHECK(row.status == PointStatus::failed);
    CHECK_THAT(row.reason, Contains("the engine direct cannot run this"));
  }
}

TEST_CASE("A stored sweep keeps each engine's batches apart, and a point's row is of the engine that ran it",
          "[engine][store]") {
  const Folder folder;
  const Experiment e = loaded(kExchange);
  const SweepOutcome first = swept(folder.path(), e);
  CHECK(sql(folder.path(),
            "SELECT p.engine, s.engine FROM point p JOIN scenario s ON s.id = p.scenario"
            " ORDER BY p.position") == std::vector<std::string>{"direct|direct", "direct|direct"});
  const SweepOutcome again = swept(folder.path(), e);
  CHECK(again.progress.replications_done == 0);
  CHECK(csv(again.summary) == csv(first.summary));
  CHECK(swept(folder.path(), loaded(kExchange, {"run.engine=simgrid"})).progress.replications_done ==
        500);
  CHECK(sql_number(folder.path(), "SELECT count(*) FROM scenario s WHERE s.engine = 'simgrid' AND EXISTS"
                                  " (SELECT 1 FROM batch b WHERE b.scenario = s.id)") == 2);
}

TEST_CASE("An engine that does not exist is refused", "[engine][error]") {
  CHECK_THAT(problems_of(kExchange, {"run.engine=fast"}),
             Contains("auto, direct, simgrid") || Contains("auto, direct or simgrid"));
}

TEST_CASE("A trace that jobs outlast is remarked on, before the run and after it", "[replaying]") {
  const Folder folder;
  const Experiment e = replaying(folder, "2f, 20f, 50f");  // of 4 s, of just one round, and of 100 s
  CHECK_THAT(replaying_expected(e), Contains("t.csv") && Contains(" lasts 40 s, and a job is expected to take 1 min 40 s") &&
                                        Contains("(2 points)"));
  CHECK_THAT(met(e), Contains(" lasts 40 s, and a replication took 1 min ") && Contains("(2 points): after its end"));
  const ResultTable summary = summarise(e, run_experiment(e, {1}));
  CHECK(summary.rows[1].estimates[1][0].value == 0);  // sigma_T
  std::ostringstream table;
  write_summary(summary, Format::table, table);
  CHECK_THAT(table.str(), Contains("\nremark: trace "));
}

TEST_CASE("A deterministic profile that is repeated counts as well", "[replaying]") {
  const Folder folder;
  const std::string owner = "{model: profile, file: " + folder.path() + "/p.profile}";
  CHECK_THAT(met(replaying(folder, "100f", owner)), Contains("p.profile lasts 40 s"));
}

TEST_CASE("Nothing is said where series last longer than jobs, or nothing is recorded", "[replaying]") {
  const Folder folder;
  CHECK(replaying_expected(replaying(folder, "4f")).empty());
  CHECK(met(replaying(folder, "0.4f")).empty());  // of 50 stretches or so, five times as many as replications
  for (const std::string owner : {"{model: duty-cycle, u: 50%, period: 1s}", "{model: intervals, TH: 0.2}"}) {
    const Experiment e = replaying(folder, "4f", owner);
    CHECK(replaying_expected(e).empty());
    CHECK(met(e).empty());
  }
}

TEST_CASE("How few stretches replications stand for is said", "[replaying][stretches]") {
  const Folder folder;
  CHECK_THAT(met(replaying(folder, "4f")), Contains("such stretches that do not overlap"));
  const std::string beginning = "{model: trace, start: beginning, file: " + folder.path() + "/t.csv}";
  const Experiment same = replaying(folder, "4f", beginning);
  const ResultTable summary = summarise(same, run_experiment(same, {1}));
  CHECK_THAT(summary.remark, Contains("count as one"));
  CHECK(std::isnan(summary.rows[0].estimates[0][0].high));
}

TEST_CASE("Intervals of sigma_T are remarked on where lengths have heavy tails", "[replaying][remark]") {
  const Folder folder;
  const std::string pareto = "{model: intervals, TH: 0.3, length: pareto, shape: ";
  CHECK_THAT(met(replaying(folder, "20f", pareto + "2.5}")), Contains("intervals of sigma_T are too narrow"));
  CHECK(met(replaying(folder, "20f", pareto + "4}")).empty());
}
