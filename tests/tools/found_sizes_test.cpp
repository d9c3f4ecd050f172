// Sizes that are solved for, on the command line.
#include <catch2/catch.hpp>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

struct Spec : SweptFolder {
  Spec() {
    file("e.yaml",
         "nowsim: 1\nplatform: {workstations: 4, speed: 1f}\njob: {workload: base-task, work: 1f}\n"
         "owner: {model: intervals, TH: 0.3}\nrun: {replications: 200}\nmetrics: [tau]\n"
         "solve: {key: job.work, metric: tau, equals: =let.t, from: 10f, to: 2000f}\nlet: {t: 1}\n"
         "sweep: {let.t: [100, 200, 5000]}\n");
  }
};

}  // namespace

TEST_CASE("A sweep solves to the same bytes for any number of jobs, and a second one simulates nothing",
          "[computes][cli][solve]") {
  const Spec spec;
  const auto first = spec.sweep("one", "--jobs=1");
  CHECK(first.status == 0);
  CHECK_THAT(first.out, Contains("infeasible: let.t=5000: no job.work from 10 to 2000 has tau = 5000 s: at most "));
  CHECK(spec.sweep("two", "--jobs=2").status == 0);
  CHECK(spec.content("one/e.csv") == spec.content("two/e.csv"));
  CHECK_THAT(spec.sweep("one", "--dry-run").out, !Contains("to be found") && Contains("to simulate:  0 batches"));
  const auto second = spec.sweep("one", "--jobs=2");
  CHECK_THAT(second.error, Contains("0 replications simulated, 400 taken from the store"));
  CHECK(spec.content("one/e.csv") == spec.content("two/e.csv"));
}

TEST_CASE("Runs and reproductions solve as sweeps do", "[cli][solve]") {
  const Spec spec;
  CHECK(spec.sweep("store", "--quiet").status == 0);
  CHECK(run_program({"run", "e.yaml", "--format", "csv"}, spec.path()).out == spec.content("store/e.csv"));
  const auto made = run_program({"reproduce", "e.yaml", "--out", "r", "--quiet"}, spec.path());
  CHECK(made.status == 0);
  CHECK(made.error.empty());
  CHECK(spec.content("r/e.csv") == spec.content("store/e.csv"));
}
