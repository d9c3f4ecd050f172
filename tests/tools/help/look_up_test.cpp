// `nowsim help NAME` of what the tables know, `nowsim list` of all lists, and `--version`.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

TEST_CASE("help of a figure has its own keys, and of a command's part what --help says", "[computes][cli][manual]") {
  CHECK_THAT(run_program({"help", "spread"}).out,
             Catch::StartsWith("metric spread: standard deviation") && Contains("\nfigure spread: ") &&
                 Contains("level_label") && !Contains("y_labels"));  // of other kinds of figures
  const std::string fit = run_program({"help", "trace", "fit"}).out;
  CHECK(fit == run_program({"trace", "fit", "--help"}).out);
  CHECK_THAT(fit, Catch::StartsWith("usage: nowsim trace fit FILE...") && Contains("--confidence"));
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
