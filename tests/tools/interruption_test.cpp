// What happens when the program is interrupted or dies: sentences, statuses, and no process left behind.
#include "tools/terminal/interruption.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;

namespace {

// Some billion intervals: nobody waits for its end.
const char* const kEndless =
    "nowsim: 1\n"
    "platform: {workstations: 2, speed: 1f}\n"
    "job: {workload: base-task, work: 20Gf}\n"
    "owner: {model: intervals, TH: 0.28}\n"
    "run: {replications: 1000, engine: simgrid}\n";  // whose batches are processes of their own

/// A run's workers and the processes of their batches, once so many are at work; nothing before.
std::vector<pid_t> processes_of(pid_t program, std::size_t jobs) {
  std::vector<pid_t> all = children_of(program);
  for (const pid_t worker : children_of(program))
    for (const pid_t batch : children_of(worker)) all.push_back(batch);
  return all.size() == 2 * jobs ? all : std::vector<pid_t>{};
}

bool all_gone(const std::vector<pid_t>& processes) { return std::none_of(processes.begin(), processes.end(), is_alive); }

}  // namespace

TEST_CASE("A run that is interrupted or killed leaves no process behind", "[reads][cli][processes]") {
  const Folder folder;
  folder.file("endless.yaml", kEndless);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    RunningProgram program({"run", "endless.yaml", "--jobs", "3"}, folder.path());
    std::vector<pid_t> children;
    REQUIRE(comes_true([&] { return !(children = processes_of(program.pid(), 3)).empty(); }));
    kill(program.pid(), signal);
    const ProgramRun r = program.finish();
    INFO("signal " << signal);
    CHECK(r.status == 128 + signal);
    CHECK(r.out.empty());
    CHECK(comes_true([&] { return all_gone(children); }));
  }
}

TEST_CASE("A run on the direct engine that is interrupted or killed leaves no process behind", "[cli][processes]") {
  const Folder folder;
  folder.file("endless.yaml", kEndless);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    RunningProgram program({"run", "endless.yaml", "--jobs", "3", "--engine", "direct"}, folder.path());
    std::vector<pid_t> workers;
    REQUIRE(comes_true([&] { return (workers = children_of(program.pid())).size() == 3; }));
    kill(program.pid(), signal);
    INFO("signal " << signal);
    CHECK(program.finish().status == 128 + signal);
    CHECK(comes_true([&] { return all_gone(workers); }));
  }
}

TEST_CASE("No more processes run at a time than jobs were asked for", "[cli][processes]") {
  const Folder folder;
  folder.file("endless.yaml", kEndless);
  for (const char* jobs : {"1", "4"}) {
    RunningProgram program({"run", "endless.yaml", "--jobs", jobs}, folder.path());
    const auto wanted = static_cast<std::size_t>(std::stoi(jobs));
    // All have their batches, none of which ends: whoever were to come now would be one too many.
    CHECK(comes_true([&] { return !processes_of(program.pid(), wanted).empty(); }));
    for (int k = 0; k < 20; ++k) CHECK(children_of(program.pid()).size() <= wanted);
  }
}

TEST_CASE("A child that is killed from outside costs its point, in a sentence", "[cli][processes]") {
  const Folder folder;
  folder.file("endless.yaml", kEndless);
  RunningProgram program({"run", "endless.yaml", "--jobs", "1", "--format", "csv"}, folder.path());
  REQUIRE(comes_true([&] { return children_of(program.pid()).size() == 1; }));
  const pid_t worker = children_of(program.pid()).front();
  REQUIRE(comes_true([&] { return children_of(worker).size() == 1; }));
  SECTION("the process of the batch") {
    kill(children_of(worker).front(), SIGKILL);
    const ProgramRun r = program.finish();
    CHECK(r.status == 1);
    CHECK_THAT(r.out, Catch::Contains(",failed,") && Catch::Contains("Killed"));
  }
  SECTION("the worker that started it") {
    const pid_t batch = children_of(worker).front();
    kill(worker, SIGKILL);
    const ProgramRun r = program.finish();
    CHECK(r.status == 1);
    CHECK_THAT(r.out, Catch::Contains(",failed,") && Catch::Contains("it was killed (Killed)"));
    CHECK(comes_true([&] { return !is_alive(batch); }));
  }
}

TEST_CASE("A study that is interrupted says what is kept", "[cli][processes]") {
  const Folder folder;
  folder.file("e.yaml",
              "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\nowner: {model: intervals, TH: 0.3}\n"
              "job: {workload: augmented-task, work: 1f, phases: 10, barrier_cost: 10s}\n"
              "run: {replications: 100000000}\nsweep: {platform.workstations: [2, 4, 8], split.policy: [equal]}\n");
  const std::vector<std::string> contrast{"contrast", "e.yaml", "platform.workstations"},
      grown{"isoefficiency", "e.yaml", "--efficiency=0.3", "--to=1e4"},
      kept{"isoefficiency", "e.yaml", "--efficiency=0.3", "--to=1e4", "--out", "store"};
  for (const auto& words : {contrast, grown, kept}) {
    RunningProgram program(words, folder.path());
    REQUIRE(comes_true([&] { return !children_of(program.pid()).empty(); }));
    kill(program.pid(), SIGINT);
    const ProgramRun run = program.finish();
    CHECK(run.status == 130);
    CHECK_THAT(run.error, Catch::Contains(words == kept ? "is kept in store\ngo on with:  " : "nothing was kept"));
  }
}

namespace {

volatile std::sig_atomic_t handled = 0;

extern "C" void note_signal(int signal) { handled = signal; }

}  // namespace

TEST_CASE("Signals are asked for while somebody watches, and handled as before afterwards", "[processes]") {
  const auto before = std::signal(SIGINT, note_signal);
  for (const bool is_interrupted : {false, true}) {
    handled = 0;
    {
      const nowsim::InterruptionWatch outer;
      {
        const nowsim::InterruptionWatch inner;
        if (is_interrupted) raise(SIGINT);
        CHECK(nowsim::interruption_requested() == is_interrupted);
      }
      raise(SIGINT);
      CHECK(nowsim::interruption_requested());
      CHECK(outer.exit_status() == 128 + SIGINT);
    }
    CHECK(handled == 0);
    raise(SIGINT);
    CHECK(handled == SIGINT);
  }
  std::signal(SIGINT, before);
}
