// Chunk formulas in an experiment's file: mistakes with their place, and the text as part of what results are found by.
#include "tests/experiments/driver/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// The job is line 4.
std::string farm_with(const std::string& keys, const std::string& more = "") {
  return "nowsim: 1\n"
         "platform: {workstations: 3, speed: 1f, network: switch, bandwidth: 1MBps, latency: 1us}\n"
         "owner: {model: dedicated}\n"
         "job: {workload: task-farm, tasks: 40, cost: 1f, technique: formula" +
         keys + "}\nmetrics: [tau]\n" + more;
}

std::string identity_of(const std::string& keys, const std::string& more = "") {
  return loaded(farm_with(keys, more)).points.front().scenario()->workload_identity;
}

}  // namespace

TEST_CASE("Mistakes in chunk formulas are told with their place", "[reads][reading][task-farm][error]") {
  CHECK(problems_of(farm_with("")) == "e.yaml:4: job.chunk: this key is missing\n");
  CHECK_THAT(problems_of(farm_with(", chunk: 'ceil(R/(2*P)'")),
             Catch::StartsWith("e.yaml:4: job.chunk: the formula 'ceil(R/(2*P)' is wrong at position 5"));
  CHECK_THAT(problems_of(farm_with(", chunk: R/men")),
             Catch::StartsWith("e.yaml:4: job.chunk: the formula 'R/men' names 'men', which is none of: R, N, P, ") &&
                 Catch::EndsWith("; did you mean 'mean'?\n"));
  CHECK_THAT(problems_of(farm_with(", chunk: R/P, batch: 2*Q")),
             Catch::Contains("e.yaml:4: job.batch: ") && Catch::Contains("names 'Q'"));
  CHECK_THAT(problems_of(farm_with(", chunk: R/P + let.lest", "let: {least: 2}\n")), Catch::Contains("'let.lest'"));
  CHECK_THAT(problems_of(farm_with(", chunk: K/P")),
             Catch::Contains("without a formula at 'batch' there are no batches"));
  CHECK_THAT(problems_of(farm_with(", chunk: R/P, min_chunk: 3")), Catch::Contains("min_chunk"));
  CHECK(problems_of(farm_with(", chunk: R/P, batch: R/2")).empty());
}

TEST_CASE("A chunk formula's text, and the values of keys that it names, tell its results from others",
          "[reading][task-farm]") {
  CHECK_THAT(identity_of(", chunk: 'ceil(R/(2*P))'"),
             Catch::Contains(" technique=formula chunk='ceil(R/(2*P))' request"));
  CHECK_THAT(identity_of(", chunk: 'R/P', batch: R/2"), Catch::Contains(" chunk='R/P' batch='R/2' request"));
  CHECK_THAT(identity_of(", chunk: 'max(let.least, R/P)'", "let: {least: 2}\n"),
             Catch::Contains(" chunk='max(let.least, R/P)' chunk.let.least=2 request"));
}

TEST_CASE("Chunk formulas can be swept", "[reading][task-farm]") {
  const Experiment e = loaded(farm_with("", "sweep: {job.chunk: [R/P, R/(2*P), 3]}\n"));
  REQUIRE(e.points.size() == 3);
  CHECK_THAT(e.points[1].scenario()->workload_identity, Catch::Contains("chunk='R/(2*P)'"));
  CHECK_THAT(e.points[2].scenario()->workload_identity, Catch::Contains("chunk='3'"));
}
