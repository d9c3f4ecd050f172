// Deciding on the command line: sweep and show say who is best.
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
