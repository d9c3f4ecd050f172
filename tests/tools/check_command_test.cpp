// nowsim check: what a run would refuse at its beginning is said before it, in the same words, and nothing else is.
#include <catch2/catch.hpp>

#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr const char* kHead =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
    "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/><host id=\"c\" speed=\"1Gf\"/>";

std::string route(const std::string& from, const std::string& to) {
  return "<route src=\"" + from + "\" dst=\"" + to + "\"><link_ctn id=\"l\"/></route>";
}

/// Three machines, of which the first has a way to each of the others; these two have none to one another.
struct Checked : Folder {
  explicit Checked(const std::string& link = "<link id=\"l\" bandwidth=\"1MBps\" latency=\"1ms\"/>") {
    file("p.xml", kHead + link + route("a", "b") + route("a", "c") + "</zone></platform>\n");
  }
  void experiment(const std::string& job, const std::string& more = "") const {
    file("j.yaml", "nowsim: 1\nplatform: {file: p.xml}\njob: " + job + "\nrun: {replications: 1}\nmetrics: [tau]\n" + more);
  }
  [[nodiscard]] ProgramRun check(std::vector<std::string> flags = {}) const {
    flags.insert(flags.begin(), {"check", "j.yaml"});
    return run_program(flags, path());
  }
  [[nodiscard]] ProgramRun run(std::vector<std::string> flags = {}) const {
    flags.insert(flags.begin(), {"run", "j.yaml", "-q"});
    return run_program(flags, path());
  }
  /// By `check` as by `run`.
  void refused(const std::string& sentence, const std::vector<std::string>& flags = {}) const {
    for (const ProgramRun& r : {check(flags), run(flags)}) {
      CHECK(r.status == 2);
      CHECK_THAT(r.error, Contains(sentence));
      CHECK_THAT(r.out, !Contains("no problems found"));
    }
  }
};

}  // namespace

TEST_CASE("check says which way a job's messages lack, as its run does", "[reads][check_command]") {
  const Checked folder;
  folder.experiment("{workload: all-to-all, work: 3Gf, bytes: 1kB}");
  folder.refused("p.xml: there is no route from 'b' to 'c'");
  folder.refused("there is no route from 'b' to 'c'", {"--engine", "simgrid"});
}

TEST_CASE("Ways that a job does not need may be missing", "[check_command]") {
  const Checked folder;
  folder.experiment("{workload: task-farm, tasks: 10, cost: 1Gf, technique: SS, request: 100B}");  // workers ask the first
  const ProgramRun checked = folder.check();
  CHECK(checked.status == 0);
  CHECK_THAT(checked.out, Contains("no problems found"));
  CHECK(checked.error.empty());
  CHECK(folder.run().status == 0);
}

TEST_CASE("Of a job too long to be asked check says that a way is missing", "[check_command]") {
  const Checked folder;
  folder.experiment("{workload: task-farm, tasks: 100000000, cost: 1Mf, technique: SS, request: 100B}");
  const ProgramRun checked = folder.check();
  CHECK(checked.status == 0);
  CHECK_THAT(checked.error, Contains("there is no route from 'b' to 'c'; whether the job needs that way only its run tells"));
}

TEST_CASE("check says which point lacks a way", "[check_command]") {
  const Checked folder;
  folder.experiment("{workload: all-to-all, work: 3Gf, bytes: 1kB}", "sweep: {platform.workstations: [2, 3]}\n");
  const ProgramRun checked = folder.check();
  CHECK(checked.status == 2);
  CHECK_THAT(checked.error, Contains("no route from 'b' to 'c' (at the point platform.workstations=3)"));
}

TEST_CASE("check says that machines have no path of their own to move bytes over", "[check_command]") {
  const Checked folder;
  folder.experiment("{workload: augmented-task, work: 3Gf, phases: 2, bytes: 1kB}");
  const auto sentence = Contains("workstation 'a' has no path of its own to transfer over");
  const ProgramRun checked = folder.check(), ran = folder.run();
  CHECK(checked.status == 2);
  CHECK_THAT(checked.error, sentence);
  CHECK(ran.status == 1);  // its rank is stopped when it begins to
  CHECK_THAT(ran.out, sentence);
}

TEST_CASE("check says that an engine cannot run a point", "[check_command]") {
  const Checked folder("<link id=\"l\" bandwidth=\"1MBps\" latency=\"1ms\" latency_file=\"l.profile\"/>");
  (void)folder.file("l.profile", "1 0.002\n");
  folder.experiment("{workload: base-task, work: 3Gf}");
  folder.refused("the engine direct cannot run this: links whose latency varies need the engine simgrid", {"--engine", "direct"});
  CHECK(folder.check().status == 0);
}

TEST_CASE("check says that ranks would share cores with an owner's jobs", "[check_command]") {
  const Checked folder;
  folder.experiment("{workload: mpi-trace, trace: '" + source_folder() + "/experiments/traces/jacobi-4" + "', placement: [a, b]}",
                    "owner: {model: jobs, u: 40%, demand: 3s}\n");
  folder.refused("several ranks share the cores of 'a', whose owner runs jobs");
}
