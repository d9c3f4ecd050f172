// nowsim reproduce of papers and by a program that is away or killed, and folders of results of which nowsim bundle
// makes nothing.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "experiments/driver/bundles/bundled_files.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "sim/platform/worker_process.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const char* const kFigure =
    "nowsim: 1\n"
    "platform: {workstations: 2, speed: 2f}\n"
    "job: {workload: base-task, work: 100f}\n"
    "owner: {hosts: {ws1: {model: trace, file: load.csv, measures: utilisation}}}\n"
    "run: {replications: 2}\n"
    "metrics: [tau]\n"
    "sweep: {job.work: [100f, 200f, 400f]}\n"
    "figure: {x: job.work, panels: [{metric: tau}]}\n";

void write(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

struct Reproducer : Folder {
  Reproducer() {
    file("e.yaml", kFigure);
    file("load.csv", "time,value\n0,0.1\n10,0.5\n20,0.25\n");
  }
  [[nodiscard]] std::string out() const { return path() + "/out"; }
  [[nodiscard]] ProgramRun reproduce(std::vector<std::string> words) const {
    words.insert(words.begin(), "reproduce");
    for (const char* word : {"--out", "out", "--jobs", "2"}) words.emplace_back(word);
    return run_program(words, path());
  }
  /// Results of e.yaml in out/.
  void make_results() const { REQUIRE(reproduce({"e.yaml", "-q"}).status == 0); }
  /// What a bundle of these is refused with.
  [[nodiscard]] std::string refused_bundle() const {
    const ProgramRun run = run_program({"bundle", "out"}, path());
    CHECK(run.status == 2);
    CHECK_FALSE(fs::exists(path() + "/out.tar.gz"));
    return run.error;
  }
};

}  // namespace

TEST_CASE("reproduce takes shipped figures and whole papers by name, into a folder per paper",
          "[computes][reproduce_command][slow]") {
  const Reproducer r;
  const ProgramRun one = r.reproduce({"huang-lee-2007/fig05", "-r", "5", "-f", "csv"});
  CHECK(one.status == 0);
  CHECK_THAT(one.out, Contains("HL-5-"));
  for (const char* kind : {".csv", ".gp", ".svg", ".png", ".pdf", "-claims.csv"}) CHECK(fs::exists(r.out() + "/huang-lee-2007/fig05" + kind));
  CHECK_THAT(content_of(r.out() + "/huang-lee-2007/fig05.svg"),
             Contains("TH") && Contains("SH") && Contains("seed 1") && Contains("5 replications"));
  const ProgramRun paper = r.reproduce({"huang-lee-2007/", "-r", "2", "-f", "csv"});
  CHECK(paper.status == 0);
  for (const char* name : {"fig03", "fig04", "fig05", "fig06", "fig07", "fig08", "fig09", "fig10", "fig11", "fig12"}) {
    CHECK(fs::exists(r.out() + "/huang-lee-2007/" + name + ".png"));
    CHECK_THAT(paper.out, Contains("HL-" + std::to_string(std::stoi(std::string(name + 3))) + "-"));
  }
}

TEST_CASE("reproduce --all is every paper, and no lab", "[reproduce_command][slow]") {
  const Reproducer r;
  // Dear points are left out: each experiment is run as a whole in shipped_experiments_test.cpp.
  const ProgramRun all = r.reproduce({"--all", "-r", "2", "--most-hours", "1e-5"});
  CHECK(all.status == 0);
  CHECK(fs::exists(r.out() + "/huang-lee-2007/fig12.png"));
  CHECK_FALSE(fs::exists(r.out() + "/labs"));
  CHECK_FALSE(fs::exists(r.out() + "/self-scheduling"));
  const std::string page = content_of(r.out() + "/index.html");
  CHECK_THAT(page, Contains("<article id=\"huang-lee-2007/fig12\">") && Contains("<article id=\"bazterra-2004/fig01\">") &&
                       Contains("flags: run.replications=2.") && !Contains(fs::absolute(r.path()).string()));
}

TEST_CASE("reproduce --all goes on where a store cannot be opened, and says so in the page", "[reproduce_command][index][slow]") {
  const Reproducer r;
  fs::create_directories(r.out());
  write(r.out() + "/bazterra-2004", "a file in the place of a folder");
  const ProgramRun all = r.reproduce({"--all", "-r", "2", "--most-hours", "1e-12"});  // next to nothing is run
  CHECK(all.status == 1);
  CHECK_THAT(all.error, Contains("bazterra-2004/fig01 could not be reproduced: the folder out/bazterra-2004 cannot be made"));
  CHECK(fs::exists(r.out() + "/huang-lee-2007/fig12.csv"));
  CHECK_THAT(content_of(r.out() + "/index.html"), Contains("<article id=\"huang-lee-2007/fig12\">") &&
                                                      Contains("the folder bazterra-2004 cannot be made"));
  CHECK(content_of(r.out() + "/bazterra-2004") == "a file in the place of a folder");
}

TEST_CASE("reproduce --all says where its folder cannot be made, and runs nothing", "[reproduce_command][error][slow]") {
  const Reproducer r;
  write(r.out(), "a file");
  const ProgramRun all = r.reproduce({"--all", "-r", "2"});
  CHECK(all.status == 2);
  CHECK_THAT(all.error, Contains("the folder out cannot be made: ") && !Contains("could not be reproduced"));
}

TEST_CASE("A program away from its experiments says that it has found none, and where", "[reproduce_command][error]") {
  const Reproducer r;
  fs::create_directories(r.path() + "/away/bin");
  std::string program = content_of(program_file());  // which knows the folder that it was built in
  const std::string sources = source_folder();
  for (auto at = program.find(sources); at != std::string::npos; at = program.find(sources, at))
    if (program.compare(at - 5, 5, "share") == 0) ++at;  // share/nowsim: the sources may be in /nowsim
    else program.replace(at, sources.size(), sources.size(), '-');
  std::ofstream(r.path() + "/away/bin/nowsim", std::ios::binary) << program;
  fs::permissions(r.path() + "/away/bin/nowsim", fs::perms::owner_all);
  const std::string command = "cd '" + r.path() + "' && away/bin/nowsim reproduce --all --out out > said 2> error";
  const int status = std::system(command.c_str());
  CHECK(WEXITSTATUS(status) == 2);
  CHECK(content_of(r.path() + "/said").empty());
  CHECK_THAT(content_of(r.path() + "/error"),
             Contains("no experiments of papers were found in share/nowsim/experiments beside the libraries"));
  CHECK_FALSE(fs::exists(r.out()));
}

TEST_CASE("Of a folder all experiments are reproduced, those that replay shipped traces too", "[reproduce_command]") {
  const Reproducer r;
  CHECK(r.reproduce({"labs", "-r", "2"}).status == 0);
  CHECK(fs::exists(r.out() + "/labs/idle-together.svg"));
  CHECK(fs::exists(r.out() + "/labs/six-servers.csv"));
}

TEST_CASE("A reproduction that is stopped or killed keeps what is complete, and leaves no process behind",
          "[reproduce_command][processes]") {
  const Reproducer r;
  RunningProgram program({"reproduce", "e.yaml", "--out", "out", "--jobs", "2", "--replications", "100000000", "--set",
                          "owner={model: intervals, TH: 0.28}"},
                         r.path());
  const auto simulates = [&](pid_t experiment) { return children_of(experiment).size() == 2; };
  std::vector<pid_t> processes;
  REQUIRE(comes_true([&] {
    processes = children_of(program.pid());
    return processes.size() == 1 && simulates(processes.front()) && fs::exists(r.out() + "/results.sqlite");
  }));
  const pid_t experiment = processes.front();
  for (const pid_t worker : children_of(experiment)) processes.push_back(worker);
  const auto none_left = [&] { return std::ranges::none_of(processes, is_alive); };
  SECTION("by a signal that the program alone gets") {
    kill(program.pid(), SIGINT);
    const auto run = program.finish();
    CHECK(run.status == 130);
    CHECK_THAT(run.error, Contains("every batch that was complete is kept in out"));
  }
  SECTION("at once") {
    kill(program.pid(), SIGKILL);
    program.finish();
  }
  SECTION("where memory ends") {
    kill(experiment, SIGKILL);
    const auto run = program.finish();
    CHECK(run.status == 1);
    CHECK_THAT(run.error, Contains("it was killed (Killed)"));
  }
  CHECK(comes_true(none_left));
}

TEST_CASE("Of an earlier run nothing is bundled", "[bundle_command]") {
  const Reproducer r;
  r.make_results();
  const std::string csv = content_of(r.out() + "/e.csv");
  const std::string sum = sql(r.out(), "SELECT checksum FROM written_file WHERE name = 'e.csv'").at(0);
  REQUIRE(r.reproduce({"e.yaml", "-q", "--replications", "30"}).status == 0);
  write(r.out() + "/e.csv", csv);  // as where the second run is stopped
  sql_exec(r.out(), "UPDATE written_file SET checksum = " + sum + " WHERE name = 'e.csv'");
  CHECK_THAT(r.refused_bundle(), Contains("out/e.csv is of an earlier run than what the store holds") &&
                                     Contains("nowsim reproduce e.yaml --out out"));
}

TEST_CASE("A folder of results that cannot be read whole is refused", "[bundle_command]") {
  const Reproducer r;
  r.make_results();
  const std::string results = r.out(), hidden = results + "/hidden";
  fs::create_directory(hidden);
  for (const std::string& folder : {r.path(), results}) fs::permissions(folder, fs::perms::all);
  fs::permissions(hidden, fs::perms::none);
  const nowsim::Registries registries({}, nowsim::builtin_checks(), nowsim::builtin_figures());
  const std::string said = nowsim::in_child_process([&]() -> std::string {
    if (geteuid() == 0 && seteuid(65534) != 0) return "cannot give up root's rights";
    try {
      nowsim::experiments_to_bundle(results, results, registries);
      return "all was read";
    } catch (const nowsim::InputError& e) {
      return e.what();
    }
  });
  fs::permissions(hidden, fs::perms::all);
  CHECK_THAT(said, Contains("a folder in " + results + " cannot be read"));
}

TEST_CASE("Where nobody sees the results, advice names no folder that is gone", "[bundle_command]") {
  const Reproducer r;
  r.make_results();
  r.file("load.csv", "time,value\n0,0.9\n10,0.5\n20,0.25\n");
  const nowsim::Registries registries({}, nowsim::builtin_checks(), nowsim::builtin_figures());
  CHECK_THROWS_WITH(nowsim::experiments_to_bundle(r.out(), "DIR", registries),
                    Contains("nowsim reproduce e.yaml --out DIR'") && !Contains(r.out()));
}

TEST_CASE("A folder with a store of an older nowsim is refused with what to do", "[bundle_command]") {
  const Reproducer r;
  r.make_results();
  sql_exec(r.out(), "DROP TABLE origin");
  CHECK_THAT(r.refused_bundle(), Contains("wrong checksum"));  // the seal of the experiment is over it
  sql_exec(r.out(), "UPDATE experiment SET checksum = NULL");
  CHECK_THAT(r.refused_bundle(),
             Contains("its store does not say which files and flags") && Contains("nowsim reproduce e.yaml"));
  r.make_results();
  CHECK(run_program({"bundle", "out"}, r.path()).status == 0);
}
