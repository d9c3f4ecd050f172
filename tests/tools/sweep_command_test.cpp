// nowsim sweep: what it says, writes and returns; what it forecasts comes true; failing points.
#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tests/tools/terminal_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const char* const kExperiment =
    "nowsim: 1\n"
    "title: a test\n"
    "platform: {workstations: 3, speed: 1f}\n"
    "job: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "run: {replications: 250}\n"
    "metrics: [tau, speedup]\n"
    "sweep: {owner.TH: [0.1, 0.3]}\n";

struct Sweeper : Folder {
  Sweeper() { file("e.yaml", kExperiment); }
  [[nodiscard]] std::string store() const { return path() + "/store"; }
  [[nodiscard]] ProgramRun sweep(std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"sweep", "e.yaml", "--out", "store", "--jobs", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, path());
  }
  [[nodiscard]] std::string csv() const { return content_of(store() + "/e.csv"); }
};

/// All files below a folder with their contents.
std::string everything(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    all.push_back(entry.path().string() + (entry.is_regular_file() ? ": " + content_of(entry.path().string()) : ""));
  std::sort(all.begin(), all.end());
  std::string text;
  for (const auto& one : all) text += one + "\n";
  return text;
}

}  // namespace

TEST_CASE("sweep makes a store and a CSV, prints the table, and says what it did", "[computes][sweep_command]") {
  const Sweeper s;
  const ProgramRun r = s.sweep();
  CHECK(r.status == 0);
  CHECK(without_progress(r.error) == "e: 2 points, 2 complete; 1000 replications simulated, 0 taken from the store\n"
                                     "results: store/e.csv and store/results.sqlite\n");
  const ProgramRun plain = run_program({"run", "e.yaml"}, s.path()), csv = run_program({"run", "e.yaml", "-f", "csv"}, s.path());
  CHECK(r.out == plain.out);
  CHECK(s.csv() == csv.out);
  const ProgramRun again = s.sweep();
  CHECK(again.status == 0);
  CHECK(again.out == r.out);
  CHECK_THAT(again.error, Contains("0 replications simulated, 1000 taken from the store"));
  CHECK(s.csv() == csv.out);
}

TEST_CASE("sweep prints in any format, and its CSV file is always there", "[sweep_command]") {
  const Sweeper s;
  const ProgramRun csv = s.sweep({"--format", "csv"}), json = s.sweep({"-f", "json"});
  CHECK(csv.out == s.csv());
  CHECK(json.out == run_program({"run", "e.yaml", "-f", "json"}, s.path()).out);
}

TEST_CASE("sweep --quiet says nothing but results that are asked for", "[sweep_command]") {
  const Sweeper s;
  const ProgramRun quiet = s.sweep({"--quiet"});
  CHECK(quiet.status == 0);
  CHECK(quiet.out.empty());
  CHECK(quiet.error.empty());
  CHECK_FALSE(s.csv().empty());
  CHECK(s.sweep({"-q", "-f", "csv"}).out == s.csv());
}

TEST_CASE("sweep --dry-run writes nothing, and its numbers come true", "[sweep_command]") {
  const Sweeper s;
  const ProgramRun first = s.sweep({"--dry-run"});
  CHECK(first.status == 0);
  CHECK(first.error.empty());
  CHECK_FALSE(fs::exists(s.store()));
  CHECK_THAT(first.out, Catch::StartsWith("e: 2 points\n4 scenarios (points and baselines, each once), 12 batches with 1000 replications\n"
                                          "in the store: 0 batches with 0 replications\n"
                                          "to simulate:  12 batches with 1000 replications, about ") &&
                            Catch::EndsWith(" with 2 processes\nnothing was run\n"));
  CHECK_THAT(s.sweep().error, Contains("1000 replications simulated, 0 taken"));
  CHECK(sql_number(s.store(), "SELECT count(*) FROM batch") == 12);
  const std::string before = everything(s.store());
  const ProgramRun none = s.sweep({"-n"}), more = s.sweep({"-n", "--replications", "400"});
  CHECK((everything(s.store()) == before));
  CHECK_THAT(none.out, Contains("in the store: 12 batches with 1000 replications\nto simulate:  0 batches with 0 replications\nnothing was run\n"));
  // Of 400 replications the first two batches are there; 200 to 249 were part of another one.
  CHECK_THAT(more.out, Contains("4 scenarios (points and baselines, each once), 16 batches with 1600 replications\n"
                                "in the store: 8 batches with 800 replications\nto simulate:  8 batches with 800 replications, about "));
  CHECK_THAT(s.sweep({"--replications", "400"}).error, Contains("800 replications simulated, 800 taken from the store"));
  CHECK_THAT(s.sweep({"-n", "--precision", "1%"}).out, Contains("at most 12 batches"));
  CHECK_THAT(s.sweep({"-n", "--set", "sweep.owner.TH=[0.1, 0.9]", "--set", "run.infeasible=skip"}).out, Contains("e: 2 points, of which 1 infeasible\n"));
}

TEST_CASE("sweep extends what is there: replications, axis values, metrics, another experiment", "[sweep_command]") {
  const Sweeper s;
  s.file("other.yaml", std::string(kExperiment) + "description: another file with the same points\n");
  CHECK(s.sweep().status == 0);
  CHECK_THAT(s.sweep({"--set", "sweep.owner.TH=[0.1, 0.2, 0.3]"}).error, Contains("e: 3 points, 3 complete; 500 replications simulated, 1000 taken"));
  CHECK_THAT(s.sweep({"--set", "metrics=[tau, sigma_T, T_i]"}).error, Contains("; 0 replications simulated, 500 taken"));
  CHECK_THAT(run_program({"sweep", "other.yaml", "--out", "store"}, s.path()).error, Contains("other: 2 points, 2 complete; 0 replications simulated, 1000 taken"));
  CHECK_THAT(s.sweep({"--seed", "7"}).error, Contains("; 1000 replications simulated, 0 taken"));
  CHECK(s.csv() == run_program({"run", "e.yaml", "-f", "csv", "--seed", "7"}, s.path()).out);
}

TEST_CASE("sweep --precision-of stops at another metric's precision", "[sweep_command]") {
  const Sweeper s;
  const ProgramRun tau = s.sweep({"--precision", "3%", "-r", "5000", "-f", "csv"});
  const ProgramRun sigma = s.sweep({"--precision", "3%", "--precision-of", "sigma_T", "-r", "5000", "-f", "csv"});
  CHECK(tau.status == 0);
  CHECK(sigma.status == 0);
  CHECK(sigma.out == run_program({"run", "e.yaml", "--precision", "3%", "--set", "run.precision_of=sigma_T", "-r", "5000", "-f", "csv"}, s.path()).out);
  CHECK(sql_number(s.store(), "SELECT min(replications) FROM point") > 500);
  CHECK(tau.out != sigma.out);
}

TEST_CASE("sweep keeps a CSV that was edited, and says where", "[sweep_command]") {
  const Sweeper s;
  CHECK(s.sweep().status == 0);
  std::ofstream(s.store() + "/e.csv") << "my notes\n";
  const ProgramRun r = s.sweep();
  CHECK(r.status == 0);
  CHECK_THAT(r.error, Contains("note: store/e.csv had been changed since nowsim wrote it; that version is now store/e.csv.~1~\n"));
  CHECK(content_of(s.store() + "/e.csv.~1~") == "my notes\n");
  CHECK_THAT(s.sweep().error, !Contains("note:"));
  CHECK_THAT(s.sweep({"-r", "100"}).error, !Contains("note:"));
}

TEST_CASE("A point that fails costs only itself: exit status 1, shown with its reason, tried again by the same command", "[sweep_command]") {
  const Sweeper s;
  // Only the point that never ends has a limit: a machine that is held up for a while must not fail the others.
  const std::vector<std::string> flags{
      "--set", "sweep={zip: {job.work: [90f, 9e12f, 80f], run.timeout: [0, 500ms, 0]}}", "--set", "metrics=[tau]"};
  const ProgramRun first = s.sweep(flags);
  CHECK(first.status == 1);
  CHECK_THAT(first.error, Contains("e: 3 points, 2 complete, 1 failed; 500 replications simulated, 0 taken from the store"));
  const std::string reason = "a batch of 100 replications took longer than 0.5 s (run.timeout)";
  CHECK_THAT(first.error, Contains("failed: e, point job.work=9e12f run.timeout=500ms: " + reason + "\n"));
  CHECK_THAT(s.csv(), Contains("failed," + reason));
  const ProgramRun shown = run_program({"show", "store", "--failed"}, s.path());
  CHECK(shown.status == 0);
  CHECK(shown.out == "e: job.work=9e12f run.timeout=500ms: " + reason + "\n");
  CHECK(run_program({"show", "store", "-f", "csv"}, s.path()).out == s.csv());
  const ProgramRun again = s.sweep(flags);
  CHECK(again.status == 1);
  CHECK_THAT(again.error, Contains("0 replications simulated, 500 taken from the store"));
  // Failed points and their reasons, by SQL.
  CHECK(sql(s.store(), "SELECT e.name, v.value, p.reason FROM point p JOIN experiment e ON e.id = p.experiment"
                       " LEFT JOIN axis_value v ON v.point = p.id WHERE p.status = 'failed' ORDER BY v.position") ==
        std::vector<std::string>{"e|9e12f|" + reason, "e|500ms|" + reason});
  CHECK(sql_number(s.store(), "SELECT count(*) FROM failure") >= 1);
}

TEST_CASE("sweep names the points that failed and why, where there is no table too, and when it is to be quiet",
          "[sweep_command]") {
  const Sweeper s;
  // Machines that are never on for long enough. More points than a table shows.
  const std::vector<std::string> short_runs{"--set", "job={workload: base-task, work: 100f}", "--set", "metrics=[tau]", "-r",
                                       "2"};
  const std::vector<std::string> repairs{"--set", "platform.failures.repair=1ms"};
  const auto sweep = [&](const std::string& axes, std::vector<std::string> more) {
    more.insert(more.end(), short_runs.begin(), short_runs.end());
    more.insert(more.end(), {"--set", "sweep={" + axes + "}"});
    ProgramRun r = s.sweep(more);
    INFO(r.error);
    CHECK(r.status == 1);
    return r;
  };
  auto quietly = repairs;
  quietly.emplace_back("--quiet");
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  const std::string many = "platform.failures.rate: [0, 1000], run.seed: {from: 1, to: 35, count: 35}";
  const ProgramRun loud = sweep(many, repairs), quiet = sweep(many, quietly);
  CHECK(loud.out.empty());
  CHECK_THAT(loud.error, Contains("e: 70 points, 35 complete, 35 failed; ") && Contains(quiet.error));
  CHECK(quiet.out.empty());
  CHECK_THAT(quiet.error, Catch::StartsWith("failed: e, point platform.failures.rate=1000 run.seed=1: ") &&
                              Contains("\nfailed: e, point platform.failures.rate=1000 run.seed=20: ") &&
                              Catch::EndsWith("\nand 15 more; nowsim show store --failed lists them\n"));
  CHECK(count(quiet.error, "failed: ") == 20);
  CHECK(count(quiet.error, "\n") == 21);
  CHECK(count(run_program({"show", "store", "--failed"}, s.path()).out, "platform.failures.rate=1000") == 35);
  const std::string twenty = "platform.failures.rate: [0, 1000], run.seed: {from: 1, to: 20, count: 20}";
  CHECK(count(sweep(twenty, quietly).error, "\n") == 20);  // and no line about none
  const ProgramRun alone = sweep("", {"-q", "--set", "platform.failures={rate: 1000, repair: 1ms}"});
  CHECK_THAT(alone.error, Catch::StartsWith("failed: e: ") && Contains("switched off"));
}

TEST_CASE("sweep tells its progress, and not when it is to be quiet", "[sweep_command]") {
  const Sweeper s;
  // Batches of some tenths of a second, many more than anyone waits for; on a terminal a line comes after a second.
  const auto words = [](const std::string& store) {
    return std::vector<std::string>{"sweep", "e.yaml",        "--out",          store, "--jobs", "1",
                                    "--set", "job.work=90kf", "--replications", "1M"};
  };
  auto quietly = words("quiet");
  quietly.emplace_back("--quiet");
  OnTerminal quiet(quietly, 100, s.path());
  const auto stored = [&] { return stored_batches(s.path() + "/quiet"); };
  REQUIRE(comes_true([&] { return stored() > 0; }));  // so it has begun
  OnTerminal loud(words("loud"), 100, s.path());
  CHECK(loud.comes("points, "));
  // The quiet one has had its second, and batches after that: it would have said something.
  const double then = stored();
  REQUIRE(comes_true([&] { return stored() >= then + 3; }));
  for (OnTerminal* sweep : {&loud, &quiet}) {
    sweep->type("\x03");
    CHECK(sweep->finish() == 128 + SIGINT);
  }
  CHECK_THAT(quiet.written(), !Contains("points, "));
}
