// nowsim show: a store's experiments, points, failures and numbers, as they were when they were made.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <regex>

#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

const char* const kExperiment =
    "nowsim: 1\n"
    "title: a test\n"
    "platform: {workstations: 3, speed: 1f}\n"
    "job: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "run: {replications: 120, infeasible: skip}\n"
    "metrics: [tau, speedup, T_i]\n"
    "sweep: {owner.TH: [0.1, 0.20, 0.9], owner.interval: [10s, 1min]}\n";

std::size_t line_count(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

/// A store with one experiment, `e`.
struct Shown : Folder {
  Shown() {
    file("e.yaml", kExperiment);
    REQUIRE(sweep("e.yaml").status == 0);
  }
  [[nodiscard]] ProgramRun sweep(const std::string& name, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"sweep", name, "--out", "store", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, path());
  }
  [[nodiscard]] ProgramRun show(std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"show", "store"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, path());
  }
  [[nodiscard]] std::string store() const { return path() + "/store"; }
};

}  // namespace

TEST_CASE("show gives a sweep's CSV byte for byte, its table and its JSON", "[computes][show_command]") {
  const Shown s;
  CHECK(s.show({"--format", "csv"}).out == content_of(s.store() + "/e.csv"));
  CHECK(s.show({"-f", "json"}).out == run_program({"run", "e.yaml", "-f", "json"}, s.path()).out);
  CHECK(s.show({"-e", "e"}).out == run_program({"run", "e.yaml"}, s.path()).out);
  const ProgramRun all = s.show();
  CHECK(all.status == 0);
  CHECK(all.error.empty());
  CHECK_THAT(all.out, Catch::StartsWith("store: 960 replications in 16 batches of 8 scenarios, simulated in ") &&
                          Contains("experiment  points  complete  pending  infeasible  failed  title\n") &&
                          Contains("e                6         4        0           2       0  a test\n") && Catch::EndsWith(s.show({"-e", "e"}).out));
}

TEST_CASE("show's JSON is valid and holds every point", "[show_command]") {
  const Shown s;
  const YAML::Node json = YAML::Load(s.show({"-f", "json"}).out);  // JSON is YAML
  REQUIRE(json["points"].IsSequence());
  REQUIRE(json["points"].size() == 6);
  CHECK(json["points"][0]["status"].as<std::string>() == "ok");
  CHECK(json["points"][4]["status"].as<std::string>() == "infeasible");
  CHECK(json["title"].as<std::string>() == "a test");
}

TEST_CASE("show --point chooses points by numbers, not by how they are written", "[show_command]") {
  const Shown s;
  const auto rows = [&](const std::vector<std::string>& points) {
    std::vector<std::string> words{"-f", "csv"};
    for (const auto& point : points) words.insert(words.end(), {"--point", point});
    const ProgramRun r = s.show(words);
    INFO(r.error);
    CHECK(r.status == 0);
    return r.out.substr(r.out.find('\n') + 1);
  };
  const std::string tenth = rows({"owner.TH=0.1"});
  CHECK(line_count(tenth) == 2);
  for (const char* same : {"owner.TH=0.10", "owner.TH=1e-1", "owner.TH = 0.1", "owner.TH=10%"}) CHECK(rows({same}) == tenth);
  CHECK(line_count(rows({"owner.TH=0.2"})) == 2);  // written as 0.20
  const std::string one = rows({"owner.TH=0.1", "owner.interval=1min"});
  CHECK(line_count(one) == 1);
  for (const char* same : {"owner.interval=60", "owner.interval=60s", "owner.interval=60000ms"}) CHECK(rows({"owner.TH=0.1", same}) == one);
  CHECK_THAT(one, Catch::StartsWith("0.1,1min,"));
}

TEST_CASE("show of one of several experiments is that one's; common batches count for both", "[show_command]") {
  const Shown s;
  s.file("other.yaml", std::string(kExperiment));
  REQUIRE(s.sweep("other.yaml", {"--set", "owner.TH=0.1"}).status == 0);
  CHECK(s.show({"-e", "other", "-f", "csv"}).out == content_of(s.store() + "/other.csv"));
  CHECK(s.show({"-e", "e", "-f", "csv"}).out == content_of(s.store() + "/e.csv"));
  CHECK_THAT(s.show().out, Catch::StartsWith("store: 960 replications in 16 batches of 8 scenarios"));
  // Simulation time and use per experiment, by SQL.
  const auto rows = sql(s.store(),
                        "SELECT name, count(*), sum(replications), sum(seconds) > 0 FROM (SELECT DISTINCT e.name, b.id, b.replications, b.seconds"
                        " FROM experiment e JOIN point p ON p.experiment = e.id JOIN batch b ON b.scenario IN (p.scenario, p.baseline)"
                        ") GROUP BY name ORDER BY name");
  CHECK(rows == std::vector<std::string>{"e|16|960|1", "other|8|480|1"});
}

TEST_CASE("show says that results of another version of the model are there and not reused", "[show_command]") {
  const Shown s;
  CHECK_THAT(s.show().out, !Contains("another version of the model"));
  sql_exec(s.store(), "UPDATE scenario SET model_version = 0, checksum = NULL");
  CHECK_THAT(s.show().out, Contains("8 scenarios were simulated by another version of the model and are not reused\n"));
}

TEST_CASE("show --failed is the failed points alone, in every format, and of those that are asked for",
          "[show_command]") {
  const Folder folder;
  folder.file("e.yaml",
              "nowsim: 1\n"
              "platform: {workstations: 1, speed: 1f}\n"
              "job: {workload: base-task, work: 1f}\n"
              "owner: {model: intervals, TH: 0.2}\n"
              "metrics: [tau]\n"
              "run: {replications: 2}\n"
              // Some billion intervals, and not a tenth of a second for them: the first point has all the time it
              // needs.
              "sweep: {zip: {job.work: [1f, 20Gf, 30Gf], run.timeout: [0s, 100ms, 100ms]}}\n");
  CHECK(run_program({"sweep", "e.yaml", "--out", "store", "-q"}, folder.path()).status == 1);
  const auto show = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"show", "store", "--failed"});
    return run_program(more, folder.path()).out;
  };
  CHECK(line_count(show({})) == 2);
  CHECK_THAT(show({}), Contains("e: job.work=20Gf") && Contains("e: job.work=30Gf") && Contains("(run.timeout)"));
  CHECK(line_count(show({"--format", "csv"})) == 3);
  CHECK_THAT(show({"-f", "csv"}), Contains("20Gf,100ms,") && !Contains(",ok,"));
  CHECK(YAML::Load(show({"-f", "json"}))["points"].size() == 2);
  CHECK(line_count(show({"--point", "job.work=30Gf"})) == 1);
  CHECK(show({"--point", "job.work=1f"}) == "e: no point failed\n");
}

TEST_CASE("show prints the data of an experiment's figure, as long as its file sweeps what the store has",
          "[show_command]") {
  const Shown s;
  CHECK_THAT(s.show({"--figure"}).error, Contains("e.yaml describes no figure"));
  const std::string described = std::string(kExperiment) +
                                "figure: {x: owner.interval, series: owner.TH, panels: [{metric: speedup}]}\n";
  s.file("e.yaml", described);
  const ProgramRun shown = s.show({"--figure", "-e", "e"});
  CHECK(shown.status == 0);
  CHECK_THAT(shown.out, Contains("\"title\": \"a test\"") && Contains("\"shows\": \"speedup\"") &&
                            Contains("\"label\": \"TH = 0.20\"") && Contains("\"low\": "));
  s.file("e.yaml", std::regex_replace(described, std::regex("(owner.TH: .*), (owner.interval: .*)}"), "$2, $1}"));
  const ProgramRun changed = s.show({"--figure"});
  CHECK(changed.status == 2);
  CHECK_THAT(changed.error, Contains("were swept otherwise than e.yaml says now"));
}

TEST_CASE("A quantile T_q is measured, claimed, drawn and solved for, and read back from a store", "[show_command]") {
  const Shown s;
  s.file("q.yaml",
         "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 90f}\n"
         "owner: {model: intervals, TH: 0.4}\nsweep: {platform.workstations: [2, 4]}\nmetrics: [tau, T_87.5]\n"
         "run: {replications: 400, precision: 0.1%, precision_of: T_87.5}\n"
         "figure: {x: platform.workstations, panels: [{metric: T_87.5}]}\n"
         "claims:\n- {id: c, says: s, source: p, check: decreasing, metric: T_87.5, along: platform.workstations}\n");
  const ProgramRun swept = s.sweep("q.yaml");
  INFO(swept.error);
  REQUIRE(swept.status == 0);
  const std::string csv = content_of(s.store() + "/q.csv");
  CHECK_THAT(csv, Contains(",T_87.5,T_87.5_hw,T_87.5_low,T_87.5_high,") && Contains(",400,1,direct,"));
  CHECK(s.show({"-e", "q", "-f", "csv"}).out == csv);
  const ProgramRun judged = run_program({"reproduce", "q.yaml", "--out", "judged"}, s.path());
  INFO(judged.error);
  CHECK_THAT(content_of(s.path() + "/judged/q-claims.csv"), Contains(",reproduced,"));
  CHECK_THAT(s.show({"-e", "q", "--figure"}).out, Contains("T<sub>87.5</sub>"));
  const ProgramRun solved = run_program({"run", "q.yaml", "--set", "platform.workstations=2", "--set", "run.precision=0",
                                         "--set", "metrics=[T_87.5, solved]", "--set",
                                         "solve={key: job.work, metric: T_87.5, equals: 100s, from: 1f, to: 1kf}"},
                                        s.path());
  INFO(solved.error);
  CHECK(solved.status == 0);
  CHECK_THAT(run_program({"check", "q.yaml", "--set", "metrics=[tau, T_100]"}, s.path()).error,
             Contains("there is no metric 'T_100': in T_q, q is a percentage above 0 and below 100"));
}
