// A file that is missing is one message, whoever names it and however often.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Six workstations, six points, and this owner.
std::string experiment_with(const std::string& owner, const std::string& platform = "{workstations: 6, speed: 1f}") {
  return "nowsim: 1\nplatform: " + platform + "\njob: {workload: base-task, work: 60f}\nowner: " + owner +
         "\nrun: {replications: 2}\nmetrics: [tau]\nsweep: {job.work: [1f, 2f, 3f], run.seed: [1, 2]}\n";
}

const std::vector<std::vector<std::string>> kCommands{
    {"run", "e.yaml"}, {"check", "e.yaml"}, {"sweep", "e.yaml", "--out", "store"}, {"contrast", "e.yaml", "job.work"}};

/// What each command says, which is one line.
void check_one_message(const Folder& folder, const std::string& part) {
  for (const auto& words : kCommands) {
    const ProgramRun run = run_program(words, folder.path());
    INFO(words.front() << ": " << run.error);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK(std::count(run.error.begin(), run.error.end(), '\n') == 1);
    CHECK_THAT(run.error, Contains(part));
  }
}

}  // namespace

TEST_CASE("A file that all workstations use is missing once", "[reads][cli][error][missing]") {
  const Folder folder;
  folder.file("e.yaml", experiment_with("{model: trace, file: none.csv, column: x}"));
  check_one_message(folder, "e.yaml:4: owner.file: none.csv: there is no such file.\n");
}

TEST_CASE("A file that several workstations name is missing once, at the first", "[cli][error][missing]") {
  const Folder folder;
  folder.file("e.yaml", experiment_with("{model: dedicated, hosts: {ws1: {model: trace, file: none.csv},\n  ws2: {model: "
                                        "trace, file: none.csv}, ws3: {model: profile, file: none.csv}}}"));
  check_one_message(folder, "e.yaml:4: owner.hosts.ws1.file: none.csv: there is no such file.\n");
}

TEST_CASE("Files by workstation that are missing are one message that names the workstations", "[cli][error][missing]") {
  const Folder folder;
  const std::string by_host = "{model: trace, file: 'load-{host}.csv', column: load, measures: utilisation}";
  folder.file("e.yaml", experiment_with(by_host));
  check_one_message(folder, "e.yaml:4: owner.file: there is no load-{host}.csv for ws1, ws2, ws3, ws4, ws5, ws6");
  folder.file("load-ws2.csv", "time,load\n0,0.5\n1,0\n2,0.5\n");
  folder.file("e.yaml", experiment_with(by_host, "{names: [ws1, ws2, ws3]}"));
  check_one_message(folder, "e.yaml:4: owner.file: there is no load-{host}.csv for ws1, ws3\n");
  folder.file("e.yaml", experiment_with("{model: jobs, log: '{host}.swf'}"));
  check_one_message(folder, "e.yaml:4: owner.log: there is no {host}.swf for ws1,");
  folder.file("e.yaml", experiment_with("{model: intervals, TH: 0.2, length: file, length_file: '{host}.txt'}"));
  check_one_message(folder, "owner.length_file: there is no {host}.txt for ws1,");
}

TEST_CASE("Files in an axis that are missing are one message, and a platform's is one", "[cli][error][missing]") {
  const Folder folder;
  std::string text = experiment_with("{model: trace}");
  text.insert(text.rfind('}'), ", owner.file: [b.csv, c.csv]");
  folder.file("e.yaml", text);
  check_one_message(folder, "owner.file: b.csv: there is no such file, nor c.csv.\n");
  folder.file("e.yaml", experiment_with("{model: dedicated}", "{file: no-such-lab.xml}"));
  check_one_message(folder, "e.yaml:2: platform.file: no-such-lab.xml: there is no such file.\n");
  const ProgramRun plan = run_program({"plan", "no-such-lab.xml", "--work", "1Gf", "--deadline", "2h"}, folder.path());
  CHECK(plan.status == 2);
  CHECK(plan.error == "error: no-such-lab.xml: there is no such file.\n");
}

TEST_CASE("A file that owners of a platform's machines name is missing once", "[cli][error][missing]") {
  const Folder folder;
  const std::string owner = "<prop id=\"owner\" value=\"{model: trace, file: none.csv, column: x}\"/></host>\n";
  folder.file("p.xml", "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                       "<platform version=\"4.1\"><zone id=\"z\" routing=\"None\">\n<host id=\"a\" speed=\"1f\">" +
                           owner + "<host id=\"b\" speed=\"1f\">" + owner + "</zone></platform>\n");
  const ProgramRun plan = run_program({"plan", "p.xml", "--work", "1Gf"}, folder.path());
  INFO(plan.error);
  CHECK(plan.status == 2);
  CHECK(std::count(plan.error.begin(), plan.error.end(), '\n') == 1);
  CHECK_THAT(plan.error, Contains("none.csv: there is no such file."));
}
