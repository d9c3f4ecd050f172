// Pages of the manual as topics of `nowsim help`.
#include "tools/shipped/manual.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

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

TEST_CASE("help prints a page from any folder, and flags and page where a command has both", "[cli][manual]") {
  const Folder elsewhere;
  std::string page = content_of(source_folder() + "/sim/owners/README.md");
  page.erase(page.find("<!--"), page.find("-->") + 4 - page.find("<!--"));
  const ProgramRun owners = run_program({"help", "owners"}, elsewhere.path());
  CHECK(owners.status == 0);
  CHECK(owners.out == page);
  CHECK_THAT(run_program({"help", "diurnal"}).out, Catch::Contains("diurnal.weekdays") && Catch::EndsWith(page));

  const std::string plan = run_program({"help", "plan"}).out;
  CHECK_THAT(plan, Catch::StartsWith("usage: nowsim plan") && Catch::Contains("# Plan a job with a deadline"));
  CHECK_THAT(run_program({"plan", "--help"}).out, !Catch::Contains("# Plan"));
  CHECK_THAT(run_program({"help", "run"}).out, Catch::StartsWith("usage: nowsim run") && !Catch::Contains("\n# "));
  CHECK_THAT(run_program({"help"}).out, Catch::Contains("  owners ") && Catch::Contains("  run "));
}

TEST_CASE("A page on shipped experiments says where their files are", "[cli][manual]") {
  const std::string last = "\nThe files are in " + source_folder() + "/experiments/labs\n";
  CHECK_THAT(run_program({"help", "labs"}).out, Catch::EndsWith(last));
  CHECK_THAT(run_program({"help", "making-labs"}).out, !Catch::Contains("The files are in"));
}
