// A sweep that ends at any moment, in any way: the same command goes on from there, and its CSV is byte for byte that of
// a sweep which nothing disturbed.
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "tests/experiments/store_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

// Six batches of about ten milliseconds for each of four points.
const char* const kExperiment =
    "nowsim: 1\n"
    "platform: {workstations: 6, speed: 1f}\n"
    "job: {workload: base-task, work: 600f}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "run: {replications: 600}\n"
    "metrics: [tau, sigma_T, T_i]\n"
    "sweep: {owner.TH: [0.2, 0.5], owner.length: [uniform, exponential]}\n";
constexpr int kBatches = 24;

/// A folder with an experiment that is swept into its store.
struct Sweeper : Folder {
  explicit Sweeper(int jobs, std::vector<std::string> more = {}) : jobs_(jobs), more_(std::move(more)) { file("e.yaml", kExperiment); }

  [[nodiscard]] std::string store() const { return path() + "/store"; }
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> all{"sweep", "e.yaml", "--out", store(), "--jobs", std::to_string(jobs_)};
    all.insert(all.end(), more_.begin(), more_.end());
    return all;
  }
  [[nodiscard]] ProgramRun run() const { return run_program(words(), path()); }
  [[nodiscard]] std::string csv() const {
    std::ifstream in(store() + "/e.csv", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void begin_anew() const { fs::remove_all(store()); }

  /// How many batches there are already, while the program is at work.
  [[nodiscard]] double stored() const {
    try {
      return sql_number(store(), "SELECT count(*) FROM batch");
    } catch (const SQLite::Exception&) {
      return 0;  // no table or no file yet
    }
  }
  /// What the store's batches are, read from a copy, so that the store itself stays as the program left it.
  [[nodiscard]] std::set<std::string> batches() const {
    const Folder copy;
    for (const char* name : {"results.sqlite", "results.sqlite-wal"}) {
      std::error_code missing;
      fs::copy_file(store() + "/" + name, copy.path() + "/" + name, missing);
    }
    if (!fs::exists(copy.path() + "/results.sqlite") || sql_number(copy.path(), "SELECT count(*) FROM sqlite_master") == 0) return {};
    CHECK(sql(copy.path(), "PRAGMA integrity_check") == std::vector<std::string>{"ok"});
    CHECK(sql(copy.path(), "SELECT count(*) FROM failure") == std::vector<std::string>{"0"});
    CHECK(sql(copy.path(), "SELECT scenario, first FROM batch GROUP BY scenario, first HAVING count(*) > 1").empty());
    const auto rows = sql(copy.path(), "SELECT b.id, s.key, first, replications, checksum FROM batch b JOIN scenario s ON s.id = b.scenario");
    return {rows.begin(), rows.end()};
  }

 private:
  int jobs_;
  std::vector<std::string> more_;
};

/// Starts a sweep, and kills it after a while.
ProgramRun killed_after(std::chrono::duration<double> delay, const Sweeper& sweep) {
  RunningProgram program(sweep.words(), sweep.path());
  std::this_thread::sleep_for(delay);
  kill(program.pid(), SIGKILL);
  ProgramRun r = program.finish();
  CHECK(comes_true([&] { return processes_about(sweep.store()).empty(); }));  // no child either
  return r;
}

const std::vector<std::string> kRule{"--precision", "0.9%", "--set", "run.min_replications=200"};

/// What nothing disturbed gives, and how long that takes.
struct Undisturbed {
  std::string csv;
  std::set<std::string> batches;
  std::chrono::duration<double> lasts;
};

Undisturbed undisturbed(int jobs, const std::vector<std::string>& more) {
  const Sweeper sweep(jobs, more);
  const auto start = Clock::now();
  const ProgramRun r = sweep.run();
  const auto lasts = Clock::now() - start;
  INFO(r.error);
  REQUIRE(r.status == 0);
  return {sweep.csv(), sweep.batches(), lasts};
}

bool contains_all(const std::set<std::string>& now, const std::set<std::string>& before) {
  return std::includes(now.begin(), now.end(), before.begin(), before.end());
}

void kill_and_resume(int jobs, const std::vector<std::string>& more, unsigned seed) {
  constexpr int kKills = 15;
  const Undisturbed whole = undisturbed(jobs, more);
  const std::string expected = undisturbed(1, more).csv;
  CHECK(whole.csv == expected);
  const Sweeper sweep(jobs, more);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> moment(0, 1);
  std::set<std::string> before;
  int killed = 0, attempts = 0;
  for (int k = 0; k < kKills; ++k) {
    const ProgramRun r = killed_after(whole.lasts * moment(random), sweep);
    ++attempts;
    const auto now = sweep.batches();
    CHECK(contains_all(now, before));  // the same rows, the same checksums
    before = now;
    killed += r.status == 128 + SIGKILL ? 1 : 0;
    if (r.status == 128 + SIGKILL) continue;
    INFO(r.error);
    CHECK(r.status == 0);
    CHECK(sweep.csv() == expected);
    sweep.begin_anew();
    before.clear();
    attempts = 0;
  }
  CHECK(killed >= kKills / 3);
  const ProgramRun last = sweep.run();
  INFO(last.error);
  CHECK(last.status == 0);
  CHECK(sweep.csv() == expected);
  const auto after = sweep.batches();
  CHECK(contains_all(after, before));
  if (more.empty()) {
    // What was there was taken from there, and no more was simulated than was missing.
    CHECK(after.size() == kBatches);
    CHECK_THAT(last.error, Contains(std::to_string(100 * (kBatches - before.size())) + " replications simulated, " +
                                    std::to_string(100 * before.size()) + " taken from the store"));
  } else {
    // A stopping rule may leave batches over, but not more than were at work in each attempt and for each point.
    const Undisturbed least = undisturbed(1, more);
    CHECK(after.size() <= least.batches.size() + static_cast<std::size_t>((attempts + 1) * jobs));
  }
}

}  // namespace

TEST_CASE("A sweep that is killed at any moment is resumed to the same bytes, without losing or repeating a batch, with one job", "[resume]") {
  kill_and_resume(1, {}, 1);
}
TEST_CASE("A sweep that is killed at any moment is resumed to the same bytes, with two jobs", "[resume]") { kill_and_resume(2, {}, 2); }
TEST_CASE("A sweep that is killed at any moment is resumed to the same bytes, with five jobs", "[resume]") { kill_and_resume(5, {}, 3); }
TEST_CASE("A sweep with a stopping rule that is killed at any moment is resumed to the same bytes, with one job", "[resume]") {
  kill_and_resume(1, kRule, 4);
}
TEST_CASE("A sweep with a stopping rule that is killed at any moment is resumed to the same bytes, with two jobs", "[resume]") {
  kill_and_resume(2, kRule, 5);
}
TEST_CASE("A sweep with a stopping rule that is killed at any moment is resumed to the same bytes, with five jobs", "[resume]") {
  kill_and_resume(5, kRule, 6);
}

TEST_CASE("The stopping rule of these tests stops points at different numbers of replications", "[resume]") {
  const Sweeper sweep(2, kRule);
  REQUIRE(sweep.run().status == 0);
  CHECK(sql(sweep.store(), "SELECT DISTINCT replications FROM point").size() >= 2);
  CHECK(sql_number(sweep.store(), "SELECT min(replications) FROM point") >= 200);
}

TEST_CASE("A sweep that any signal ends is resumed to the same bytes", "[resume]") {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  setenv("ASAN_OPTIONS", "handle_segv=0", 1);  // or a sanitizer would make a report of the signal
  const Undisturbed whole = undisturbed(2, {});
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT, SIGQUIT}) {
    INFO("signal " << signal);
    const Sweeper sweep(2);
    ProgramRun r;
    for (int attempt = 0; attempt < 20 && r.status <= 0; ++attempt) {  // until it is not done before the signal comes
      sweep.begin_anew();
      RunningProgram program(sweep.words(), sweep.path());
      REQUIRE(comes_true([&] { return sweep.stored() >= 3; }));
      kill(program.pid(), signal);
      r = program.finish();
    }
    CHECK(r.status == 128 + signal);
    CHECK(comes_true([&] { return processes_about(sweep.store()).empty(); }));
    if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP)
      CHECK(r.error == "stopped; every batch that was complete is in " + sweep.store() + ", and the same command goes on from there\n");
    const auto before = sweep.batches();
    CHECK(before.size() >= 3);
    CHECK(sweep.csv().empty());
    const ProgramRun again = sweep.run();
    CHECK(again.status == 0);
    CHECK(sweep.csv() == whole.csv);
    CHECK(contains_all(sweep.batches(), before));
    CHECK(sweep.batches().size() == kBatches);
  }
}

TEST_CASE("An interruption that reaches the children too is no failure of theirs, and what is complete is kept", "[resume]") {
  // The first point is done at once, the second never.
  const Sweeper sweep(3, {"--set", "owner.length=uniform", "--set", "sweep={job.work: [60f, 6e12f]}"});
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sweep.begin_anew();
    RunningProgram program(sweep.words(), sweep.path());
    REQUIRE(comes_true([&] { return sweep.stored() == 6 && processes_about(sweep.store()).size() == 7; }));
    const auto all = processes_about(sweep.store());  // three workers, and their batches' processes
    for (const pid_t child : all)
      if (child != program.pid()) kill(child, signal);  // as a terminal does, which knows no parents
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(processes_about(sweep.store()) == all);
    kill(program.pid(), signal);
    const ProgramRun r = program.finish();
    INFO("signal " << signal);
    CHECK(r.status == 128 + signal);
    CHECK(r.out.empty());
    CHECK(r.error == "stopped; every batch that was complete is in " + sweep.store() + ", and the same command goes on from there\n");
    CHECK(comes_true([&] { return processes_about(sweep.store()).empty(); }));
    CHECK(sweep.batches().size() == 6);
    CHECK(sql(sweep.store(), "SELECT status FROM point ORDER BY position") == std::vector<std::string>{"ok", "pending"});
    CHECK(sql_number(sweep.store(), "SELECT count(*) FROM failure") == 0);
    CHECK_FALSE(fs::exists(sweep.store() + "/e.csv"));
    CHECK_THAT(run_program({"show", sweep.store(), "--format", "csv"}).out, Contains(",pending,"));
  }
}

TEST_CASE("A sweep that was started to outlive its terminal does", "[resume]") {
  const Sweeper sweep(1);
  RunningProgram program(sweep.words(), sweep.path(), {"", "", true});
  REQUIRE(comes_true([&] { return sweep.stored() > 0; }));
  kill(program.pid(), SIGHUP);
  CHECK(program.finish().status == 0);
  CHECK(sweep.batches().size() == kBatches);
}

TEST_CASE("Two sweeps into one store at a time: the second is refused, the first goes on, and show looks on", "[resume]") {
  const Sweeper sweep(2, {"--set", "sweep={job.work: [60f, 6e12f]}"});
  RunningProgram program(sweep.words(), sweep.path());
  REQUIRE(comes_true([&] { return sweep.stored() == 6; }));
  const ProgramRun second = sweep.run();
  CHECK(second.status == 2);
  CHECK(second.error == "error: the store in " + sweep.store() + " is being written by another process (" + std::to_string(program.pid()) +
                            "): wait for it, or choose another folder\n");
  const ProgramRun shown = run_program({"show", sweep.store(), "--format", "csv"});
  CHECK(shown.status == 0);
  CHECK_THAT(shown.out, Contains(",ok,") && Contains(",pending,"));
  auto dry = sweep.words();
  dry.push_back("--dry-run");
  CHECK_THAT(run_program(dry, sweep.path()).out, Contains("in the store: 6 batches"));
  CHECK(is_alive(program.pid()));
  kill(program.pid(), SIGINT);
  CHECK(program.finish().status == 130);
}
