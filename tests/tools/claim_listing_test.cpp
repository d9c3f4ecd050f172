// Claims by their ids: those that are shipped, and other readings of claims that are nowhere.
#include <catch2/catch.hpp>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

std::string with_variant_of(const std::string& id) {
  return "nowsim: 1\nplatform: {workstations: 1, speed: 2f}\njob: {workload: base-task, work: 100f}\n"
         "run: {replications: 2}\nmetrics: [tau]\nsweep: {job.work: [100f, 200f]}\nclaims:\n"
         "  - {id: mine, says: tau rises, source: a test, check: increasing, metric: tau, along: job.work, "
         "variant_of: " +
         id + "}\n";
}

}  // namespace

TEST_CASE("nowsim list claims has the claims of all shipped experiments", "[computes][claim_listing]") {
  const ProgramRun listed = run_program({"list", "claims"});
  CHECK(listed.status == 0);
  CHECK_THAT(listed.out, Contains("BZ-4-speedup ") && Contains("(bazterra-2004/fig04; BZ "));
}

TEST_CASE("Another reading of a claim that no experiment has is refused by check", "[claim_listing]") {
  const Folder folder;
  folder.file("e.yaml", with_variant_of("HL-5-tou-rises"));
  const ProgramRun lost = run_program({"check", "e.yaml"}, folder.path());
  CHECK(lost.status == 2);
  CHECK_THAT(lost.error, Contains("e.yaml:8: claims.mine.variant_of: no experiment has a claim 'HL-5-tou-rises'"));
  folder.file("e.yaml", with_variant_of("BZ-4-speedup"));  // which is shipped
  CHECK(run_program({"check", "e.yaml"}, folder.path()).status == 0);
  folder.file("e.yaml", with_variant_of("theirs"));
  std::string other = with_variant_of("BZ-4-speedup");
  other.replace(other.find("id: mine"), 8, "id: theirs");
  folder.file("beside.yaml", other);
  CHECK(run_program({"check", "e.yaml"}, folder.path()).status == 0);
  folder.file("beside.yaml", "nonsense: [");  // which says itself what is wrong with it
  CHECK(run_program({"check", "e.yaml"}, folder.path()).status == 2);
  CHECK_THAT(run_program({"reproduce", "e.yaml"}, folder.path()).error, Contains("no experiment has a claim 'theirs'"));
}
