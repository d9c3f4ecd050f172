// Deciding on the command line: run, sweep, show and check say who is best, and bad flags are refused.
#include <catch2/catch.hpp>

#include "tests/sim/scenario_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

TEST_CASE("Which technique is best is told, in a sweep and by show alike", "[computes][cli][decide]") {
  const Folder folder;
  const ProgramRun sweep = run_program({"sweep", "labs/best-technique", "--out", folder.path() + "/s", "--replications",
                                        "400", "--set", "sweep.owner.interval=[1000s]", "--set",
                                        "sweep.job.technique=[SS, GSS, static]"});
  INFO(sweep.error);
  CHECK(sweep.status == 0);
  CHECK_THAT(sweep.out, Contains("decided by tau") && Contains("intervals are of replications that also decided"));
  const ProgramRun show = run_program({"show", folder.path() + "/s", "--format", "csv"});
  CHECK_THAT(show.out, Contains(",best,tau,") && Contains(",worse,tau,") && Contains(",after stopping\n"));
}

TEST_CASE("Check says what a decision takes at most", "[cli][decide]") {
  const ProgramRun check = run_program({"check", "labs/best-technique"});
  CHECK_THAT(check.out, Contains("replications  at most 400000") && Contains("estimated     at most"));
}

TEST_CASE("A decision that cannot be made is refused", "[cli][decide][error]") {
  const ProgramRun zone = run_program({"run", "labs/best-technique", "--indifference", "0"});
  CHECK(zone.status == 2);
  CHECK_THAT(zone.error, Contains("--indifference 0: it must be more than 0"));
  const ProgramRun key = run_program({"run", "labs/best-technique", "--decide", "job.tasks"});
  CHECK(key.status == 2);
  CHECK_THAT(key.error, Contains("'job.tasks' is not swept"));
}
