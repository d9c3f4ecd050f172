// Keys of jobs: work told as time on a machine, and chunk formulas; what they come to, and what is refused.
#include "experiments/driver/reading/machine_time.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// a, b ... with these speeds [flop/s].
Platform lab_with(const std::vector<double>& speeds) {
  Platform p;
  p.source = "lab.xml";
  for (const double speed : speeds) {
    Workstation w;
    w.name = std::string(1, static_cast<char>('a' + p.workstations.size()));
    w.speed_flops = speed;
    p.workstations.push_back(w);
  }
  return p;
}

std::string refused(const std::string& text, const Platform& p, bool takes_bare_times = true) {
  return sentence_of([&] { static_cast<void>(parse_work(text, p, takes_bare_times)); });
}

std::string experiment(const std::string& rest) {
  return "nowsim: 1\nplatform: {workstations: 4, speed: 2Gf}\nrun: {replications: 2}\nmetrics: [tau]\n" + rest + "\n";
}

double work_of(const Experiment& e, std::size_t point = 0) {
  return e.points.at(point).scenario()->workload->program().work_flop;
}

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

TEST_CASE("Work is a quantity, or a time on a machine whose owner leaves it alone", "[reads][machine_time]") {
  const Platform equal = lab_with({2e9, 2e9});
  const auto work = [&](const std::string& text) { return parse_work(text, equal, true); };
  CHECK(work("3.6Pf") == 3.6e15);
  CHECK(work("7200") == 7200);  // without a unit it is flop
  CHECK(work("10h") == 36000 * 2e9);
  CHECK(work("40 machine-hours") == 40 * 3600 * 2e9);
  CHECK(work("1 machine-hour") == 3600 * 2e9);
  CHECK(work("40 machine hours") == 40 * 3600 * 2e9);
  CHECK(work("3 CPU days") == 3 * 86400 * 2e9);
  CHECK(work("3 days") == 3 * 86400 * 2e9);
  CHECK(work("1 hour at 500Mf") == 3600 * 5e8);
  CHECK(work("1.5 core-days") == 1.5 * 86400 * 2e9);
  CHECK(work("3 CPU-min") == 180 * 2e9);
  CHECK(work("  2 machine-seconds ") == 4e9);
  CHECK(work("90min at 2.5Gf") == 5400 * 2.5e9);
  CHECK(work("40 machine-hours at 500Mf") == 40 * 3600 * 5e8);
}

TEST_CASE("Where machines differ in speed, it is said of which the time is", "[machine_time][error]") {
  const Platform lab = lab_with({2e9, 3e9, 1e9});
  CHECK(parse_work("10h of b", lab, true) == 36000 * 3e9);
  CHECK(parse_work("10 machine-hours of c", lab, true) == 36000 * 1e9);
  CHECK(parse_work("10h at 2.5Gf", lab, true) == 36000 * 2.5e9);
  CHECK_THAT(refused("10h", lab),
             Contains("c (1 Gflop/s) to b (3 Gflop/s)") && Contains("'10h of a'") && Contains("'10h at 2.5Gf'"));
  CHECK_THAT(refused("10h of d", lab), Contains("there is no machine 'd' among those of lab.xml"));
  CHECK(machine_time_text(*machine_time_of("10h of b"), lab) == "108 Tflop, at 3 Gflop/s");
}

TEST_CASE("What is no time on a machine is refused with what would be", "[machine_time][error]") {
  const Platform one = lab_with({1e9});
  CHECK_THAT(refused("10m", one), Contains("'10m' is not an amount of work") && Contains("'40 machine-hours' or 40h"));
  CHECK_THAT(refused("ten machine-hours", one), Contains("a number is wanted before the unit"));
  CHECK_THAT(refused("3 machine-fortnights", one), Contains("-days or -weeks are known"));
  CHECK_THAT(refused("10h at walking pace", one), Contains("is not a speed"));
  CHECK_THAT(refused("10h at 0f", one), Contains("does no work"));
  CHECK_THAT(refused("10h at 2", one), Contains("the speed '2' has no unit; write one, as in '10h at 2.5Gf'"));
  for (const char* less : {"-5h", "-5 machine-hours", "-5h at 2Gf"})
    CHECK_THAT(refused(less, one),
               Contains(std::string("'") + less + "' is no amount of work: it must be more than 0"));
  CHECK_THAT(refused("3 machine fortnights", one), Contains("machine-seconds, -minutes, -hours, -days or -weeks"));
  CHECK_THAT(refused("1e300h", one), Contains("more work than numbers can tell"));
  // Where a bare time may be meant as one, only a named one is work.
  CHECK_THAT(refused("10s", one, false), Contains("'10s' is not an amount of work"));
  CHECK(parse_work("10 machine-seconds", one, false) == 1e10);
}

TEST_CASE("A deadline whose formula failed is not missing", "[machine_time][config][error]") {
  const std::string found = problems_of(
      "nowsim: 1\nplatform: {workstations: 4}\nrun: {replications: 2, deadline: = job.work / 1e9}\nmetrics: [RF]\n"
      "job: {workload: base-task, work: 1h}\n");
  CHECK_THAT(found, Contains("'1h' is work told as time on a machine") && !Contains("needs a deadline"));
}

TEST_CASE("An experiment's work may be told so, and it is said what that comes to", "[machine_time][config]") {
  const Experiment e = loaded(experiment("job: {workload: base-task, work: 40 machine-hours}"));
  CHECK(work_of(e) == 40 * 3600 * 2e9);
  REQUIRE(e.remarks.size() == 1);
  CHECK_THAT(e.remarks.front(), Contains("e.yaml:5: job.work: 40 machine-hours is 288 Tflop, at 2 Gflop/s"));
  const Experiment swept = loaded(experiment("job: {workload: base-task}\nsweep: {job.work: [1h, 2h, 7.2Tf]}"));
  CHECK(work_of(swept, 0) == 3600 * 2e9);
  CHECK(work_of(swept, 1) == 7200 * 2e9);
  CHECK(work_of(swept, 2) == 7.2e12);
  CHECK(swept.remarks.size() == 2);
  CHECK(loaded(experiment("job: {workload: base-task}\nsweep: {job.work: [1h, 2h, 3h, 4h]}")).remarks.size() == 3);
  CHECK(loaded(experiment("job: {workload: base-task, work: 1Tf}")).remarks.empty());
  const Experiment farm = loaded(experiment("job: {workload: task-farm, tasks: 100, cost: 30 machine-seconds}"),
                                 {"platform.network=switch", "platform.bandwidth=1GBps", "platform.latency=0s"});
  CHECK(work_of(farm) == Approx(100 * 30 * 2e9));
}

TEST_CASE("Formulas use the work that a machine time is, or say that they cannot", "[machine_time][config]") {
  const Experiment e = loaded(experiment("job: {workload: augmented-task, work: 1h, phases: = job.work / 7.2e11}"));
  CHECK(work_of(e) == 7.2e12);
  CHECK_THAT(
      problems_of(experiment("job: {workload: base-task, work: 1h}\nlet: {x: = job.work}") + "platform.speed: = x\n"),
      !Contains("internal"));
  const std::string early = problems_of(
      "nowsim: 1\nplatform: {workstations: 4, speed: = job.work / 100}\n"
      "run: {replications: 2}\nmetrics: [tau]\njob: {workload: base-task, work: 1h}\n");
  CHECK_THAT(early, Contains("'1h' is work told as time on a machine") && Contains("write it in flop"));
}

TEST_CASE("Mistakes in chunk formulas are told with their place", "[reading][task-farm][error]") {
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
