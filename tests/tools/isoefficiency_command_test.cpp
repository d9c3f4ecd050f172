// `nowsim isoefficiency`: its outputs and its store.
#include <catch2/catch.hpp>
#include <csignal>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

using Words = std::vector<std::string>;

/// T = W/p_T + 1 s: W = K·p_T, K = eps/(1 - eps).
struct Lab : SweptFolder {
  Lab() {
    (void)file("e.yaml",
         "nowsim: 1\ntitle: Barriers\nplatform: {workstations: 2, speed: 1f}\n"
         "job: {workload: augmented-task, work: 1f, phases: 10, barrier_cost: 0.1s}\n"
         "split: {policy: equal}\nrun: {replications: 2}\nsweep: {platform.workstations: [2, 4, 8]}\n");
  }
  [[nodiscard]] ProgramRun ask(const Words& words) const { return SweptFolder::ask("isoefficiency", words); }
};

}  // namespace

TEST_CASE("Isoefficiency prints sizes, fits and the law", "[computes][cli][isoefficiency]") {
  const Lab lab;
  const auto table = lab.ask({"--efficiency", "0.5,80%", "--tolerance", "1e-6"});
  CHECK(table.status == 0);
  CHECK_THAT(table.out, Contains("Barriers: how job.work grows with the system to keep eps") &&
                            Contains("eps = 0.5: work grows in proportion to p = c·p_T (R² 1, slope 1") &&
                            Contains("eps = 80%: work grows in proportion to p = c·p_T (R² 1, slope 4"));
  const auto csv = lab.ask({"--efficiency=0.5", "--tolerance=1e-6", "--format=csv", "--quiet"});
  CHECK(csv.error.empty());
  CHECK_THAT(csv.out, Contains("\neps,0.5,2,2,2,1.99999") && Contains("\neps,0.5,8,8,8,7.99999"));
  CHECK_THAT(lab.ask({"--efficiency=0.5", "--format=json"}).out, Contains("\"law\": \"p_T_log_p\""));
  CHECK_FALSE(lab.has("store"));
}

TEST_CASE("With a folder isoefficiency keeps every trial, its tables and pictures", "[cli][isoefficiency]") {
  const Lab lab;
  const auto first = lab.ask({"--efficiency", "0.5,0.7", "--out", "store"});
  CHECK(first.status == 0);
  for (const char* ending : {".csv", "-fits.csv", ".svg", ".png", ".pdf"}) {
    INFO(ending);
    CHECK(lab.has(std::string("store/e-isoefficiency") + ending));
  }
  const std::string csv = lab.content("store/e-isoefficiency.csv");
  CHECK(lab.ask({"--efficiency", "0.5,0.7", "--format=csv", "--quiet"}).out == csv);
  const auto second = lab.ask({"--efficiency", "0.5,0.7", "--out", "store", "--jobs=1"});
  CHECK_THAT(second.error, Contains("0 replications simulated"));
  CHECK(lab.content("store/e-isoefficiency.csv") == csv);
  (void)lab.file("store/e-isoefficiency.csv", "mine\n");
  CHECK_THAT(lab.ask({"--efficiency", "0.5,0.7", "--out", "store"}).error, Contains("e-isoefficiency.csv.~1~"));
  CHECK(lab.content("store/e-isoefficiency.csv.~1~") == "mine\n");
}

TEST_CASE("Another question in the same folder keeps the answers to the one before", "[cli][isoefficiency]") {
  const Lab lab;
  CHECK(lab.ask({"--efficiency", "0.5", "--out", "store"}).status == 0);
  const std::string before = lab.content("store/e-isoefficiency.csv");
  const auto other = lab.ask({"--efficiency", "0.7", "--out", "store"});
  CHECK_THAT(other.error, Contains("is of another question") && Contains("e-isoefficiency.csv.~1~"));
  CHECK(lab.content("store/e-isoefficiency.csv.~1~") == before);
  CHECK(lab.content("store/e-isoefficiency.csv") != before);
  for (const char* ending : {"-fits.csv", ".svg", ".png", ".pdf"})
    CHECK(lab.has(std::string("store/e-isoefficiency") + ending + ".~1~"));
  CHECK(lab.ask({"--efficiency", "0.7", "--out", "store"}).status == 0);
  CHECK_FALSE(lab.has("store/e-isoefficiency.csv.~2~"));
}

TEST_CASE("Isoefficiency draws a picture where a flag says so", "[cli][isoefficiency]") {
  const Lab lab;
  CHECK(lab.ask({"--efficiency=0.5", "--picture=p.svg", "--quiet"}).status == 0);
  CHECK_THAT(lab.content("p.svg"), Contains("<svg"));
}

TEST_CASE("Axes of isoefficiency are added on the command line", "[cli][isoefficiency]") {
  const Lab lab;
  const auto run = lab.ask({"--efficiency=0.5", "--tolerance=1e-6", "--set", "sweep={}", "--sweep",
                            "platform.workstations=3,6", "--sweep", "platform.speed=1f,2f", "--along", "platform.speed",
                            "--format=csv"});
  CHECK(run.status == 0);
  CHECK_THAT(run.out, Contains("metric,target,platform.workstations,platform.speed,p,p_T,size,") &&
                          Contains("\neps,0.5,6,2f,6,12,1"));
}

TEST_CASE("Isoefficiency stops on Ctrl-C with a sentence", "[cli][isoefficiency]") {
  const Lab lab;
  for (const bool with_store : {false, true}) {
    Words words{"isoefficiency", "e.yaml", "--efficiency=0.3", "--set", "run.replications=100000000",
                "--set", "owner={model: intervals, TH: 0.3}", "--set", "job.barrier_cost=10s", "--to=1e4"};
    if (with_store) words.insert(words.end(), {"--out", "store"});
    RunningProgram program(words, lab.path());
    REQUIRE(comes_true([&] { return !children_of(program.pid()).empty(); }));
    kill(program.pid(), SIGINT);
    const auto run = program.finish();
    CHECK(run.status == 130);
    CHECK_THAT(run.error, Contains(with_store ? "is kept in store\ngo on with:  " : "nothing was kept"));
  }
}
