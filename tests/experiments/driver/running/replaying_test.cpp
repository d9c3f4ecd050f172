// What is said where a job takes longer than its owner's recorded series.
#include "experiments/driver/running/run_bounds.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "experiments/driver/running/result_output.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

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

TEST_CASE("A trace that jobs outlast is remarked on, before the run and after it", "[reads][replaying]") {
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
