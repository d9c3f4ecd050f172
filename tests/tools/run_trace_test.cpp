// `nowsim run` with --trace and --gantt: the files it makes, and what it does with those that are there.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

const char* const kExperiment =
    "nowsim: 1\n"
    "title: a test\n"
    "platform: {workstations: 4, speed: 1f, network: switch, bandwidth: 1kBps, latency: 1ms}\n"
    "job: {workload: augmented-task, work: 400f, phases: 3}\n"
    "owner: {model: intervals, TH: 0.28}\n"
    "run: {replications: 5}\n"
    "metrics: [tau]\n";

using Row = std::vector<std::string>;

std::vector<Row> rows(const std::string& csv) {
  std::vector<Row> out;
  std::istringstream in(csv);
  for (std::string line; std::getline(in, line);) {
    out.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) out.back().push_back(field);
  }
  return out;
}

std::size_t count(const std::vector<Row>& all, const std::string& what) {
  return static_cast<std::size_t>(std::ranges::count_if(all, [&](const Row& row) { return row.at(2) == what; }));
}

struct Experiment : Folder {
  Experiment() { file("e.yaml", kExperiment); }
  [[nodiscard]] ProgramRun run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"run", "e.yaml"});
    return run_program(words, path());
  }
  [[nodiscard]] std::string content(const std::string& name) const { return content_of(path() + "/" + name); }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path()))
      out.push_back(entry.path().filename().string());
    std::ranges::sort(out);
    return out;
  }
};

}  // namespace

TEST_CASE("A run can leave a trace and a Gantt chart of a replication, and prints what it would without",
          "[computes][cli][trace]") {
  const Experiment e;
  const ProgramRun plain = e.run({});
  const ProgramRun run = e.run({"--trace", "t.csv", "--gantt", "g.svg"});
  CHECK(run.status == 0);
  CHECK(run.out == plain.out);
  CHECK(without_progress(run.error) == "trace: t.csv\nGantt chart: g.svg\n");
  const auto trace = rows(e.content("t.csv"));
  CHECK(count(trace, "compute") == 12);
  CHECK(count(trace, "barrier") == 12);
  CHECK(count(trace, "idle") == 4);
  CHECK(count(trace, "availability") > 40);
  const std::string svg = e.content("g.svg");
  for (const char* text :
       {">a test<", ">ws4<", ">computes<", ">waits at a barrier<", "replication 0, seed 1, engine direct"})
    CHECK_THAT(svg, Contains(text));
  CHECK(e.run({"--gantt", "g.png", "--quiet"}).error.empty());
  CHECK(e.content("g.png").substr(1, 3) == "PNG");
  CHECK(e.run({"--gantt", "g.pdf", "--quiet"}).error.empty());
  CHECK(e.content("g.pdf").substr(1, 3) == "PDF");
  CHECK(e.names() == std::vector<std::string>{"e.yaml", "g.pdf", "g.png", "g.svg", "t.csv"});
}

TEST_CASE("The traces of both engines have the same rows", "[cli][trace]") {
  const Experiment e;
  const std::vector<std::vector<std::string>> variants{
      {},
      {"--trace-replication", "4"},
      {"--set", "job={workload: ping-pong, rounds: 3, bytes: 700}", "--set",
       "owner={model: duty-cycle, period: 7s, u: 30%}"},
      {"--set", "job={workload: augmented-task, work: 400f, phases: 3, barrier_cost: 100ms}", "--set",
       "owner={model: jobs, u: 40%, demand: 3s}"},
      {"--set", "job={workload: augmented-task, work: 400f, phases: 3, bytes: 2kB}", "--set",
       "bandwidth={model: duty-cycle, period: 7s, u: 30%}"}};
  for (const auto& variant : variants) {
    for (const std::string engine : {"direct", "simgrid"}) {
      auto words = variant;
      words.insert(words.end(), {"--engine", engine, "--trace", engine + ".csv", "-q"});
      CHECK(e.run(words).status == 0);
    }
    const auto a = rows(e.content("direct.csv")), b = rows(e.content("simgrid.csv"));
    CHECK((count(a, "bandwidth") > 0) == (count(a, "transfer") > 0));
    REQUIRE(a.size() == b.size());
    REQUIRE(a.front() == b.front());
    double end_s = 0;
    for (std::size_t k = 1; k < a.size(); ++k) end_s = std::max(end_s, std::stod(a[k][4]));
    for (std::size_t k = 1; k < a.size(); ++k)
      for (std::size_t c = 0; c < a[k].size(); ++c) {
        INFO("row " << k << ", column " << a[0][c]);
        if (c == 3 || c == 4)
          CHECK(std::abs(std::stod(a[k][c]) - std::stod(b[k][c])) <= 1e-9 * end_s);
        else if (a[0][c] == "engine")
          CHECK((a[k][c] == "direct" && b[k][c] == "simgrid"));
        else
          CHECK(a[k][c] == b[k][c]);
      }
  }
}

TEST_CASE("An older trace or chart is kept, unless it is the same", "[cli][trace]") {
  const Experiment e;
  CHECK(e.run({"--trace", "t.csv", "-q"}).error.empty());
  const std::string trace = e.content("t.csv");
  CHECK(e.run({"--trace", "t.csv", "-q"}).error.empty());
  const ProgramRun other = e.run({"--trace", "t.csv", "-q", "--trace-replication", "1"});
  CHECK(other.status == 0);
  CHECK_THAT(other.error, Contains("note: there was another t.csv; it is now t.csv.~1~"));
  CHECK(e.content("t.csv.~1~") == trace);
  CHECK(e.content("t.csv") != trace);
  e.file("g.svg", "mine\n");
  CHECK_THAT(e.run({"--gantt", "g.svg", "-q"}).error, Contains("it is now g.svg.~1~"));
  CHECK(e.content("g.svg.~1~") == "mine\n");
  CHECK(e.names() == std::vector<std::string>{"e.yaml", "g.svg", "g.svg.~1~", "t.csv", "t.csv.~1~"});
}

TEST_CASE("A trace does not take the place of what the experiment reads", "[cli][trace][error]") {
  const Experiment e;
  const std::string load = "time,load\n0,10\n60,30\n";
  e.file("load.csv", load);
  const std::vector<std::string> words{"--set", "owner={model: trace, file: load.csv, column: load}", "--trace"};
  const auto with = [&](const std::string& file) {
    auto all = words;
    all.push_back(file);
    return e.run(all);
  };
  const ProgramRun refused = with("load.csv");
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK_THAT(refused.error, Contains("--trace 'load.csv': there is a file of this name which is no trace"));
  CHECK(with("t.csv").status == 0);
  CHECK(e.content("load.csv") == load);
  CHECK(e.names() == std::vector<std::string>{"e.yaml", "load.csv", "t.csv"});
}

TEST_CASE("A trace says of which antithetic replication it is", "[cli][trace][variance_reduction]") {
  const Experiment e;
  const std::vector<std::string> words{"--set", "run.replications=6", "--trace-replication", "1", "-q"};
  const auto trace_with = [&](const std::string& how) {
    auto all = words;
    all.insert(all.end(), {"--variance-reduction", how, "--trace", how + ".csv"});
    CHECK(e.run(all).status == 0);
    return rows(e.content(how + ".csv"));
  };
  const auto plain = trace_with("none"), mirrored = trace_with("antithetic");
  CHECK(plain.front().back() == "variance_reduction");
  for (std::size_t k = 1; k < plain.size(); ++k) CHECK(plain[k].back() == "none");
  for (std::size_t k = 1; k < mirrored.size(); ++k) CHECK(mirrored[k].back() == "antithetic");
}

TEST_CASE("A replication that the estimates do not contain has a warning", "[cli][trace]") {
  const Experiment e;
  const auto run = [&](const std::string& replication) {
    return e.run(
        {"--replications", "500", "--precision", "50%", "--trace", "t.csv", "--trace-replication", replication, "-q"});
  };
  CHECK(run("99").error.empty());
  const ProgramRun beyond = run("100");
  CHECK(beyond.status == 0);
  CHECK_THAT(beyond.error, Contains("replication 100 is not among those behind the estimates") &&
                               Contains("their precision was reached after 100"));
  CHECK(rows(e.content("t.csv")).at(1).at(12) == "100");
}

TEST_CASE("A trace's name may be as long as names can be", "[cli][trace]") {
  const Experiment e;
  const std::string longest = std::string(251, 'a') + ".csv", too_long = "a" + longest;
  CHECK(e.run({"--trace", longest, "-q"}).status == 0);
  const ProgramRun refused = e.run({"--trace", too_long, "-q"});
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK_THAT(refused.error, Contains("File name too long"));
  CHECK(e.names() == std::vector<std::string>{longest, "e.yaml"});
}

TEST_CASE("Without gnuplot a chart is refused before anything runs", "[cli][trace][error]") {
  const Experiment e;
  const ProgramRun run =
      run_program({"run", "e.yaml", "--trace", "t.csv", "--gantt", "g.svg", "-q"}, e.path(), {.path = "/nowhere"});
  CHECK(run.status == 1);
  CHECK(run.out.empty());
  CHECK_THAT(run.error, Contains("there is no gnuplot"));
  CHECK(e.names() == std::vector<std::string>{"e.yaml"});
  CHECK(run_program({"run", "e.yaml", "--trace", "t.csv", "-q"}, e.path(), {.path = "/nowhere"}).status == 0);
}

TEST_CASE("A chart that cannot be drawn costs neither estimates nor trace", "[cli][trace][error]") {
  const Experiment e;
  const Folder programs;
  std::filesystem::permissions(programs.file("gnuplot", "#!/bin/sh\necho unwell\nexit 3\n"),
                               std::filesystem::perms::owner_all);
  const ProgramRun run =
      run_program({"run", "e.yaml", "--trace", "t.csv", "--gantt", "g.svg", "-q"}, e.path(), {.path = programs.path()});
  CHECK(run.status == 1);
  CHECK_THAT(run.out, Contains("tau"));
  CHECK_THAT(run.error, Contains("gnuplot failed with status 3: unwell"));
  CHECK(e.names() == std::vector<std::string>{"e.yaml", "t.csv"});
}

TEST_CASE("A chart of many workstations says how many it shows", "[cli][trace]") {
  const Experiment e;
  const ProgramRun many = e.run({"--set", "platform.workstations=40", "--gantt", "g.svg", "-q"});
  CHECK(many.status == 0);
  CHECK_THAT(many.error, Contains("g.svg shows the first 32 of 40 workstations"));
  CHECK_THAT(e.content("g.svg"), Contains("not drawn: workstations 33 to 40"));
  CHECK(e.names() == std::vector<std::string>{"e.yaml", "g.svg"});
}
