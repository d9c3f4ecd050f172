// nowsim verify: the standard scenarios agree, a user's specification is compared.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

TEST_CASE("verify finds that the engines agree for every workload and owner model", "[verify_command][slow]") {
  const ProgramRun r = run_program({"verify"});
  CHECK(r.status == 0);
  CHECK(r.error.empty());
  for (const char* job : {"base-task", "augmented-task", "ping-pong", "all-to-all", "ep", "edge-detection", "merge-sort",
                          "matrix-multiply", "cholesky", "gauss", "gauss point-to-point, shrinking", "gauss free",
                          "genetic-algorithm", "genetic-algorithm static"})
    for (const char* owner : {"dedicated", "intervals", "duty-cycle", "jobs", "profile", "trace"})
      CHECK_THAT(r.out, Contains(std::string(job) + ", " + owner));
  for (const char* technique : {"SS", "CSS", "TSS", "FAC", "WF", "AWF-B", "AWF-C", "AF", "SS with time-outs"})
    CHECK_THAT(r.out, Contains("task-farm " + std::string(technique) + ", jobs, sharing"));
  CHECK_THAT(r.out, Contains("task-farm static with failures, dedicated"));
  for (const char* bandwidth : {"dedicated", "intervals uniform", "duty-cycle", "profile", "trace"})
    CHECK_THAT(r.out, Contains(std::string("augmented-task with bytes, bandwidth ") + bandwidth));
  CHECK_THAT(r.out, !Contains("differ ") && Contains("the largest relative difference is "));
}

TEST_CASE("verify compares every point of a specification, with messages that meet too", "[verify_command]") {
  const Folder folder;
  folder.file("e.yaml",
              "nowsim: 1\n"
              "platform: {workstations: 2, speed: 1f, network: switch, bandwidth: 1kBps, latency: 1ms}\n"
              "job: {workload: all-to-all, work: 8f, rounds: 2, bytes: 500}\n"
              "owner: {model: intervals, TH: 0.4}\n"
              "run: {replications: 5}\n"
              "sweep: {platform.workstations: [2, 3]}\n");
  const ProgramRun r = run_program({"verify", "e.yaml", "-f", "csv"}, folder.path());
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("platform.workstations=2,5,") && Contains("platform.workstations=3,5,") &&
                        !Contains(",differ,"));
  const auto json = nlohmann::json::parse(run_program({"verify", "e.yaml", "-f", "json"}, folder.path()).out);
  REQUIRE(json.size() == 2);
  CHECK(json[0]["largest_difference"].is_number());
  CHECK(json[1]["largest_difference"].is_number());
}

TEST_CASE("verify says what is wrong with its words", "[verify_command][error]") {
  CHECK(run_program({"verify", "nothing.yaml"}).status == 2);
  CHECK(run_program({"verify", "-f", "xml"}).status == 2);
  CHECK(run_program({"verify", "a.yaml", "b.yaml"}).status == 2);
}
