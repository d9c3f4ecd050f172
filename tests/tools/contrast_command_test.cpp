// `nowsim contrast`: its outputs and its store.
#include <catch2/catch.hpp>
#include <csignal>
#include <sstream>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

using Words = std::vector<std::string>;

/// Two splits of work on machines with owners, of two numbers of machines.
struct ContrastLab : SweptFolder {
  ContrastLab() {
    (void)file("e.yaml",
         "nowsim: 1\ntitle: Splits\nplatform: {workstations: 4, speed: 1f}\n"
         "job: {workload: base-task, work: 100f}\nsplit: {policy: equal}\n"
         "owner: {model: intervals, mean: 0.5, TH: 0.3, interval: 1s, hosts: {ws1: {model: dedicated}}}\nrun: {replications: 60, deadline: 30s}\n"
         "metrics: [tau, owner, T_i]\n"
         "sweep: {platform.workstations: [2, 4], split.policy: [equal, proportional]}\n"
         "figure: {x: platform.workstations, series: split.policy, panels: [{metric: tau}]}\n");
  }
  [[nodiscard]] ProgramRun ask(const Words& words) const { return SweptFolder::ask("contrast", words); }
};

}  // namespace

TEST_CASE("Contrast prints who is best, cell by cell", "[computes][cli][contrast]") {
  const ContrastLab lab;
  const auto table = lab.ask({"split.policy"});
  CHECK(table.status == 0);
  CHECK_THAT(table.out, Contains("Splits: which split.policy has the lowest tau?") &&
                            Contains("The best is told in 2 of 2 cells: proportional in 2.") &&
                            Contains("Compared replication by replication"));
  std::istringstream lines(table.out);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ")) CHECK(line.size() <= 105);  // bytes: a sign may have two
  const auto csv = lab.ask({"split.policy", "--against=equal", "--metric=tau,RF,T_i", "--format=csv", "--quiet"});
  CHECK(csv.error.empty());
  CHECK_THAT(csv.out, Contains("metric,unit,platform.workstations,split.policy,workstation,value,value_low") &&
                          Contains("\ntau,s,4,proportional,,") && Contains("\nRF,,2,equal,,") &&
                          Contains("\nT_i,s,4,proportional,ws3,"));
  CHECK_THAT(lab.ask({"split.policy", "--format=json"}).out, Contains("\"told\": \"best\""));
}

TEST_CASE("With a folder contrast keeps replications, its table and pictures", "[cli][contrast]") {
  const ContrastLab lab;
  CHECK(lab.ask({"split.policy", "--out", "store"}).status == 0);
  for (const char* ending : {".csv", ".svg", ".png", ".pdf"}) CHECK(lab.has(std::string("store/e-contrast") + ending));
  const std::string csv = lab.content("store/e-contrast.csv");
  CHECK(lab.ask({"split.policy", "--format=csv", "--quiet", "--jobs=1"}).out == csv);
  CHECK_THAT(lab.ask({"split.policy", "--out", "store"}).error, Contains("0 replications simulated"));
  CHECK(lab.content("store/e-contrast.csv") == csv);
  const auto other = lab.ask({"split.policy", "--against=equal", "--out", "store"});
  CHECK_THAT(other.error, Contains("is of another question") && Contains("e-contrast.csv.~1~"));
  CHECK(lab.content("store/e-contrast.csv.~1~") == csv);
}

TEST_CASE("Contrast stops on Ctrl-C with a sentence", "[cli][contrast]") {
  const ContrastLab lab;
  RunningProgram program({"contrast", "e.yaml", "split.policy", "--replications=100000000"}, lab.path());
  REQUIRE(comes_true([&] { return !children_of(program.pid()).empty(); }));
  kill(program.pid(), SIGINT);
  const auto run = program.finish();
  CHECK(run.status == 130);
  CHECK_THAT(run.error, Contains("nothing was kept"));
}
