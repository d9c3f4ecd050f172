// `nowsim help NAME` of what the tables know, `nowsim list` of all lists, and `--version`.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

std::string help_of(const std::string& name) {
  const ProgramRun r = run_program({"help", name});
  CHECK(r.status == 0);
  CHECK(r.error.empty());
  return r.out;
}

}  // namespace

TEST_CASE("help knows workloads, owners, policies, techniques, metrics, checks and figures by name",
          "[computes][cli][manual]") {
  CHECK_THAT(help_of("ep"), Catch::StartsWith("workload ep: NAS kernel EP") && Contains("work_per_pair"));
  CHECK_THAT(help_of("duty-cycle"),
             Catch::StartsWith("owner duty-cycle: ") && Contains("from one beginning to the next"));
  CHECK_THAT(help_of("equalize"), Catch::StartsWith("policy equalize: ") && Contains("guard") && !Contains("slope "));
  CHECK_THAT(help_of("TSS"), Contains("technique TSS: trapezoid") && Contains("(first, last, as, min_chunk)"));
  CHECK_THAT(help_of("increasing"), Contains("check increasing: every step") && Contains("(along, [tolerance])"));
  const std::string spread = help_of("spread");
  CHECK_THAT(spread,
             Contains("metric spread: standard deviation") && Contains("figure spread: ") && Contains("level_label"));
  CHECK_THAT(spread, !Contains("y_labels"));  // of other kinds of figures
}

TEST_CASE("help knows keys by their full name or a part of it, blocks, values and flags", "[cli][manual]") {
  CHECK_THAT(help_of("drawn"), Contains("drawn.d_conf") && Contains("drawn.slowest") && !Contains("speed_ratio"));
  CHECK_THAT(help_of("owner.TH"),
             Contains("temporal heterogeneity, standard deviation / mean") && !Contains("bandwidth:"));
  CHECK_THAT(help_of("TH"), Contains("metric TH: ") && Contains("owner: ") && Contains("bandwidth: "));
  CHECK_THAT(help_of("bandwidth"), Contains("interval "));
  CHECK_THAT(help_of("truncated-normal"),
             Contains("'truncated-normal' is a value of") && Contains("law of the availabilities"));
  CHECK_THAT(help_of("gantt"), Contains("flag --gantt of run: FILE.svg"));
  CHECK_THAT(help_of("confidence"), Contains("flag --confidence of trace fit"));
}

TEST_CASE("A name that is a page and a thing too has both", "[cli][manual]") {
  CHECK_THAT(help_of("intervals"), Catch::StartsWith("owner intervals: ") && Contains("\n# Statistics"));
}

TEST_CASE("help knows the parts of commands", "[cli][manual]") {
  const ProgramRun r = run_program({"help", "trace", "fit"});
  CHECK(r.status == 0);
  CHECK(r.out == run_program({"trace", "fit", "--help"}).out);
  CHECK_THAT(r.out, Catch::StartsWith("usage: nowsim trace fit FILE...") && Contains("--confidence"));
  CHECK_THAT(run_program({"help", "trace", "fti"}).error, Contains("'trace fti' is unknown; did you mean 'fit'?"));
}

TEST_CASE("Parts of commands are found by their own names, experiments without their folders", "[cli][manual]") {
  CHECK_THAT(help_of("grade"), Catch::StartsWith("command lab grade: ") && Contains("'nowsim help lab grade'"));
  CHECK_THAT(help_of("lab-night"), Catch::StartsWith("experiment labs/lab-night: "));
  CHECK_THAT(help_of("slowest"), Catch::StartsWith("lab slowest: ") && !Contains("drawn.slowest"));
}

TEST_CASE("A word that no table has is looked for in the pages", "[cli][manual]") {
  const ProgramRun said = run_program({"help", "coroutines"});
  CHECK(said.status == 2);
  CHECK_THAT(said.error, Contains("there is no command, page or name 'coroutines'; pages that speak of it: engines"));
  const ProgramRun r = run_program({"help", "owner.Th"});
  CHECK(r.status == 2);
  CHECK_THAT(r.error, Contains("did you mean 'owner.TH'?"));
}

TEST_CASE("list alone lists all lists, each of which there is", "[cli]") {
  const ProgramRun r = run_program({"list"});
  CHECK(r.status == 0);
  std::istringstream in(r.out);
  int lists = 0;
  for (std::string line; std::getline(in, line) && !line.empty(); ++lists) {
    const std::string name = line.substr(0, line.find(' '));
    INFO(name);
    const ProgramRun list = run_program({"list", name});
    CHECK(list.status == 0);
    if (name != "keys" && name != "claims")  // how long each is stands at the end of its line
      CHECK_THAT(line, Catch::EndsWith("(" + std::to_string(std::ranges::count(list.out, '\n')) + ")"));
  }
  CHECK(lists >= 10);
}

TEST_CASE("The flag --version says the program's version, its engines' and how it was built", "[cli]") {
  const std::string text = run_program({"--version"}).out;
  for (const char* words : {"-v", "version"}) CHECK(run_program({words}).out == text);
  CHECK_THAT(text, Catch::StartsWith("nowsim " + run_program({"version", "--short"}).out));
  CHECK_THAT(text,
             Catch::Matches(
                 "nowsim [0-9.]+\nengine direct: (vectors of [0-9]+ bits \\(Highway\\), [0-9]+ numbers? at a time|one "
                 "number at a time)\nengine simgrid: SimGrid [34]\\.[0-9.]+\nbuild: (GCC|clang) [0-9][^\n]*\n"));
}
