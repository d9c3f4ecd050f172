// What nowsim verify compares: random programs on random networks, what shrinking leaves of a failing one, and every
// workload and owner model.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/program_fixture.hpp"
#include "tools/verify/random_case.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

bool has(const RandomCase& one, RandomOperation::Kind kind) {
  return std::ranges::any_of(one.program, [kind](const RandomOperation& op) { return op.kind == kind; });
}

/// As if a program failed that takes from any rank, and computes after that.
bool is_suspicious(const RandomCase& one) {
  const auto collects = [](const RandomOperation& op) {
    return op.kind == RandomOperation::Kind::collect && op.pairs.size() > 1;
  };
  const auto from = std::ranges::find_if(one.program, collects);
  return std::find_if(from, one.program.end(), [](const RandomOperation& op) {
           return op.kind == RandomOperation::Kind::compute;
         }) != one.program.end();
}

}  // namespace

TEST_CASE("Random programs on random networks give the same on both engines", "[computes][reads][random-programs]") {
  for (std::uint64_t network = 0; network < 2 * random_network_kinds().size(); ++network) {
    const RandomComparison found = compare_engines_on(network);
    INFO(random_network_kinds()[network % random_network_kinds().size()] << ", network " << network << ", program "
                                                                         << found.failing.value_or(0));
    CHECK(!has_failed(found.agreement));
  }
}

TEST_CASE("Random programs are the same each time, and use every operation", "[random-programs]") {
  CHECK(case_text(random_case(7, 3)) == case_text(random_case(7, 3)));
  CHECK(case_text(random_case(7, 3)) != case_text(random_case(7, 4)));
  for (int kind = 0; kind <= static_cast<int>(RandomOperation::Kind::reduce); ++kind) {
    bool found = false;
    for (std::uint64_t program = 0; program < 100 && !found; ++program)
      found = has(random_case(2, program), static_cast<RandomOperation::Kind>(kind));
    CHECK(found);
  }
}

TEST_CASE("A failing program is made smaller as long as it fails", "[random-programs]") {
  std::uint64_t shrunk = 0;
  for (std::uint64_t program = 0; program < 40; ++program) {
    const RandomCase failing = random_case(4, program);
    if (!is_suspicious(failing)) continue;
    ++shrunk;
    const RandomCase smallest = smallest_failing(failing, is_suspicious);
    REQUIRE(smallest.program.size() == 2);
    CHECK(smallest.program[0].pairs.size() == 2);
    CHECK(smallest.program[0].patience_s == 0);
    CHECK(smallest.network.speeds_flops.size() <= 3);
    CHECK(smallest.network.links.size() == 1);
    CHECK(case_text(smallest).find(" takes from any: ") < case_text(smallest).find(" computes "));
    CHECK(compare_engines(smallest).kind != Agreement::Kind::failed);
  }
  CHECK(shrunk > 2);
}

TEST_CASE("verify finds that the engines agree for every workload and owner model", "[verify][slow]") {
  const ProgramRun r = run_program({"verify", "--quiet"});
  CHECK(r.status == 0);
  CHECK(r.error.empty());
  for (const char* job : {"base-task", "augmented-task", "ping-pong", "all-to-all", "ep", "edge-detection",
                          "merge-sort", "matrix-multiply", "cholesky", "gauss", "gauss point-to-point, shrinking",
                          "gauss free", "genetic-algorithm", "genetic-algorithm static"})
    for (const char* owner : {"dedicated", "intervals", "duty-cycle", "jobs", "profile", "trace"})
      CHECK_THAT(r.out, Contains(std::string(job) + ", " + owner));
  for (const char* technique : {"SS", "CSS", "TSS", "FAC", "WF", "AWF-B", "AWF-C", "AF", "SS with time-outs"})
    CHECK_THAT(r.out, Contains("task-farm " + std::string(technique) + ", jobs, sharing"));
  CHECK_THAT(r.out, Contains("task-farm static with failures, dedicated"));
  for (const char* bandwidth : {"dedicated", "intervals uniform", "duty-cycle", "profile", "trace"})
    CHECK_THAT(r.out, Contains(std::string("augmented-task with bytes, bandwidth ") + bandwidth));
  for (const char* network :
       {"bus", "switch", "links", "sparc-now", "beowulf-33", "lab-now", "campus", "ethernet-by-day"})
    CHECK_THAT(r.out, Contains("all-to-all on " + std::string(network) + ", dedicated"));
  for (const char* what : {"bus", "crossbar", "tree", "fat pipes", "varying graph"})
    CHECK_THAT(r.out, Contains("random programs, " + std::string(what) + " "));
  CHECK_THAT(r.out, Contains("random programs on campus.xml"));
  CHECK_THAT(r.out, !Contains("differ ") && Contains("the largest relative difference is "));
}
