// A sweep that ends at any moment, in any way: the same command goes on from there, and its CSV is byte for byte that of
// a sweep which nothing disturbed.
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "experiments/driver/text/name_lists.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kBatchesOfAPoint = 6;
constexpr int kWorkstations = 24, kWork = 5000;  // so much that a sweep lasts for several commits, on a fast machine too

/// Of 4 size points.
std::string experiment(int size) {
  return "nowsim: 1\n"
         "platform: {workstations: " + std::to_string(kWorkstations) + ", speed: 1f}\n"
         "job: {workload: base-task, work: " + std::to_string(kWork * kWorkstations) + "f}\n"
         "owner: {model: intervals, TH: 0.4}\n"
         "run: {replications: " + std::to_string(100 * kBatchesOfAPoint) + "}\n"
         "metrics: [tau, sigma_T, T_i]\n"
         "sweep: {owner.TH: {from: 0.2, to: 0.5, count: " + std::to_string(2 * size) + "}, "
         "owner.length: [uniform, exponential]}\n";
}
std::size_t all_batches(int size) { return 4 * static_cast<std::size_t>(size) * kBatchesOfAPoint; }

/// A folder with an experiment that is swept into its store.
struct Sweeper : Folder {
  /// `size` says how many points there are.
  explicit Sweeper(int jobs, std::vector<std::string> more = {}, int size = 2) : jobs_(jobs), more_(std::move(more)) {
    file("e.yaml", experiment(size));
  }

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
  [[nodiscard]] double stored() const { return stored_batches(store()); }
  /// Waits until so many batches are stored, or the program has come to its end before.
  void wait_for(std::size_t batches, const RunningProgram& program) const {
    REQUIRE(comes_true([&] { return !is_alive(program.pid()) || stored() >= static_cast<double>(batches); },
                       std::chrono::milliseconds(1)));
  }
  /// What the store's batches are, read from a copy, so that the store itself stays as the program left it. A batch is
  /// a row `id|checksum|first|replications|scenario`.
  [[nodiscard]] std::set<std::string> batches() const {
    const Folder copy;
    for (const char* name : {"results.sqlite", "results.sqlite-wal"}) {
      std::error_code missing;
      fs::copy_file(store() + "/" + name, copy.path() + "/" + name, missing);
    }
    if (!fs::exists(copy.path() + "/results.sqlite")) return {};
    if (sql_number(copy.path(), "SELECT count(*) FROM sqlite_master") == 0) return {};
    CHECK(sql(copy.path(), "PRAGMA integrity_check") == std::vector<std::string>{"ok"});
    CHECK(sql(copy.path(), "SELECT count(*) FROM failure") == std::vector<std::string>{"0"});
    CHECK(sql(copy.path(), "SELECT scenario, first FROM batch GROUP BY scenario, first HAVING count(*) > 1").empty());
    const auto rows = sql(copy.path(), "SELECT b.id, b.checksum, b.first, b.replications, s.key"
                                       " FROM batch b JOIN scenario s ON s.id = b.scenario");
    return {rows.begin(), rows.end()};
  }

 private:
  int jobs_;
  std::vector<std::string> more_;
};

/// What a sweep says that a signal has stopped.
std::string stopped(const Sweeper& sweep) {
  std::string text = "stopped; every batch that was complete is kept in " + sweep.store() + "\ngo on with:  " +
                     nowsim::shell_word(program_file());
  for (const std::string& word : sweep.words()) text += " " + nowsim::shell_word(word);
  return text + "\n";
}

/// Ends a sweep on the spot.
ProgramRun killed(RunningProgram& program, const Sweeper& sweep) {
  kill(program.pid(), SIGKILL);
  ProgramRun r = program.finish();
  CHECK(comes_true([&] { return processes_about(sweep.store()).empty(); }));  // no child either
  return r;
}

const std::vector<std::string> kRule{"--precision", "0.0625%", "--set", "run.min_replications=200"};

/// Whoever looks at what a killed sweep has left is shown it, or told that there is nothing yet.
void check_shown(const Sweeper& sweep) {
  const ProgramRun shown = run_program({"show", sweep.store()}, sweep.path());
  INFO(shown.status << ": " << shown.error);
  CHECK((shown.status == 0 || shown.error.ends_with("results.sqlite is empty\n") ||
         shown.error.find("there is no store of results in ") != std::string::npos));
}

/// What nothing disturbed gives, and how long that takes.
struct Undisturbed {
  std::string csv;
  std::set<std::string> batches;
  std::chrono::duration<double> lasts;
};

Undisturbed undisturbed(int jobs, const std::vector<std::string>& more, int size) {
  const Sweeper sweep(jobs, more, size);
  const auto start = Clock::now();
  const ProgramRun r = sweep.run();
  const auto lasts = Clock::now() - start;
  INFO(r.error);
  REQUIRE(r.status == 0);
  return {sweep.csv(), sweep.batches(), lasts};
}

/// Kills sweeps that were just begun, at moments of this distance [us], while somebody looks on.
void kill_at_the_beginning(int kills, int distance_us) {
  const Sweeper sweep(1, {}, 1);
  for (int k = 0; k < kills; ++k) {
    if (k % 8 == 0) sweep.begin_anew();
    RunningProgram program(sweep.words(), sweep.path());
    std::this_thread::sleep_for(std::chrono::microseconds(distance_us) * (k + 1));
    if (k % 2 == 1) check_shown(sweep);
    killed(program, sweep);
    check_shown(sweep);
  }
  const ProgramRun last = sweep.run();
  INFO(last.error);
  CHECK(last.status == 0);
  CHECK(sweep.csv() == undisturbed(1, {}, 1).csv);
}

bool contains_all(const std::set<std::string>& now, const std::set<std::string>& before) {
  return std::includes(now.begin(), now.end(), before.begin(), before.end());
}

/// A batch's row without its first fields, so many of them.
std::string without_fields(std::string row, int count) {
  while (count-- > 0) row.erase(0, row.find('|') + 1);
  return row;
}

/// The batches without their ids, which say in which order they came.
std::set<std::string> in_any_order(const std::set<std::string>& batches) {
  std::set<std::string> out;
  for (const auto& row : batches) out.insert(without_fields(row, 1));
  return out;
}

std::map<std::string, std::size_t> count_by_scenario(const std::set<std::string>& batches) {
  std::map<std::string, std::size_t> out;
  for (const auto& row : batches) ++out[without_fields(row, 4)];
  return out;
}

/// A batch is given out only while fewer than `jobs` of its series are given out and not reduced, and what is reduced
/// before a series is over is always less than the n batches that its rule needs. So the last batch to be given out is
/// the (n - 1 + jobs)th, however often the sweep is begun again: at most jobs - 1 are left over, and none with one job.
void check_surplus(const std::set<std::string>& batches, const std::set<std::string>& needed, int jobs) {
  CHECK(contains_all(in_any_order(batches), in_any_order(needed)));
  const auto there = count_by_scenario(batches), least = count_by_scenario(needed);
  REQUIRE(there.size() == least.size());
  for (const auto& [scenario, n] : least)
    CHECK(there.at(scenario) <= std::min(n - 1 + static_cast<std::size_t>(jobs), kBatchesOfAPoint));
}

/// Kills a sweep again and again, until it was killed often enough, and often enough on its way: at random moments and,
/// in turn, at random numbers of batches, so that this comes about on any machine. A sweep that is done first begins
/// anew.
class Killer {
 public:
  Killer(const Sweeper& sweep, const Undisturbed& whole, std::size_t least, unsigned seed)
      : sweep_(sweep), whole_(whole), least_(least), random_(seed), longest_(whole.lasts) {}

  /// Returns the batches that are in the store in the end: some, but not all.
  std::set<std::string> work() {
    constexpr int kKills = 10, kOnTheWay = 4, kMostAttempts = 300;
    const auto is_enough = [&] { return killed_ >= kKills && on_the_way_ >= kOnTheWay && is_on_the_way(); };
    for (int k = 0; k < kMostAttempts && !is_enough(); ++k) attempt(k % 2 == 0);
    REQUIRE(killed_ >= kKills);
    REQUIRE(on_the_way_ >= kOnTheWay);
    REQUIRE(is_on_the_way());
    return before_;
  }

 private:
  [[nodiscard]] bool is_on_the_way() const { return !before_.empty() && before_.size() < least_; }

  void attempt(bool at_a_moment) {
    RunningProgram program(sweep_.words(), sweep_.path());
    if (at_a_moment) std::this_thread::sleep_for(longest_ * std::uniform_real_distribution<double>(0, 1)(random_));
    else sweep_.wait_for(before_.size() + 1 + random_() % (least_ - std::min(before_.size(), least_ - 1)), program);
    const ProgramRun r = killed(program, sweep_);
    const auto now = sweep_.batches();
    check_shown(sweep_);
    CHECK(contains_all(now, before_));  // the same rows, the same checksums
    before_ = now;
    if (r.status == 128 + SIGKILL) {
      ++killed_;
      on_the_way_ += is_on_the_way() ? 1 : 0;
      return;
    }
    INFO(r.error);
    CHECK(r.status == 0);
    CHECK(sweep_.csv() == whole_.csv);
    if (at_a_moment) longest_ *= 0.8;  // the machine was slower when this was measured
    sweep_.begin_anew();
    before_.clear();
  }

  const Sweeper& sweep_;
  const Undisturbed& whole_;
  std::size_t least_;
  std::mt19937 random_;
  std::chrono::duration<double> longest_;
  std::set<std::string> before_;
  int killed_ = 0, on_the_way_ = 0;
};

void kill_and_resume(int jobs, const std::vector<std::string>& more, unsigned seed) {
  const int size = std::min(jobs, 3);  // more processes need more points to last as long
  const Undisturbed whole = undisturbed(jobs, more, size), least = undisturbed(1, more, size);
  CHECK(whole.csv == least.csv);
  check_surplus(whole.batches, least.batches, jobs);
  const Sweeper sweep(jobs, more, size);
  const auto before = Killer(sweep, whole, least.batches.size(), seed).work();
  const ProgramRun last = sweep.run();
  INFO(last.error);
  CHECK(last.status == 0);
  CHECK(sweep.csv() == whole.csv);
  const auto after = sweep.batches();
  CHECK(contains_all(after, before));
  check_surplus(after, least.batches, jobs);
  if (!more.empty() && jobs > 1) return;  // a stopping rule may leave batches over
  // What was there was taken from there, and no more was simulated than was missing.
  CHECK(after.size() == least.batches.size());
  CHECK_THAT(last.error, Contains(std::to_string(100 * (after.size() - before.size())) + " replications simulated, " +
                                  std::to_string(100 * before.size()) + " taken from the store"));
}

}  // namespace

TEST_CASE(
    "A sweep that is killed at any moment is resumed to the same bytes, without losing or repeating a batch, with one "
    "job",
    "[reads][resume]") {
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

TEST_CASE("A store that is killed while it is made can be looked at and gone on with", "[resume]") {
  kill_at_the_beginning(8, 4000);
}
TEST_CASE("A store that is killed at any moment can be looked at and gone on with", "[.long][resume]") {
  kill_at_the_beginning(400, 200);
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
  const Undisturbed whole = undisturbed(2, {}, 2);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT, SIGQUIT}) {
    INFO("signal " << signal);
    const Sweeper sweep(2);
    ProgramRun r;
    // Until it is not done before the signal comes.
    for (int attempt = 0; attempt < 100 && (r.status <= 0 || !sweep.csv().empty()); ++attempt) {
      sweep.begin_anew();
      RunningProgram program(sweep.words(), sweep.path());
      sweep.wait_for(3, program);
      kill(program.pid(), signal);
      r = program.finish();
    }
    CHECK(r.status == 128 + signal);
    CHECK(comes_true([&] { return processes_about(sweep.store()).empty(); }));
    if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP)
      CHECK(without_progress(r.error) == stopped(sweep));
    const auto before = sweep.batches();
    CHECK(before.size() >= 3);
    CHECK(sweep.csv().empty());
    const ProgramRun again = sweep.run();
    CHECK(again.status == 0);
    CHECK(sweep.csv() == whole.csv);
    CHECK(contains_all(sweep.batches(), before));
    CHECK(sweep.batches().size() == all_batches(2));
  }
}

TEST_CASE("An interruption that reaches the children too is no failure of theirs, and what is complete is kept", "[resume]") {
  // The first point is done at once, the second never; on SimGrid, whose batches are processes of their own.
  const Sweeper sweep(
      3, {"--engine", "simgrid", "--set", "owner.length=uniform", "--set", "sweep={job.work: [60f, 6e12f]}", "--set",
          "run.timeout=1d", "--quiet"});
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sweep.begin_anew();
    RunningProgram program(sweep.words(), sweep.path());
    REQUIRE(comes_true([&] { return sweep.stored() == 6 && processes_about(sweep.store()).size() == 7; }));
    const auto all = processes_about(sweep.store());  // three workers, and their batches' processes
    for (const pid_t child : all)
      if (child != program.pid()) kill(child, signal);  // as a terminal does, which knows no parents
    for (const pid_t child : all)
      if (child != program.pid()) CHECK(comes_true([&] { return is_unmoved_by(signal, child); }));
    CHECK(processes_about(sweep.store()) == all);
    kill(program.pid(), signal);
    const ProgramRun r = program.finish();
    INFO("signal " << signal);
    CHECK(r.status == 128 + signal);
    CHECK(r.out.empty());
    CHECK(without_progress(r.error) == stopped(sweep));
    CHECK(comes_true([&] { return processes_about(sweep.store()).empty(); }));
    CHECK(sweep.batches().size() == 6);
    CHECK(sql(sweep.store(), "SELECT status FROM point ORDER BY position") == std::vector<std::string>{"ok", "pending"});
    CHECK(sql_number(sweep.store(), "SELECT count(*) FROM failure") == 0);
    CHECK_FALSE(fs::exists(sweep.store() + "/e.csv"));
    CHECK_THAT(run_program({"show", sweep.store(), "--format", "csv"}).out, Contains(",pending,"));
  }
}

TEST_CASE("A sweep that was started to outlive its terminal does", "[resume]") {
  // One point with more batches than anyone waits for.
  const Sweeper sweep(1, {"--set", "sweep={}", "--replications", "10M"});
  RunningProgram program(sweep.words(), sweep.path(), {"", "", true});
  REQUIRE(comes_true([&] { return sweep.stored() > 0; }));
  kill(program.pid(), SIGHUP);
  // One that heeds the signal stops after the batch at hand; and no such number of batches waits for its commit.
  const double then = sweep.stored();
  CHECK(comes_true([&] { return sweep.stored() >= then + 40; }));
  CHECK(is_alive(program.pid()));
  kill(program.pid(), SIGTERM);
  CHECK(program.finish().status == 128 + SIGTERM);
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
