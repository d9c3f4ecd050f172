// What is told of the tables and pages: topics of `nowsim help`, and what `nowsim new` says of each key.
#include "tools/shipped/manual.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "experiments/driver/points/key_reference.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tools/line/command_line.hpp"

using namespace nowsim;
using namespace nowsim::test;

TEST_CASE("A page's topics stand beneath its title", "[computes][manual]") {
  const ManualPage pages[] = {{"b/README.md", "# Machines: what they are\n<!-- nowsim help: machines -->\n\nText.\n"},
                              {"a/README.md", "# Owners\n<!-- nowsim help: availability, owners -->\n\nMore.\n"},
                              {"c/README.md", "# Of no topic\n\n<!-- nowsim help: none -->\n"},
                              {"d/README.md", "# Nothing else"}};
  const auto topics = help_topics(pages);
  REQUIRE(topics.size() == 2);
  CHECK(topics[0].names == std::vector<std::string>{"availability", "owners"});
  CHECK(topics[0].title == "Owners");
  CHECK(topics[0].text == "# Owners\n\nMore.\n");
  CHECK(topics[1].title == "Machines: what they are");
}

TEST_CASE("Names of topics are given once, and each page lists what its folder is asked for", "[manual]") {
  std::vector<std::string> names;
  for (const HelpTopic& topic : help_topics(manual_pages()))
    names.insert(names.end(), topic.names.begin(), topic.names.end());
  for (const std::string& name : names) CHECK(std::ranges::count(names, name) == 1);
  for (const char* wanted : {"experiment", "platforms", "owners", "policies", "metrics", "figures", "claims",
                             "workloads", "self-scheduling", "store", "plan", "traces", "engines"})
    CHECK(std::ranges::count(names, wanted) == 1);
}

TEST_CASE("A new experiment names all keys of its blocks, with what the tables say of them", "[cli][manual][new]") {
  const Folder folder;
  REQUIRE(run_program({"new", "mine"}, folder.path()).status == 0);
  const std::string text = content_of(folder.path() + "/mine.yaml");
  std::string words;  // without line breaks and the marks of comments
  std::istringstream in(text);
  for (std::string word; in >> word;)
    if (word != "#") words += word + " ";
  const Registries registries = registries_with({});
  for (const auto& block : key_blocks(registries)) {
    if (block.name != "platform" && block.name != "run" && block.name != "experiment") continue;
    for (const auto& key : block.sections.front().keys) {
      INFO(block.name << '.' << key.name);
      CHECK_THAT(words, Catch::Contains(key.name + ": ") && Catch::Contains(key.help.substr(0, 40)));
    }
  }
  for (const char* key : {"barrier_cost: 0s", "interval: 30s", "TH: 0.3", "correlation: 0"})
    CHECK_THAT(words, Catch::Contains(key));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 110);
}
