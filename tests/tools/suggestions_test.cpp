// What is misspelt on the command line or in a file is answered with what may be meant.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

const std::string kExperiment =
    "nowsim: 1\nplatform: {workstations: 4, speed: 1f}\njob: {workload: base-task, work: 400f}\n"
    "owner: {model: intervals, TH: 0.28}\nrun: {replications: 2}\nmetrics: [tau]\n";

struct Question {
  Words words;
  std::string answer;
};

void check_answers(const Folder& folder, const std::vector<Question>& questions) {
  for (const auto& [words, answer] : questions) {
    const ProgramRun run = run_program(words, folder.path());
    INFO(answer << " | " << run.error);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK_THAT(run.error, Contains(answer));
  }
}

}  // namespace

TEST_CASE("Misspelt keys of --set are answered with full keys", "[computes][cli][error][suggestion]") {
  const Folder folder;
  folder.file("e.yaml", kExperiment);
  const auto set = [](const std::string& text) { return Words{"run", "e.yaml", "--set", text}; };
  check_answers(folder, {{set("TH=0.3"), "--set: TH: this key is not known; did you mean 'owner.TH'?"},
                         {set("replications=3"), "did you mean 'run.replications'?"},
                         {set("replication=3"), "did you mean 'run.replications'?"},
                         {set("ownr.TH=0.3"), "--set: ownr.TH: this key is not known; did you mean 'owner.TH'?"},
                         {set("owner.THH=0.3"), "--set: owner.THH: this key is not known; did you mean 'owner.TH'?"},
                         {set("job.replications=3"), "did you mean 'run.replications'?"},
                         {set("run.TH=0.3"), "did you mean 'owner.TH'?"},
                         {set("platform.interval=3s"), "did you mean 'owner.interval'?"},
                         {set("period=3s"), "did you mean 'owner.period'?"},  // of another model
                         {set("sweep.TH=[0.1, 0.2]"), "did you mean 'owner.TH'?"},
                         {set("policy=equal"), "did you mean 'split.policy'?"},
                         {set("nonsense=3"), "--set: nonsense: this key is not known; there are: nowsim, title,"}});
  CHECK(run_program(set("TH=0.3"), folder.path()).error ==
        "error: --set: TH: this key is not known; did you mean 'owner.TH'?\n");
}

TEST_CASE("A key at a file's top that is none comes first, and nothing is said because of it", "[cli][error][suggestion]") {
  const Folder folder;
  const auto with_line = [&](const std::string& from, const std::string& to) {
    std::string text = kExperiment;
    text.replace(text.find(from), from.size(), to);
    folder.file("e.yaml", text);
    return run_program({"check", "e.yaml"}, folder.path());
  };
  CHECK(with_line("job:", "jobs:").error == "error: e.yaml:3: jobs: this key is not known; did you mean 'job'?\n");
  CHECK(with_line("owner:", "owners:").error == "error: e.yaml:4: owners: this key is not known; did you mean 'owner'?\n");
  CHECK(with_line("platform:", "plattform:").error ==
        "error: e.yaml:2: plattform: this key is not known; did you mean 'platform'?\n");
  CHECK_THAT(with_line("metrics: [tau]", "metrics: [tau]\nTH: 0.3").error,
             Catch::StartsWith("error: e.yaml:7: TH: this key is not known; did you mean 'owner.TH'?\n"));
  const ProgramRun two = with_line("job: {workload: base-task,", "program: {workload: base-task,");
  CHECK_THAT(two.error, Catch::StartsWith("error: e.yaml:3: program: this key is not known; there are: nowsim, title,"));
  CHECK(std::count(two.error.begin(), two.error.end(), '\n') == 2);  // and there is no job
  CHECK(with_line("owner: {model: intervals, TH: 0.28}", "ownr: {model: intervals, TH: 2}\nowner.TH: 0.28").error ==
        "error: e.yaml:4: ownr: this key is not known; did you mean 'owner'?\n");
  // What else is wrong with a misspelt block is said too.
  CHECK_THAT(with_line("run: {replications: 2}", "runs: {replications: -2}").error,
             Catch::StartsWith("error: e.yaml:5: runs") && Contains("e.yaml:5: run.replications: '-2'"));
}

TEST_CASE("Misspelt flags of all commands and their parts are answered with flags", "[cli][error][suggestion]") {
  const Folder folder;
  folder.file("e.yaml", kExperiment);
  check_answers(folder, {{{"run", "e.yaml", "--replication", "3"}, "no flag '--replication'; did you mean '--replications'?"},
                         {{"run", "e.yaml", "--rep", "3"}, "did you mean '--replications'"},
                         {{"run", "e.yaml", "-replications", "3"}, "'-replications'; did you mean '--replications'?"},
                         {{"run", "e.yaml", "--owner.TH=0.3"}, "keys are set by --set key=value"},
                         {{"check", "e.yaml", "--replication", "3"}, "did you mean '--replications'?"},
                         {{"sweep", "e.yaml", "--replication", "3"}, "did you mean '--replications'?"},
                         {{"contrast", "e.yaml", "x", "--replication", "3"}, "did you mean '--replications'?"},
                         {{"plan", "lab-now", "--worck", "3Gf"}, "did you mean '--work'?"},
                         {{"plan", "lab-now", "--dead-line", "3h"}, "did you mean '--deadline'?"},
                         {{"trace", "record", "x.csv", "--intervall", "3s"}, "there is no flag '--intervall'"},
                         {{"trace", "fit", "x.csv", "--colum", "a"}, "did you mean '--column"},
                         {{"platform", "show", "--halp"}, "did you mean '--help'?"},
                         {{"lab", "start", "slowest", "--ass", "me"}, "did you mean '--as'?"},
                         {{"list", "keys", "--markdwn"}, "did you mean '--markdown'?"},
                         {{"new", "mine", "--form", "e.yaml"}, "did you mean '--from'?"},
                         {{"reproduce", "--al"}, "did you mean '--all'?"}});
}

TEST_CASE("Misspelt commands, parts, topics and experiments are answered with names", "[cli][error][suggestion]") {
  const Folder folder;
  check_answers(folder, {{{"rum", "e.yaml"}, "did you mean 'run'"},
                         {{"simulate"}, "there is no command 'simulate'"},
                         {{"trace", "recrod"}, "did you mean 'record'?"},
                         {{"list", "platform"}, "did you mean 'platforms'?"},
                         {{"run", "huang-lee-2007/fig5"}, "did you mean 'huang-lee-2007/fig05' or 'huang-lee-2007/fig15'?"},
                         {{"run", "huang-lee-207/fig05"}, "did you mean 'huang-lee-2007/fig05'?"},
                         {{"run", "fig05"}, "did you mean 'huang-lee-2007/fig05' or 'zhang-yan-1995/fig05'?"},
                         {{"run", "lab-night"}, "did you mean 'labs/lab-night'?"},
                         {{"run", "lab-nihgt.yaml"}, "did you mean 'labs/lab-night'?"},
                         {{"check", "labs/network.yml"}, "did you mean 'labs/network'?"},
                         {{"run", "fig04"}, "did you mean 'bazterra-2004/fig04'"},
                         {{"run", "huang-lee-2007"}, "this is a folder of them, such as 'huang-lee-2007/"},
                         {{"run", "nothing-like-it"}, "nothing-like-it: there is no such file."}});
}

TEST_CASE("A user's own files are found without their ending, and answer for misspelt names",
          "[cli][error][suggestion]") {
  const Folder folder;
  folder.file("mylab.yaml", kExperiment);
  folder.file("mylab.xml",
              "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
              "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/></zone></platform>\n");
  fs::create_directories(folder.path() + "/results/lab12");
  for (const Words& words : {Words{"run", "mylab", "-q"}, Words{"check", "mylab"}, Words{"platform", "show", "mylab"}}) {
    const ProgramRun run = run_program(words, folder.path());
    INFO(words.front() << ": " << run.error);
    CHECK(run.status == 0);
  }
  check_answers(folder, {{{"run", "mylab.yml"}, "there is no file or experiment 'mylab.yml'; did you mean 'mylab.yaml'?"},
                         {{"run", "mylba.yaml"}, "did you mean 'mylab.yaml'?"},
                         {{"check", "mylba"}, "did you mean 'mylab.yaml'?"},
                         {{"reproduce", "mylab.yml", "--out", "o"}, "did you mean 'mylab.yaml'?"},
                         {{"platform", "show", "mylab.xlm"},
                          "there is no file or platform 'mylab.xlm'; did you mean 'mylab.xml'?"},
                         {{"bundle", "resutls/lab12"},
                          "there is no folder, figure, paper or file 'resutls/lab12'; did you mean 'results/lab12'?"},
                         {{"bundle", "nothing-like-it"}, "there is no folder, figure, paper or file 'nothing-like-it'"},
                         {{"bundle", "--check", "nope"}, "nope: there is no such file."},
                         {{"run", "other.yaml"}, "other.yaml: there is no such file."}});
}
