// The commands as a user runs them: output, formats, flags, exit statuses.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;

namespace {

const char* const kExperiment =
    "nowsim: 1\n"
    "title: a test\n"
    "platform: {workstations: 4, speed: 1f, network: switch, bandwidth: 1kBps, latency: 1ms}\n"
    "job: {workload: base-task, work: = 100 * platform.workstations}\n"
    "owner: {model: intervals, TH: 0.28}\n"
    "run: {replications: 250, deadline: 220s}\n"
    "metrics: [tau, sigma_T, RF, speedup, T_i]\n";

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) out.push_back(field);
  return out;
}

/// The value of a column in a row of CSV.
std::string cell(const std::string& csv, std::size_t row, const std::string& column) {
  const auto all = lines(csv);
  const auto head = fields(all.at(0));
  const auto at = std::find(head.begin(), head.end(), column);
  REQUIRE(at != head.end());
  return fields(all.at(row)).at(static_cast<std::size_t>(at - head.begin()));
}

/// Columns a terminal needs for a line.
std::size_t shown_width(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

struct Experiment : Folder {
  Experiment() { file("e.yaml", kExperiment); }
  [[nodiscard]] ProgramRun run(std::vector<std::string> words) const { return run_program(words, path()); }
};

}  // namespace

TEST_CASE("The same bytes come out for any number of jobs, with and without a stopping rule", "[computes][cli]") {
  const Experiment e;
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{}, std::vector<std::string>{"--precision", "0.8%", "--replications", "1000"}}) {
    std::string first;
    for (const char* jobs : {"1", "2", "5"}) {
      std::vector<std::string> words{"run", "e.yaml", "--format", "csv", "--jobs", jobs, "--set",
                                     "sweep.owner.TH=[0.1, 0.3, 0.5]"};
      words.insert(words.end(), flags.begin(), flags.end());
      const ProgramRun r = e.run(words);
      CHECK(r.status == 0);
      CHECK(without_progress(r.error).empty());
      if (first.empty()) first = r.out;
      CHECK(r.out == first);
    }
  }
}

TEST_CASE("A precision stops a point once its interval is narrow enough, at whole batches", "[cli]") {
  const Experiment e;
  const auto run = [&](const char* precision) {
    return e.run({"run", "e.yaml", "--format", "csv", "--precision", precision, "--replications", "2000"}).out;
  };
  const std::string loose = run("2%"), tight = run("0.4%");
  CHECK(cell(loose, 1, "replications") == "100");
  const int n = std::stoi(cell(tight, 1, "replications"));
  CHECK(n % 100 == 0);
  CHECK(n > 100);
  CHECK(n < 2000);
  CHECK(std::stod(cell(tight, 1, "tau_hw")) <= 0.004 * std::stod(cell(tight, 1, "tau")));
}

TEST_CASE("CSV carries axes, estimates, half-widths, replications, seed, engine and version", "[cli]") {
  const Experiment e;
  const ProgramRun r = e.run({"run", "e.yaml", "-f", "csv", "--seed", "7", "--set", "sweep.platform.workstations=[1, 2]"});
  REQUIRE(r.status == 0);
  CHECK(lines(r.out).size() == 3);
  CHECK(lines(r.out)[0] ==
        "platform.workstations,tau,tau_hw,tau_low,tau_high,sigma_T,sigma_T_hw,sigma_T_low,sigma_T_high,RF,RF_hw,RF_low,"
        "RF_high,speedup,speedup_hw,speedup_low,speedup_high,T_i_1,T_i_1_hw,T_i_1_low,T_i_1_high,T_i_2,T_i_2_hw,T_i_2_low,"
        "T_i_2_high,"
        "replications,seed,engine,version,status,reason");
  CHECK(cell(r.out, 2, "platform.workstations") == "2");
  CHECK(cell(r.out, 1, "T_i_2").empty());
  CHECK(cell(r.out, 1, "speedup") == "1");
  CHECK(cell(r.out, 2, "replications") == "250");
  CHECK(cell(r.out, 2, "seed") == "7");
  CHECK(cell(r.out, 2, "engine") == "direct");
  CHECK_FALSE(cell(r.out, 2, "version").empty());
  CHECK(cell(r.out, 2, "status") == "ok");
  CHECK(cell(r.out, 1, "tau") == cell(r.out, 1, "T_i_1"));
}

TEST_CASE("JSON holds the same numbers as CSV", "[cli]") {
  const Experiment e;
  const ProgramRun csv = e.run({"run", "e.yaml", "-f", "csv"}), json = e.run({"run", "e.yaml", "-f", "json"});
  CHECK_THAT(json.out, Catch::Contains("\"tau\": {\"value\": " + cell(csv.out, 1, "tau")));
  CHECK_THAT(json.out, Catch::Contains("\"half_width\": " + cell(csv.out, 1, "tau_hw")));
  CHECK_THAT(json.out, Catch::Contains("\"ws3\": {\"value\": " + cell(csv.out, 1, "T_i_3")));
  for (const char* field : {"\"replications\": 250,", "\"seed\": 1,", "\"confidence\": 0.95,", "\"engine\": \"direct\","})
    CHECK_THAT(json.out, Catch::Contains(field));
  CHECK(std::count(json.out.begin(), json.out.end(), '{') == std::count(json.out.begin(), json.out.end(), '}'));
}

TEST_CASE("The table is aligned, at most 100 columns wide, and says how it was made", "[cli]") {
  const Experiment e;
  const ProgramRun r = e.run({"run", "e.yaml", "--set", "metrics=[tau, sigma_T, sigma_T/tau, RF, speedup, TH, SH, P_deg, T_i]",
                              "--set", "sweep.owner.TH=[0.1, 0.5]", "--set", "sweep.platform.workstations=[1, 4]"});
  REQUIRE(r.status == 0);
  for (const auto& line : lines(r.out)) CHECK(shown_width(line) <= 100);
  CHECK_THAT(r.out, Catch::Contains("± 95 % confidence, seed 1, engine direct, nowsim"));
  const auto all = lines(r.out);
  REQUIRE(all.size() > 6);
  CHECK(all[0] == "a test");
  CHECK(shown_width(all[3]) == shown_width(all[4]));  // the rule under the head, and the first row
  CHECK(shown_width(all[4]) == shown_width(all[5]));
}

TEST_CASE("Flags override any key, fix swept ones, and add axes", "[cli]") {
  const Experiment e;
  const auto tau = [&](std::vector<std::string> sets) {
    std::vector<std::string> words{"run", "e.yaml", "-f", "csv", "-r", "20"};
    for (auto& s : sets) {
      words.emplace_back("--set");
      words.push_back(std::move(s));
    }
    const ProgramRun r = e.run(words);
    INFO(r.error);
    REQUIRE(r.status == 0);
    return r.out;
  };
  CHECK(std::stod(cell(tau({"owner.model=dedicated"}), 1, "tau")) == Approx(100));
  CHECK(std::stod(cell(tau({"owner.TH=0", "owner.hosts.ws2.mean=0.25"}), 1, "tau")) == Approx(400));
  CHECK(lines(tau({"sweep.owner.TH=[0.1, 0.2, 0.3]"})).size() == 4);
  CHECK(lines(tau({"sweep.owner.TH=[0.1, 0.2, 0.3]", "owner.TH=0.2"})).size() == 2);
  CHECK(std::stod(cell(tau({"owner.TH=0", "platform.speed=2f"}), 1, "tau")) == Approx(100));
  CHECK(std::stod(cell(tau({"owner.TH=0", "job.work=4f", "platform.workstations=1"}), 1, "tau")) == Approx(8));
  CHECK(std::stod(cell(tau({"owner.TH=0", "let.y=3", "job.work== 8 * let.y"}), 1, "tau")) == Approx(12));
}

TEST_CASE("Every kind of key can be swept, the last axis runs fastest, zips go together", "[cli]") {
  const Experiment e;
  const ProgramRun r = e.run({"run", "e.yaml", "-f", "csv", "-r", "2", "--set",
                              "sweep={split.policy: [equal, proportional], zip: {owner.TH: [0, 0.1], run.seed: [3, 4]}, "
                              "owner.model: [intervals]}"});
  REQUIRE(r.status == 0);
  const auto all = lines(r.out);
  REQUIRE(all.size() == 5);
  CHECK(all[1].rfind("equal,0,3,intervals,", 0) == 0);
  CHECK(all[2].rfind("equal,0.1,4,intervals,", 0) == 0);
  CHECK(all[3].rfind("proportional,0,3,intervals,", 0) == 0);
  CHECK(cell(r.out, 2, "seed") == "4");
}

TEST_CASE("Ranges have both ends, by count or step, with units, linear or log", "[cli]") {
  const Experiment e;
  const auto first_column = [&](const std::string& range) {
    std::string column;
    for (const auto& line : lines(e.run({"run", "e.yaml", "-f", "csv", "-r", "2", "--set", "sweep.owner.interval=" + range}).out))
      column += fields(line)[0] + " ";
    return column;
  };
  CHECK(first_column("{from: 10s, to: 20s, count: 3}") == "owner.interval 10s 15s 20s ");
  CHECK(first_column("{from: 0.1, to: 0.4, step: 0.1}") == "owner.interval 0.1 0.2 0.3 0.4 ");
  CHECK(first_column("{from: 1, to: 100, count: 3, scale: log}") == "owner.interval 1 10 100 ");
}

TEST_CASE("Infeasible points are left blank and listed when skipping is asked for", "[cli]") {
  const Experiment e;
  const std::vector<std::string> words{"run", "e.yaml", "-r", "2", "--set", "run.infeasible=skip", "--set", "sweep.owner.TH=[0.2, 0.7]"};
  auto csv_words = words;
  csv_words.insert(csv_words.end(), {"-f", "csv"});
  const ProgramRun csv = e.run(csv_words), table = e.run(words);
  CHECK(csv.status == 0);
  CHECK(cell(csv.out, 1, "status") == "ok");
  CHECK(cell(csv.out, 2, "status") == "infeasible");
  CHECK(cell(csv.out, 2, "tau").empty());
  CHECK_THAT(table.out, Catch::Contains("infeasible: owner.TH=0.7") && Catch::Contains("0.577"));
}

TEST_CASE("A point that fails costs only itself, and the exit status is 1", "[cli]") {
  const Experiment e;
  const ProgramRun r = e.run({"run", "e.yaml", "-f", "csv", "-r", "3", "--set", "platform.failures.repair=1ms", "--set",
                              "metrics=[tau]", "--set", "sweep.platform.failures.rate=[0, 1000, 1e-9]"});
  INFO(r.error);
  CHECK(r.status == 1);
  CHECK(cell(r.out, 1, "status") == "ok");
  CHECK(cell(r.out, 2, "status") == "failed");
  CHECK_THAT(cell(r.out, 2, "reason"), Catch::Contains("switched off"));
  CHECK(cell(r.out, 3, "status") == "ok");
}

TEST_CASE("list prints the registries, one line each", "[cli]") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> topics{
      {"workloads", {"base-task", "augmented-task", "ping-pong", "all-to-all", "ep", "edge-detection", "merge-sort",
                     "matrix-multiply", "cholesky", "gauss", "genetic-algorithm"}},
      {"owners", {"dedicated", "intervals", "duty-cycle", "jobs", "profile", "trace"}},
      {"policies", {"equal", "linear-slope", "proportional", "formula"}},
      {"metrics", {"tau", "sigma_T", "sigma_T/tau", "RF", "speedup", "TH", "SH", "T_i"}},
      {"checks", {"flat", "power_law", "ratio_between", "values_between"}},
      {"experiments", {"huang-lee-2007/fig03", "huang-lee-2007/fig05", "labs/six-servers",
                       "self-scheduling/which-technique"}},
  };
  for (const auto& [topic, names] : topics) {
    const ProgramRun r = run_program({"list", topic});
    CHECK(r.status == 0);
    for (const auto& name : names) {
      const auto all = lines(r.out);
      CHECK(std::any_of(all.begin(), all.end(), [&](const std::string& l) { return l.rfind(name + " ", 0) == 0; }));
    }
  }
}

TEST_CASE("platform show says what a platform holds", "[cli]") {
  const ProgramRun r = run_program({"platform", "show", source_folder() + "/platforms/lab-now.xml"});
  CHECK(r.status == 0);
  // Ten machines of 2, 2, 1.5, 1.5, 1, 1 and four of 3 Gflop/s: mean 2.1; H = 1 - 0.7, d_conf = 0.9/2.1.
  for (const char* part : {"10 workstations", "desk3", "1.5 Gflop/s", "H       0.3 ", "d_conf  0.4286", "duty-cycle", "owners",
                           "12.5 MB/s", "8.59 GB"})
    CHECK_THAT(r.out, Catch::Contains(part));
  for (const auto& line : lines(r.out)) CHECK(shown_width(line) <= 100);
}

TEST_CASE("help and version answer", "[cli]") {
  CHECK_THAT(run_program({"help"}).out, Catch::Contains("run") && Catch::Contains("platform"));
  CHECK(run_program({"help", "help"}).out == run_program({"help"}).out);
  CHECK_THAT(run_program({"help", "run"}).out, Catch::Contains("--precision"));
  CHECK_THAT(run_program({"run", "--help"}).out, Catch::Contains("--jobs"));
  CHECK_THAT(run_program({"--version"}).out, Catch::StartsWith("nowsim "));
  for (const auto& words : {std::vector<std::string>{"help"}, std::vector<std::string>{"help", "list"}, std::vector<std::string>{"--version"}})
    CHECK(run_program(words).status == 0);
}

TEST_CASE("No words are answered with the commands, and empty ones are refused", "[cli][error]") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> table{
      {{}, "commands"}, {{"help", ""}, "there is no command, page or name"}, {{"help", "--man", ""}, "--man: the folder"}};
  for (const auto& [words, part] : table) {
    const ProgramRun r = run_program(words);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK_THAT(r.error, Catch::Contains(part));
  }
}

TEST_CASE("Whoever asks for JSON gets what is wrong as JSON", "[cli][error]") {
  const Experiment e;
  e.file("bad.yaml", "nowsim: 1\nplatform: {workstations: 4, speed: 1f}\njob: {workload: base-task, work: 9f, wrok: 1}\n");
  const std::vector<std::string> wrong{"run", "bad.yaml", "--set", "run.sed=3"};
  for (const std::vector<std::string>& format : {std::vector<std::string>{"--format=json"}, {"-f", "json"}, {"-fjson"}}) {
    std::vector<std::string> words = wrong;
    words.insert(words.end(), format.begin(), format.end());
    const ProgramRun r = e.run(words);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    const auto problems = nlohmann::json::parse(r.error)["problems"];
    REQUIRE(problems.size() == 2);
    const bool is_first = problems[0]["file"] == "bad.yaml";
    const auto &of_file = problems[is_first ? 0 : 1], &of_flag = problems[is_first ? 1 : 0];
    CHECK(of_file["line"] == 3);
    CHECK(of_file["key"] == "job.wrok");
    CHECK(of_flag["file"] == "--set");
    CHECK(of_flag["line"].is_null());
    CHECK_THAT(of_flag["sentence"].get<std::string>(), Catch::StartsWith("this key is not known"));
  }
  const ProgramRun people = e.run(wrong);
  CHECK(people.status == 2);
  CHECK_THAT(people.error, Catch::Contains("error: bad.yaml:3: job.wrok: ") && Catch::Contains("error: --set: run.sed: "));
}

TEST_CASE("Bad usage is told as JSON likewise, of parts of commands too", "[cli][error]") {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "-f", "json"},
                                               {"trace", "fit", "--format", "json"},
                                               {"trace", "fit", "none.csv", "--format", "json"}}) {
    const ProgramRun r = run_program(words);
    CHECK(r.status == 2);
    const auto problems = nlohmann::json::parse(r.error)["problems"];
    REQUIRE(problems.size() == 1);
    CHECK_FALSE(problems[0]["sentence"].get<std::string>().empty());
  }
  CHECK_THAT(run_program({"check", "none", "-f", "json"}).error, Catch::StartsWith("error: "));  // which has no such flag
}
