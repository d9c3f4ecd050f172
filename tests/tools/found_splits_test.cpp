// Splits that take simulation, on the command line.
#include <catch2/catch.hpp>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

struct Spec : SweptFolder {
  Spec() {
    file("e.yaml",
         "nowsim: 1\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 300f}\n"
         "split: {policy: optimal, replications: 200, gap_samples: 2}\n"
         "owner: {model: intervals, TH: 0.3, SH: 0.2}\nrun: {replications: 200}\nmetrics: [tau, X_i]\n"
         "sweep: {owner.SH: [0.1, 0.2, 0.25]}\n");
  }
};

}  // namespace

TEST_CASE("A sweep writes its splits beside its results, the same bytes for any number of jobs",
          "[computes][cli][splits]") {
  const Spec spec;
  CHECK(spec.sweep("one", "--jobs=1").status == 0);
  CHECK(spec.sweep("four", "--jobs=4").status == 0);
  CHECK_THAT(spec.content("one/e-splits.csv"), Contains("owner.SH,policy,objective,before,"));
  CHECK(spec.content("one/e-splits.csv") == spec.content("four/e-splits.csv"));
  CHECK(spec.content("one/e.csv") == spec.content("four/e.csv"));
  CHECK_THAT(spec.sweep("one", "--dry-run").out,
             !Contains("to be found") && Contains("in the store: 6 batches"));
}

TEST_CASE("A run shows how one split was found, or a table of several, where that is asked for", "[cli][splits]") {
  const Spec spec;
  const auto one = run_program({"run", "e.yaml", "--set", "owner.SH=0.2", "--show-splits"}, spec.path());
  CHECK_THAT(one.out, Contains("split: optimal, minimising tau") && Contains("above the best split  by at most"));
  CHECK_THAT(run_program({"run", "e.yaml", "--show-splits"}, spec.path()).out, Contains("splits found by simulation"));
  CHECK_THAT(run_program({"run", "e.yaml"}, spec.path()).out,
             Contains("\nsplits were found by simulation (--show-splits shows them)\n") && !Contains("reduction"));
  CHECK_THAT(run_program({"run", "e.yaml", "--format", "csv"}, spec.path()).out, !Contains("split"));
}
