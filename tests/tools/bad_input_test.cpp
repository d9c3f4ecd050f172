// Every kind of bad input through the command line: exit status 2, nothing on the output, one clear sentence each.
#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/sim/scenario_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;

namespace {

/// A small experiment whose lines are known; `change` replaces the line that begins with the same key.
///   1 nowsim  2 title  3 platform  4 job  5 split  6 owner  7 run  8 metrics
std::string experiment(const std::vector<std::string>& changes) {
  std::vector<std::string> lines{
      "nowsim: 1",
      "title: a test",
      "platform: {workstations: 4, speed: 1f}",
      "job: {workload: base-task, work: 400f}",
      "split: {policy: equal}",
      "owner: {model: intervals, TH: 0.28}",
      "run: {replications: 2}",
      "metrics: [tau]",
  };
  for (const auto& change : changes) {
    const std::string key = change.substr(0, change.find(':') + 1);
    const auto at = std::find_if(lines.begin(), lines.end(), [&](const std::string& l) { return l.rfind(key, 0) == 0; });
    if (at != lines.end()) *at = change;
    else lines.push_back(change);
  }
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

struct Bad {
  std::vector<std::string> changes;
  std::vector<std::string> expected;  ///< parts of the message; "e.yaml:N" gives the line
};

}  // namespace

TEST_CASE("Every bad key or value is a sentence with file, line and key, and exit status 2", "[reads][cli][error]") {
  const std::vector<Bad> table{
      // keys
      {{"owner: {model: intervals, TH: 0.28, intervall: 5s}"}, {"e.yaml:6", "owner.intervall", "did you mean 'owner.interval'"}},
      {{"ownr: {TH: 1}"}, {"e.yaml:9", "ownr.TH", "did you mean 'owner"}},
      {{"split: {policy: equal, slope: 3}"}, {"e.yaml:5", "split.slope", "linear-slope"}},
      {{"owner: {model: duty-cycle, u: 10%, TH: 0.2}"}, {"e.yaml:6", "owner.TH", "intervals"}},
      {{"run: {replications: 2, replications: 3}"}, {"e.yaml:7", "twice"}},
      {{"nowsim: 2"}, {"e.yaml:1", "format 1"}},
      // types and units
      {{"platform: {workstations: 4, speed: fast}"}, {"e.yaml:3", "platform.speed", "fast"}},
      {{"platform: {workstations: 4, speed: 25Mb}"}, {"e.yaml:3", "platform.speed", "25Mb"}},
      {{"platform: {workstations: four}"}, {"e.yaml:3", "platform.workstations", "four"}},
      {{"platform: {workstations: 2.5}"}, {"e.yaml:3", "platform.workstations"}},
      {{"run: {replications: 010}"}, {"e.yaml:7", "010"}},
      {{"job: {workload: base-task, work: [1f, 2f]}"}, {"e.yaml:4", "job.work", "sweep"}},
      {{"job: {workload: base-task, work: }"}, {"e.yaml:4", "job.work"}},
      {{"job: {workload: base-task, work: '400f'}"}, {"e.yaml:4", "job.work", "quotes"}},
      {{"job: {workload: base-task}"}, {"e.yaml:4: job.work: ", "missing"}},
      {{"job: {}"}, {"e.yaml: job.workload: this key is missing; it is one of: base-task"}},
      {{"job: {workload: base-task, work: {from: 1f, to: 2f, count: 2}}"}, {"e.yaml:4: job.work: ", "not a map", "under 'sweep:'"}},
      {{"platform: lab.xml"}, {"e.yaml:3: platform: this section is a map", "{workstations: 4}"}},
      {{"job: base-task"}, {"e.yaml:4: job: this section is a map"}},
      {{"split: equal"}, {"e.yaml:5: split: this section is a map", "{policy: equal}"}},
      {{"owner: dedicated"}, {"e.yaml:6: owner: this section is a map", "{model: dedicated}"}},
      {{"run: 100"}, {"e.yaml:7: run: this section is a map"}},
      {{"run: "}, {"e.yaml:7: run: there is no value behind this key"}},
      {{"owner: {model: dedicated, hosts: {ws1: dedicated}}"}, {"e.yaml:6: owner.hosts.ws1: ", "{model: dedicated}"}},
      {{"platform: {names: [a, b, a, c], speed: 1f}"}, {"e.yaml:3: platform.names: ", "'a' is named twice"}},
      {{"platform: {speeds: [1f, 2f], workstations: 3}"}, {"e.yaml:3: platform.speeds: ", "2 speeds for 3"}},
      {{"platform: {workstations: 4, network: bus}"}, {"e.yaml:3: platform.bandwidth: ", "missing"}},
      {{"title: [a, b]"}, {"e.yaml:2: title: ", "not a list"}},
      {{"nowsim: one"}, {"e.yaml:1: nowsim: 'one' is not a count"}},
      {{"owner: {model: intervals, TH: 0.28, interval: 10 apples}"}, {"e.yaml:6", "owner.interval", "apples"}},
      {{"owner: {model: intervals, TH: nan}"}, {"e.yaml:6", "owner.TH"}},
      // ranges
      {{"platform: {workstations: 0}"}, {"e.yaml:3", "platform.workstations", "at least 1"}},
      {{"platform: {workstations: 4, speed: 0f}"}, {"e.yaml:3", "platform.speed", "more than 0"}},
      {{"platform: {workstations: 4, speed: -1f}"}, {"e.yaml:3", "platform.speed"}},
      {{"job: {workload: base-task, work: -5f}"}, {"e.yaml:4", "job.work"}},
      {{"owner: {model: intervals, TH: 0.6}"}, {"e.yaml:6", "owner.TH", "0.6", "0.577"}},
      {{"owner: {model: intervals, TH: 0.3, SH: 0.29}"}, {"e.yaml:6", "owner.TH", "0.59", "0.577"}},
      {{"owner: {model: intervals, TH: 0.1, SH: 0.2}"}, {"e.yaml:6", "owner.SH", "0.2"}},
      {{"platform: {workstations: 1}", "owner: {model: intervals, TH: 0.2, SH: 0.1}"}, {"e.yaml:6", "owner.SH", "two workstations"}},
      {{"owner: {model: intervals, TH: 0.2, mean: 1.5}"}, {"e.yaml:6", "owner.mean", "at most 1"}},
      {{"owner: {model: intervals, TH: 0.2, interval: 0s}"}, {"e.yaml:6", "owner.interval", "more than 0"}},
      {{"owner: {model: intervals, TH: 0.2, length: pareto, shape: 2}"}, {"e.yaml:6", "owner.shape", "more than 2"}},
      {{"owner: {model: duty-cycle, u: 120%}"}, {"e.yaml:6", "owner.u"}},
      {{"owner: {model: duty-cycle, u: 100%}"}, {"no availability"}},
      {{"run: {replications: 0}"}, {"e.yaml:7", "run.replications"}},
      // numbers that ints or doubles do not hold, and characters that only look like numbers
      {{"platform: {workstations: 4, cores: 4294967297}"}, {"e.yaml:3: platform.cores: 4294967297 is out of range", "at most 2147483647"}},
      {{"platform: {workstations: 1e15}"}, {"e.yaml:3: platform.workstations: a platform of 1000000000000000 workstations"}},
      {{"run: {replications: 1e15}"}, {"e.yaml:7: run.replications: 1000000000000000 is out of range", "at most 1000000000000"}},
      {{"run: {seed: 18446744073709551617}"}, {"e.yaml:7: run.seed: ", "up to 9007199254740992"}},
      {{"job: {workload: base-task, work: 1e308Gf}"}, {"e.yaml:4: job.work: ", "beyond the numbers"}},
      {{"owner: {model: intervals, TH: 0.2, interval: 1e-330s}"}, {"e.yaml:6: owner.interval: ", "beyond the numbers"}},
      {{"owner: {model: intervals, TH: 0.2, SH: \xE2\x88\x92" "5}"}, {"e.yaml:6: owner.SH: ", "U+2212, a typographic minus, where '-' is wanted"}},
      {{"job: {workload: base-task, work: = 4 \xE2\x88\x92 N}"}, {"e.yaml:4: job.work: ", "position 4", "U+2212, a typographic minus"}},
      {{"run: {confidence: 100%}"}, {"e.yaml:7", "run.confidence"}},
      {{"split: {policy: linear-slope, slope: 1000f}"}, {"e.yaml:5", "split.slope"}},
      // names
      {{"job: {workload: base-tusk, work: 4f}"}, {"e.yaml:4", "job.workload", "did you mean 'base-task'"}},
      {{"split: {policy: eqal}"}, {"e.yaml:5", "split.policy", "did you mean 'equal'"}},
      {{"owner: {model: interval, TH: 0.2}"}, {"e.yaml:6", "owner.model", "did you mean 'intervals'"}},
      {{"metrics: [tau, sigmaT]"}, {"e.yaml:8", "sigmaT", "did you mean 'sigma_T'"}},
      {{"metrics: [RF]"}, {"e.yaml:7: run.deadline: ", "RF"}},
      {{"metrics: [tau, sigma_T, tau]"}, {"e.yaml:8: metrics: the metric 'tau' is given twice"}},
      {{"metrics: {tau: 1}"}, {"e.yaml:8: metrics: a list of values is wanted"}},
      {{"owner: {model: intervals, TH: 0.2, value: gauss}"}, {"e.yaml:6", "owner.value", "truncated-normal"}},
      {{"owner: {model: dedicated, hosts: {ws9: {model: dedicated}}}"}, {"e.yaml:6", "ws9"}},
      {{"job: {workload: ping-pong}", "platform: {workstations: 1}"}, {"e.yaml:4", "at least 2"}},
      // formulas
      {{"job: {workload: base-task, work: = 100 * }"}, {"e.yaml:4", "job.work"}},
      {{"job: {workload: base-task, work: = 100 * platform.workstation}"}, {"e.yaml:4", "did you mean 'platform.workstations'"}},
      {{"job: {workload: base-task, work: = 1 / (N - 4)}"}, {"e.yaml:4", "finite"}},
      {{"job: {workload: base-task, work: = let.x}", "let: {x: = let.y, y: = let.x}"}, {"depends on itself"}},
      {{"split: {policy: formula, weight: s +}"}, {"e.yaml:5", "split.weight"}},
      {{"split: {policy: formula, weight: i - 2}"}, {"e.yaml:5", "split.weight", "weight"}},
      {{"split: {policy: formula}"}, {"split.weight", "missing"}},
      // sweeps
      {{"sweep: {owner.TH: []}"}, {"e.yaml:9", "sweep.owner.TH", "empty"}},
      {{"sweep: {owner.TH: 0.3}"}, {"e.yaml:9", "sweep.owner.TH", "list"}},
      {{"sweep: {owner.TH: {from: 0.3, to: 0.1, count: 3}}"}, {"e.yaml:9", "reversed"}},
      {{"sweep: {owner.TH: {from: 0, to: 0.3, step: 0.07}}"}, {"e.yaml:9", "do not meet"}},
      {{"sweep: {owner.TH: {from: 0, to: 0.3, count: 0}}"}, {"e.yaml:9", "count"}},
      {{"sweep: {owner.TH: {from: 0, to: 0.3}}"}, {"e.yaml:9", "count or a step"}},
      {{"sweep: {owner.TH: {from: 0, too: 0.3, count: 2}}"}, {"e.yaml:9", "too"}},
      {{"sweep: {owner.interval: {from: 1s, to: 2min, count: 2}}"}, {"e.yaml:9", "same unit"}},
      {{"sweep: {zip: {owner.TH: [0.1, 0.2], platform.workstations: [1, 2, 3]}}"}, {"e.yaml:9", "equally long"}},
      {{"sweep: {owner: [dedicated]}"}, {"e.yaml:9: sweep.owner: a section cannot be swept"}},
      {{"sweep: {metrics: [tau, sigma_T]}"}, {"e.yaml:9: sweep.metrics: ", "cannot be swept"}},
      {{"sweep: {let.x: [1, 2]}"}, {"e.yaml:9: sweep.let.x: no formula uses this variable"}},
      {{"sweep: [owner.TH]"}, {"e.yaml:9: sweep: ", "key: values"}},
      {{"sweep: "}, {"e.yaml:9: sweep: "}},
      {{"sweep: {owner.TH: {from: 0, to: 0.3, count: 2s}}"}, {"e.yaml:9", "count is a whole number"}},
      {{"sweep: {owner.TH: {from: nan, to: 0.3, count: 2}}"}, {"e.yaml:9", "'nan' is not a number"}},
      {{"sweep: {platform.workstations: [4, 2.5]}"}, {"e.yaml:9: platform.workstations: '2.5' is not a count"}},
      {{"sweep: {owner.model: [intervals, interval]}"}, {"e.yaml:9: owner.model: ", "did you mean 'intervals'"}},
      {{"sweep: {owner.HT: [0.1]}"}, {"e.yaml:9", "owner.HT", "did you mean 'owner.TH'"}},
      {{"sweep: {owner.TH: [0.1, 0.9]}"}, {"e.yaml:9", "0.9", "infeasible: skip"}},
      {{"sweep: {owner.TH: {from: 0, to: 0.5, count: 2000}, owner.interval: {from: 1, to: 2, count: 2000}}"}, {"million"}},
      // files
      {{"platform: {file: nowhere.xml}"}, {"e.yaml:3: platform.file: nowhere.xml: there is no such file"}},
      {{"platform: {file: .}"}, {"e.yaml:3: platform.file: ", "directory"}},
      {{"platform: {file: ''}"}, {"e.yaml:3: platform.file: "}},
      {{"platform: {file: e.yaml}"}, {"e.yaml", "XML"}},
      {{"platform: {file: cut.xml}"}, {"cut.xml:"}},
      {{"platform: {file: slow.xml}"}, {"slow.xml:4", "-1f"}},
      {{"platform: {file: twins.xml}"}, {"e.yaml:3: platform.file: twins.xml:5: ", "'a'"}},
      {{"platform: {file: nobody.xml}"}, {"nobody.xml"}},
      {{"platform: {file: bad-state.xml}"}, {"bad.profile:2"}},
      {{"platform: {file: ok.xml, workstations: 3}"}, {"e.yaml:3: platform.workstations: ", "2 there are"}},
      {{"platform: {file: ok.xml, hosts: [a, c]}"}, {"e.yaml:3: platform.hosts: ", "'c'", "ok.xml"}},
      {{"owner: {model: trace, file: nowhere.csv}"}, {"e.yaml:6: owner.file: nowhere.csv: there is no such file"}},
      {{"owner: {model: trace, folder: nowhere, file: x.csv}"}, {"e.yaml:6: owner.file: nowhere/x.csv: there is no such file"}},
      {{"owner: {model: trace, file: empty.csv}"}, {"empty.csv"}},
      {{"owner: {model: trace, file: words.csv}"}, {"words.csv:3", "much"}},
      {{"owner: {model: profile, file: empty.profile}"}, {"empty.profile"}},
      {{"owner: {model: trace, file: unsorted.csv}"}, {"unsorted.csv:4"}},
      {{"owner: {model: trace, file: repeated.csv}"}, {"repeated.csv:3"}},
      {{"owner: {model: trace, file: over.csv}"}, {"over.csv:3", "130"}},
      {{"owner: {model: trace, file: nan.csv}"}, {"nan.csv:3"}},
      {{"owner: {model: trace, file: good.csv, column: cpu}"}, {"good.csv", "cpu", "value"}},
      {{"owner: {model: trace, file: gap.csv, gaps: fail}"}, {"gap.csv:5"}},
      {{"owner: {model: trace, file: fractions.csv}"}, {"owner.measures", "fractions.csv", "per cent"}},
      {{"owner: {model: profile, file: unsorted.profile}"}, {"unsorted.profile:2"}},
      {{"owner: {model: profile, file: repeated.profile}"}, {"repeated.profile:2"}},
      {{"owner: {model: profile, file: over.profile}"}, {"over.profile:1"}},
      {{"owner: {model: profile, file: nan.profile}"}, {"nan.profile:1"}},
      // YAML
      {{"owner: {model: intervals, TH: 0.28"}, {"e.yaml"}},
      {{"base: &b {TH: 0.2}", "owner: {<<: *b, model: intervals}"}, {"e.yaml:6", "<<"}},
      {{"metrics: [[tau]]"}, {"e.yaml:8", "metrics"}},
  };
  const Folder folder;
  folder.file("good.csv", "t,value\n0,10\n10,20\n20,30\n");
  folder.file("unsorted.csv", "t,value\n0,10\n20,20\n10,30\n");
  folder.file("repeated.csv", "t,value\n0,10\n0,20\n10,30\n");
  folder.file("over.csv", "t,value\n0,10\n10,130\n20,30\n");
  folder.file("nan.csv", "t,value\n0,10\n10,nan\n20,30\n");
  folder.file("gap.csv", "t,value\n0,10\n10,20\n20,30\n90,40\n100,50\n");
  folder.file("empty.csv", "");
  folder.file("words.csv", "t,value\n0,10\n10,much\n20,30\n");
  folder.file("empty.profile", "");
  const std::string xml = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                          "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n";
  const std::string end = "</zone></platform>\n";
  folder.file("cut.xml", xml);
  folder.file("slow.xml", xml + "<host id=\"a\" speed=\"-1f\"/>\n" + end);
  folder.file("twins.xml", xml + "<host id=\"a\" speed=\"1f\"/>\n<host id=\"a\" speed=\"1f\"/>\n" + end);
  folder.file("nobody.xml", xml + end);
  folder.file("bad.profile", "5 1\n4 0\n");
  folder.file("bad-state.xml", xml + "<host id=\"a\" speed=\"1f\" state_file=\"bad.profile\"/>\n" + end);
  folder.file("ok.xml", xml + "<host id=\"a\" speed=\"1f\"/>\n<host id=\"b\" speed=\"1f\"/>\n" + end);
  folder.file("fractions.csv", "t,value\n0,0.1\n10,1\n20,0.3\n");
  folder.file("unsorted.profile", "5 0.5\n3 1\n");
  folder.file("repeated.profile", "5 0.5\n5 1\n");
  folder.file("over.profile", "0 1.5\n");
  folder.file("nan.profile", "0 nan\n");
  for (const auto& [changes, expected] : table) {
    const std::string text = experiment(changes);
    INFO(text);
    folder.file("e.yaml", text);
    for (const char* command : {"check", "run"}) {
      const ProgramRun r = run_program({command, "e.yaml"}, folder.path());
      INFO(command << ": " << r.error);
      CHECK(r.status == 2);
      CHECK(r.out.empty());
      CHECK(std::count(r.error.begin(), r.error.end(), '\n') == 1);
      CHECK_THAT(r.error, Catch::StartsWith("error: "));
      for (const auto& part : expected) CHECK_THAT(r.error, Catch::Contains(part));
    }
  }
}

TEST_CASE("check names every problem, not only the first", "[cli][error]") {
  const Folder folder;
  folder.file("e.yaml", experiment({"platform: {workstations: 0, spede: 1}", "job: {workload: base-tusk, work: -1}",
                                    "split: {policy: eqal}", "metrics: [taw]"}));
  const ProgramRun r = run_program({"check", "e.yaml"}, folder.path());
  CHECK(r.status == 2);
  for (const char* part : {"e.yaml:3: platform.workstations", "platform.spede", "base-tusk", "eqal", "taw"})
    CHECK_THAT(r.error, Catch::Contains(part));
  CHECK(std::count(r.error.begin(), r.error.end(), '\n') == 5);
}

TEST_CASE("Files that are no experiments are refused in a sentence", "[cli][error]") {
  const Folder folder;
  const auto fails = [&](const std::string& text, const std::string& part) {
    folder.file("e.yaml", text);
    const ProgramRun r = run_program({"run", "e.yaml"}, folder.path());
    INFO(r.error);
    CHECK(r.status == 2);
    CHECK_THAT(r.error, Catch::Contains("e.yaml") && Catch::Contains(part));
  };
  fails("", "empty");
  fails("- 1\n- 2\n", "map");
  fails("title: x\nnowsim: 1\n", "first key");
  fails("just words\n", "map");
  fails(std::string("\x7f" "ELF\0\0\1", 7), "");
  fails("nowsim: 1\n\tx: 2\n", "e.yaml:2");
  CHECK(run_program({"run", "missing.yaml"}, folder.path()).status == 2);
  CHECK(run_program({"run", "."}, folder.path()).status == 2);
}

TEST_CASE("What is no file is refused by its kind, by every command that reads one", "[cli][error]") {
  const Folder folder;
  folder.file("e.yaml", experiment({}));
  const std::string pipe = folder.path() + "/pipe", data = folder.path() + "/data";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::filesystem::create_directories(data);
  const std::vector<std::pair<std::string, std::string>> kinds{{"/dev/zero", "device"}, {data, "directory"}, {pipe, "named pipe"}};
  for (const auto& [file, kind] : kinds) {
    const std::vector<std::vector<std::string>> commands{
        {"check", file},
        {"run", file},
        {"verify", file},
        {"sweep", file, "--out", "out"},
        {"trace", "fit", file},
        {"trace", "convert", file, "x.csv"},
        {"run", "e.yaml", "--set", "owner={model: trace, file: " + file + "}"},
        {"run", "e.yaml", "--set", "job={workload: farm, costs: {file: " + file + "}}"}};
    for (const auto& words : commands) {
      const ProgramRun r = run_program(words, folder.path());
      INFO(words[0] << " " << file << ": " << r.error);
      CHECK(r.status == 2);
      CHECK(r.out.empty());
      if (words.size() < 4 || words[0] != "run") CHECK_THAT(r.error, Catch::Contains("this is a " + kind));
    }
    CHECK(run_program({"show", file}, folder.path()).status == 2);
    CHECK(run_program({"compare", file, data}, folder.path()).status == 2);
    CHECK(run_program({"reproduce", file}, folder.path()).status == 2);
  }
}

TEST_CASE("Wrong flags and words are refused in a sentence", "[cli][error]") {
  const Folder folder;
  folder.file("e.yaml", experiment({}));
  const std::vector<std::pair<std::vector<std::string>, std::string>> table{
      {{"rum", "e.yaml"}, "did you mean 'run'"},
      {{"run"}, "usage"},
      {{"run", "e.yaml", "f.yaml"}, "f.yaml"},
      {{"run", "e.yaml", "--replicas", "3"}, "--replicas"},
      {{"run", "e.yaml", "--fromat", "csv"}, "did you mean '--format'?"},
      {{"run", "e.yaml", "--form", "csv"}, "--form"},
      {{"run", "e.yaml", "-x"}, "-x"},
      {{"run", "e.yaml", "--jobs", "0"}, "--jobs 0: a number from 1 to 1000 is wanted"},
      {{"run", "e.yaml", "--jobs", "-1"}, "--jobs"},
      {{"run", "e.yaml", "--jobs", "many"}, "--jobs many: a number from 1"},
      {{"run", "e.yaml", "--jobs", "2x"}, "--jobs 2x"},
      {{"run", "e.yaml", "--jobs", "99999999999999"}, "--jobs"},
      {{"run", "e.yaml", "--seed", "1.5"}, "--seed 1.5: "},
      {{"check", "e.yaml", "--jobs", "2"}, "--jobs"},
      {{"run", "e.yaml", "--set", "owner..TH=3"}, "'owner..TH' is not a key"},
      {{"run", "e.yaml", "--set", "owner.TH=010"}, "--set: owner.TH: 010 could mean 8 or 10"},
      {{"run", "e.yaml", "--set", "owner.hosts.ws7.TH=0.3"}, "'ws7'"},
      {{"run", "e.yaml", "--set", "platform.file=none.xml"}, "--set: platform.file: none.xml: there is no such file"},
      {{"help", "rum"}, "did you mean 'run'"},
      {{"run", "e.yaml", "--format", "xml"}, "xml"},
      {{"run", "e.yaml", "--replications", "-3"}, "--replications -3: '-3' is not a count"},
      {{"run", "e.yaml", "-r", "0"}, "--replications 0: it must be at least 1"},
      {{"run", "e.yaml", "-p", "0"}, "--precision 0: it must be more than 0"},
      {{"run", "e.yaml", "--replications", "many"}, "--replications many: "},
      {{"run", "e.yaml", "--precision", "-1%"}, "--precision -1%: "},
      {{"run", "e.yaml", "--set", "owner.TH"}, "key=value"},
      {{"run", "e.yaml", "--set", "=3"}, "key=value"},
      {{"run", "e.yaml", "--set", "owner.TH="}, "owner.TH"},
      {{"run", "e.yaml", "--set", "owner.TX=0.3"}, "owner.TX"},
      {{"run", "e.yaml", "--set", "owner.TH=[0.1, 0.2]"}, "sweep"},
      {{"run", "e.yaml", "--set"}, "--set"},
      {{"check", "labs/lab-night", "--set", "figure.title=A: B"},
       "in quotes, inside the shell's: 'figure.title=\"A: B\"'"},
      {{"list", "owners", "x"}, "usage"},
      {{"list", "owners", "--markdown"}, "'nowsim list keys' alone"},
      {{"help", "run", "x"}, "usage"},
      {{"help", ""}, "there is no command, page or name"},
      {{"help", "--man", ""}, "--man: the folder"},
      {{"trace", "fti", "x.csv"}, "did you mean 'fit'?"},
      {{"list", "owner"}, "owner"},
      {{"platform", "show"}, "usage"},
      {{"platform", "draw", "x.xml"}, "draw"},
      {{"platform", "show", "x.xml"}, "x.xml"},
      {{}, "commands"},
  };
  for (const auto& [words, part] : table) {
    const ProgramRun r = run_program(words, folder.path());
    INFO(part << " | " << r.error);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK_THAT(r.error, Catch::Contains(part));
  }
}
