// Which engine runs a point: the choice in YAML, and SimGrid where the direct engine cannot.
#include <algorithm>
#include <catch2/catch.hpp>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "sim/base/error.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

// Two workstations exchange over links of their own; three share them.
const char* const kExchange =
    "nowsim: 1\n"
    "platform: {workstations: 2, speed: 1f, network: switch, bandwidth: 1kBps, latency: 1ms}\n"
    "job: {workload: all-to-all, work: 8f, rounds: 2, bytes: 500}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "run: {replications: 250}\n"
    "sweep: {platform.workstations: [2, 3]}\n";

ResultTable summary_of(const Experiment& e, int jobs) { return summarise(e, run_experiment(e, {jobs})); }

}  // namespace

TEST_CASE("Points whose transfers meet are run directly too, and every row says which engine ran", "[reads][engine]") {
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
