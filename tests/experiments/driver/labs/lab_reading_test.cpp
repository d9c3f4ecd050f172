// A lab's description with mistakes in it: every one is named; every text that labs ask for is there, and none besides.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "experiments/driver/labs/facts.hpp"
#include "experiments/driver/labs/lab.hpp"
#include "experiments/driver/labs/problem.hpp"
#include "experiments/driver/labs/texts.hpp"
#include "tests/experiments/driver/labs/tiny_lab.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

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

/// "group.name" in quotes, where the group is one of the file's.
std::set<std::string> keys_asked_for(const std::set<std::string>& groups) {
  std::set<std::string> keys;
  const std::regex key(R"re("([a-z]+)\.([a-z_-]+)")re");
  for (const char* folder : {"/experiments/driver/labs", "/tools/commands"})
    for (const auto& entry : fs::directory_iterator(source_folder() + folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".cpp" || (folder[1] == 't' && !name.starts_with("lab_"))) continue;
      const std::string code = content_of(entry.path().string());
      for (std::sregex_iterator match(code.begin(), code.end(), key), end; match != end; ++match)
        if (groups.contains((*match)[1])) keys.insert(match->str(1) + "." + match->str(2));
    }
  return keys;
}

const std::set<std::string> kFileNames{"handout.md", "answers.yaml", "handout.html", "feedback.html"};

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

TEST_CASE("The texts of labs are those that the program says", "[labs]") {
  const Texts texts(source_folder() + "/experiments/labs/texts.yaml");
  std::set<std::string> there, groups;
  for (const auto& [key, text] : texts.all()) {
    CHECK_FALSE(text.empty());
    there.insert(key);
    groups.insert(key.substr(0, key.find('.')));
  }
  std::set<std::string> asked = keys_asked_for(groups);
  for (const std::string& file : kFileNames) asked.erase(file);
  CHECK(asked.size() > 60);
  CHECK(there == asked);
}

TEST_CASE("A text's values are filled in, once", "[labs]") {
  const Folder folder;
  const std::string file = folder.path() + "/texts.yaml";
  write_text(file, "a: {b: \"{x} and {y}, {none}, {\"}\n");
  const Texts texts(file);
  CHECK(texts.say("a.b", {{"x", "{y}"}, {"y", "2"}}) == "{y} and 2, {none}, {");
  CHECK_THROWS_WITH(texts.say("a.c"), Contains("texts.yaml: a.c: this text is missing"));
  write_text(file, "a: b\n");
  CHECK_THROWS_WITH(Texts(file), Contains("no map of texts"));
  write_text(file, "a: {b: [1]}\n");
  CHECK_THROWS_WITH(Texts(file), Contains("a.b: this is no text"));
  CHECK_THROWS_AS(texts_beside(folder.path() + "/no/lab"), InputError);
}

TEST_CASE("A file beside a lab's folder is one's own, or else nowsim's", "[labs]") {
  const Folder own, shipped;
  const std::string of_nowsim = shipped.file("chunk_rule.py", ""), lab = own.path() + "/lab";
  CHECK(path_beside(lab, "chunk_rule.py", shipped.path()) == of_nowsim);
  CHECK(path_beside(lab, "chunk_rule.py") == own.path() + "/chunk_rule.py");
  const std::string of_own = own.file("chunk_rule.py", "");
  for (const char* const ending : {"", "/", "/."}) CHECK(path_beside(lab + ending, "chunk_rule.py", shipped.path()) == of_own);
}
