// A lab's description with mistakes in it: every one is named; facts that fail fail alike each time they are asked for.
#include <catch2/catch.hpp>
#include <string>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/problem.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Changes the tiny lab's description.
void replace_in_lab(const TinyLabs& labs, const std::string& what, const std::string& by) {
  std::string text = content_of(labs.lab() + "/lab.yaml");
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  write_text(labs.lab() + "/lab.yaml", text.replace(at, what.size(), by));
}

std::string problems_with(const std::string& what, const std::string& by) {
  const TinyLabs labs;
  replace_in_lab(labs, what, by);
  try {
    read_lab(labs.lab());
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

std::string failure_of(Facts& facts, const std::string& name) {
  try {
    facts.get(name);
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("labs: mistakes in a description are named with line and key", "[reads][labs][error]") {
  CHECK_THAT(problems_with("minutes: 5", "minutess: 5"),
             Contains("lab.yaml:4: minutess: this key is not known; did you mean 'minutes'?") && Contains("this key is missing"));
  CHECK_THAT(problems_with("file: equal.yaml", "file: equl.yaml"), Contains("experiments.equal: the lab has no file 'equl.yaml'"));
  CHECK_THAT(problems_with("right: T\n", "right: Tt\n"), Contains("the lab has no fact 'Tt'; did you mean 'T'?"));
  CHECK_THAT(problems_with("{of: equal, metric: tau}", "{of: equals, metric: tau}"), Contains("has no experiment 'equals'"));
  CHECK_THAT(problems_with("marks: 4", "marks: 4\n        least: few"), Contains("guess.least: "));
  CHECK_THAT(problems_with("kind: trial", "kind: trail"), Contains("'trail' is not one of: number,") && Contains("did you mean 'trial'?"));
  CHECK_THAT(problems_with("[100, 200, 300]", "{from: 1, to: 2, step: 0.3}"), Contains("make a row of values with both ends"));
}

TEST_CASE("labs: a fact's block may be empty, or missing", "[labs][error]") {
  CHECK_THAT(problems_with("ten: = 10", "ten: {of: equal, law: }"), Contains("facts.ten.law: here stands a map"));
  CHECK_THAT(problems_with("ten: = 10", "ten: {of: equal, verdicts: 3}"), Contains("facts.ten.verdicts: here stands a map"));
  CHECK_THAT(problems_with("ten: = 10", "ten: {of: equal}"), Contains("a fact is a formula, or has one of"));
}

TEST_CASE("labs: a fact that fails, fails with the same sentence again; one that needs itself is told so", "[labs][error]") {
  const TinyLabs labs;
  replace_in_lab(labs, "ten: = 10", "ten: = 1/0\n  self: = self + 1");
  const Lab lab = read_lab(labs.lab());
  const Registries registries = registries_with({});
  const Problem problem = draw_problem(lab, {"", "x", 0}, 0);
  Facts facts(lab, problem, registries);
  for (int again = 0; again < 2; ++again) {
    CHECK_THAT(failure_of(facts, "ten"), Contains("has no value here"));
    CHECK_THAT(failure_of(facts, "self"), Contains("this fact is needed for itself"));
  }
}
