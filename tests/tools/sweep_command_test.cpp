// Stores of sweeps: what SQL reads of them, and what a sweep tells at a terminal on its way.
#include <catch2/catch.hpp>
#include <csignal>

#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/tools/program_fixture.hpp"
#include "tests/tools/terminal_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

/// A folder with an experiment, e.yaml, and what is swept of it into one store.
struct Sweeper : Folder {
  Sweeper() {
    file("e.yaml",
         "nowsim: 1\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 90f}\n"
         "owner: {model: intervals, TH: 0.4}\nrun: {replications: 120}\nmetrics: [tau, speedup]\n"
         "sweep: {owner.TH: [0.1, 0.3]}\n");
  }
  [[nodiscard]] std::string store() const { return path() + "/store"; }
  [[nodiscard]] ProgramRun sweep(const std::string& name, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"sweep", name, "--out", "store", "--quiet"});
    return run_program(more, path());
  }
};

}  // namespace

TEST_CASE("Failed points and their reasons are read by SQL", "[computes][sweep_command]") {
  const Sweeper s;
  // Only the point that never ends has a limit: a machine that is held up for a while must not fail the other.
  CHECK(s.sweep("e.yaml",
                {"--set", "sweep={zip: {job.work: [90f, 9e12f], run.timeout: [0, 500ms]}}", "--set", "metrics=[tau]"})
            .status == 1);
  const std::string reason = "a batch of 100 replications took longer than 0.5 s (run.timeout)";
  CHECK(sql(s.store(), "SELECT e.name, v.value, p.reason FROM point p JOIN experiment e ON e.id = p.experiment"
                       " LEFT JOIN axis_value v ON v.point = p.id WHERE p.status = 'failed' ORDER BY v.position") ==
        std::vector<std::string>{"e|9e12f|" + reason, "e|500ms|" + reason});
  CHECK(sql_number(s.store(), "SELECT count(*) FROM failure") >= 1);
}

TEST_CASE("Simulation time and use per experiment are read by SQL; common batches count for both", "[sweep_command]") {
  const Sweeper s;
  s.file("other.yaml", content_of(s.path() + "/e.yaml"));
  REQUIRE(s.sweep("e.yaml").status == 0);
  REQUIRE(s.sweep("other.yaml", {"--set", "owner.TH=0.1"}).status == 0);
  const auto rows = sql(
      s.store(),
      "SELECT name, count(*), sum(replications), sum(seconds) > 0 FROM (SELECT DISTINCT e.name, b.id, b.replications, "
      "b.seconds"
      " FROM experiment e JOIN point p ON p.experiment = e.id JOIN batch b ON b.scenario IN (p.scenario, p.baseline)"
      ") GROUP BY name ORDER BY name");
  CHECK(rows == std::vector<std::string>{"e|8|480|1", "other|4|240|1"});
}

TEST_CASE("show says that results of another version of the model are there and not reused", "[sweep_command]") {
  const Sweeper s;
  REQUIRE(s.sweep("e.yaml").status == 0);
  const auto shown = [&] { return run_program({"show", "store"}, s.path()).out; };
  CHECK_THAT(shown(), !Contains("another version of the model"));
  sql_exec(s.store(), "UPDATE scenario SET model_version = 0, checksum = NULL");
  CHECK_THAT(shown(), Contains("4 scenarios were simulated by another version of the model and are not reused\n"));
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
