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

TEST_CASE("check and dry runs solve nothing, but say how many sizes are to be found", "[computes][cli][solve]") {
  const Spec spec;
  CHECK_THAT(run_program({"check", "e.yaml"}, spec.path()).out,
             Contains("sizes         3 to be found first, by simulation, each by at most 60 trials: job.work where tau "
                      "has a given value\n"));
  CHECK_THAT(spec.sweep("store", "--dry-run").out,
             Contains("\nsizes:        3 to be found first, by simulation, each by at most 60 trials: "));
}

TEST_CASE("A sweep solves to the same bytes for any number of jobs, and a second one simulates nothing",
          "[cli][solve]") {
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

TEST_CASE("A plan solves for nothing", "[cli][solve][error]") {
  const Spec spec;
  spec.file(
      "p.xml",
      "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
      "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/></zone></platform>");
  const auto plan = run_program({"plan", "p.xml", "--work", "10Gf", "--set", "solve.key=job.work"}, spec.path());
  CHECK(plan.status == 2);
  CHECK_THAT(plan.error, Contains("solve.key: a plan has no such key"));
}
