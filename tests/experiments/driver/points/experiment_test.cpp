// From a YAML file and flags to points that are ready to run, all that stands in the way, and names of one's own.
#include "experiments/driver/points/experiment.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "experiments/driver/running/cost_estimate.hpp"
#include "sim/program/scenario.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/sentences.hpp"
#include "tests/paths.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::string kPlain =
    "nowsim: 1\n"
    "platform: {workstations: 4, speed: 2f}\n"
    "job: {workload: base-task, work: 400f}\n"
    "owner: {model: intervals, TH: 0.28}\n";

/// Flags for what communicates.
const std::vector<std::string> kNetwork{"platform.network=links", "platform.bandwidth=1kBps", "platform.latency=1ms"};

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// As a problem lists them.
std::string workload_names() {
  const WorkloadRegistry workloads = builtin_workloads();
  std::string names;
  for (const auto& info : workloads) names += (names.empty() ? "" : ", ") + info.name;
  return names;
}

/// What is said of a flag.
std::string of_flag(const std::string& flag) { return problems_of(kPlain, {flag}); }

/// The splits of all points.
std::vector<std::vector<double>> shares(const Experiment& e) {
  std::vector<std::vector<double>> out;
  for (const auto& point : e.points) out.push_back(point.scenario()->share_flop);
  return out;
}

void join_metrics(const std::vector<std::string>& names) {
  Additions additions;
  for (const auto& name : names) additions.metrics.emplace_back().name = name;
  const Registries all(additions, {}, FigureKinds());
  for (const auto& name : names) CHECK(all.metrics.find(name) != nullptr);
}

}  // namespace

TEST_CASE("A scenario without a sweep is one point, with defaults", "[reads][experiment]") {
  const Experiment e = loaded(kPlain);
  REQUIRE(e.points.size() == 1);
  CHECK(e.axes.empty());
  CHECK_THAT(e.title, Contains("e.yaml"));
  const Point& point = e.points[0];
  REQUIRE(point.scenario());
  CHECK(point.scenario()->size() == 4);
  CHECK(point.scenario()->share_flop == std::vector<double>(4, 100.0));
  CHECK(point.scenario()->seed == 1);
  CHECK(point.plan.replications == 1000);
  CHECK(point.plan.precision == 0);
  CHECK(point.plan.confidence == 0.95);
  REQUIRE(e.metrics.size() == 3);
  CHECK(e.metrics[0]->name == "tau");
}

TEST_CASE("A plan is read with its units", "[experiment]") {
  const Experiment e = loaded(
      kPlain +
      "run: {replications: 5k, precision: 1%, min_replications: 200, confidence: 99%, seed: 7, deadline: 4min}\n");
  const RunPlan& plan = e.points[0].plan;
  CHECK(plan.replications == 5000);
  CHECK(plan.precision == 0.01);
  CHECK(plan.least == 200);
  CHECK(plan.confidence == 0.99);
  CHECK(plan.seed == 7);
  CHECK(e.points[0].scenario()->seed == 7);
  CHECK(plan.deadline_s == 240);
}

TEST_CASE("Every kind of key can be swept", "[experiment][sweep]") {
  const Experiment e = loaded(kPlain +
                              "let: {x: 1}\nsplit: {policy: linear-slope, slope: = 1 * x}\n"
                              "sweep:\n"
                              "  platform.workstations: [1, 2]\n"
                              "  job.workload: [base-task, all-to-all]\n"
                              "  split.policy: [equal, linear-slope]\n"
                              "  owner.value: [uniform, beta]\n"
                              "  let.x: [1, 10]\n"
                              "  run.seed: [1, 2]\n"
                              "  run.replications: [10, 20]\n",
                              kNetwork);
  REQUIRE(e.points.size() == 128);
  const Point& last = e.points.back();
  CHECK(last.values == std::vector<std::string>{"2", "all-to-all", "linear-slope", "beta", "10", "2", "20"});
  CHECK(last.scenario()->share_flop == std::vector<double>{195, 205});
  CHECK(last.scenario()->seed == 2);
  CHECK(last.plan.replications == 20);
  CHECK_THAT(last.scenario()->owners[0]->describe(), Contains("beta"));
  CHECK(e.points[2 * 2 * 2 * 2 * 2].scenario()->size() == 1);
  CHECK(e.points.front().scenario()->share_flop == std::vector<double>{400});
}

TEST_CASE("Platforms, machines and owners by name can be swept", "[experiment][sweep]") {
  const std::string lab = source_folder() + "/platforms/";
  const Experiment files = loaded("nowsim: 1\njob: {workload: base-task, work: 1f}\nsweep: {platform.file: [" + lab +
                                  "lab-now.xml, " + lab + "uniform-now.xml]}\n");
  CHECK(files.points[0].scenario()->size() == 10);
  CHECK(files.points[1].scenario()->platform->source != files.points[0].scenario()->platform->source);
  const Experiment hosts = loaded(kPlain + "sweep: {owner.hosts.ws2.TH: [0.1, 0.2], owner.model: [intervals]}\n");
  CHECK(hosts.points[1].scenario()->owners[1]->temporal_heterogeneity() == Approx(0.2));
  CHECK(hosts.points[1].scenario()->owners[0]->temporal_heterogeneity() == Approx(0.28));
}

TEST_CASE("Formulas follow the keys that a point sweeps", "[experiment][formula]") {
  const Experiment e = loaded(
      "nowsim: 1\nplatform: {workstations: 1}\nlet: {each: = 10 * owner.TH}\n"
      "job: {workload: base-task, work: = N * each}\nowner: {model: intervals}\n"
      "sweep: {owner.TH: [0.1, 0.2], platform.workstations: [1, 3]}\n");
  const auto all = shares(e);
  CHECK(all[0] == std::vector<double>{1});
  CHECK(all[1] == std::vector<double>{1, 1, 1});
  CHECK(all[3] == std::vector<double>{2, 2, 2});
  const Experiment chosen = loaded(kPlain + "sweep: {job.work: [= 8 * N, 4]}\n");
  CHECK(shares(chosen)[0] == std::vector<double>{8, 8, 8, 8});
  CHECK(shares(chosen)[1] == std::vector<double>{1, 1, 1, 1});
}

TEST_CASE("Policies split by what machines have left on average", "[experiment]") {
  const std::string two =
      "nowsim: 1\nplatform: {speeds: [1f, 3f]}\njob: {workload: base-task, work: 100f}\n"
      "owner: {model: intervals, TH: 0.1, hosts: {ws2: {mean: 1, TH: 0}}}\n";
  CHECK(shares(loaded(two + "split: {policy: proportional}\n"))[0][0] == Approx(100 * 0.5 / 3.5));
  CHECK(shares(loaded(two + "split: {policy: formula, weight: alpha}\n"))[0][0] == Approx(25));
  CHECK(shares(loaded(two + "split: {policy: formula, weight: = i * N}\n"))[0][0] == Approx(100.0 / 3));
  CHECK(shares(loaded(two + "split: {policy: linear-slope, slope: -20f}\n"))[0][0] == Approx(60));
}

TEST_CASE("A formula that splits may use keys and variables of let, swept ones too", "[experiment][formula]") {
  const std::string two =
      "nowsim: 1\nplatform: {workstations: 2}\njob: {workload: base-task, work: 100f}\nlet: {moved: 0}\n";
  const Experiment e = loaded(two +
                              "split: {policy: formula, weight: 'i == 1 ? job.work/2 - let.moved : X/2 + "
                              "let.moved'}\nsweep: {let.moved: [0, 10]}\n");
  CHECK(shares(e)[0] == std::vector<double>{50, 50});
  CHECK(shares(e)[1] == std::vector<double>{40, 60});
  CHECK(problems_of(two + "split: {policy: formula, weight: i + let.move + let.moved}\n") ==
        "e.yaml:5: split.weight: the formula uses 'let.move', which is neither a key of this experiment nor a variable "
        "of 'let:'; did you mean 'moved'?\n");
}

TEST_CASE("Step 1 is the same job in proportion to speed, only where a metric compares with it", "[experiment]") {
  const std::string two =
      "nowsim: 1\nplatform: {speeds: [1f, 3f]}\njob: {workload: base-task, work: 100f}\nsplit: {policy: equal}\n";
  CHECK_FALSE(loaded(two).points[0].simulated()->step1);
  const Point point = loaded(two + "metrics: [reduction]\n").points[0];
  REQUIRE(point.simulated()->step1);
  CHECK(point.simulated()->step1->share_flop == std::vector<double>{25, 75});
  CHECK(point.scenario()->share_flop == std::vector<double>{50, 50});
  CHECK(point.simulated()->all().size() == 2);
  CHECK(problems_of(two + "metrics: [reduction]\nrun: {precision: 1%, precision_of: reduction}\n") ==
        "e.yaml:6: run.precision_of: 'reduction' compares two splits, which stop by themselves; tau's precision can be "
        "asked for\n");
  CHECK_FALSE(loaded("nowsim: 1\nplatform: {workstations: 2}\njob: {workload: ping-pong}\nmetrics: [reduction]\n",
                     kNetwork)
                  .points[0]
                  .simulated()->step1);
}

TEST_CASE("A workload that draws its times wants dedicated owners, two machines and possible laws",
          "[experiment][error]") {
  const auto found = [](const std::string& job, const std::string& rest = "") {
    return problems_of("nowsim: 1\nplatform: {workstations: 2}\njob: {workload: stochastic-time, work: 200f, " + job +
                       "}\n" + rest);
  };
  CHECK(found("sd_first: 10s, sd_last: 30s, sd_at: 100s").empty());
  CHECK(found("sd_first: 10s, sd_last: 110s, sd_at: 100s").empty());  // gamma
  CHECK_THAT(found("sd_first: 10s, sd_last: 110s, sd_at: 100s, law: truncated-normal"),
             Catch::Contains(
                 "e.yaml:3: job.workload: T_2 of workstation ws2 (X_i 100 flop at 1 flop/s; sd_first 10 s, sd_last 110 s, "
                 "at 100 s): a normal truncated at 0 cannot have the standard deviation 110 at the mean 100: it must be "
                 "below the mean"));
  CHECK_THAT(
      found("sd_first: 10s, sd_last: 30s, sd_at: 100s", "owner: {model: intervals, TH: 0.1}\n"),
      Catch::Contains("e.yaml:4: owner.model: this workload prescribes its execution times, so every owner must be "
                      "'dedicated'; workstation ws1 has intervals"));
  CHECK(found("sd_first: 10s, sd_last: 30s, sd_at: 0s") ==
        "e.yaml:3: job.workload: sd_at must be more than 0: it is the mean time at which sd_first and sd_last hold\n");
  CHECK(found("sd_first: 10s, sd_last: 30s") == "e.yaml:3: job.sd_at: this key is missing\n");
  CHECK(found("sd_first: -1s, sd_last: 30s, sd_at: 1s") ==
        "e.yaml:3: job.sd_first: -1 is out of range: it must be at least 0\n");
  CHECK_THAT(found("sd_first: 1s, sd_last: 1s, sd_at: 1s, law: normal"),
             Catch::Contains("job.law: 'normal' is not one of: gamma, truncated-normal"));
  CHECK_THAT(problems_of("nowsim: 1\njob: {workload: stochastic-time, work: 1, sd_first: 1, sd_last: 1, sd_at: 1}\n"),
             Catch::Contains("'stochastic-time' needs at least 2 workstations; there are 1"));
}

TEST_CASE("The baseline is the whole work on the machine with the most left, only where it is asked for",
          "[experiment]") {
  const std::string two =
      "nowsim: 1\nplatform: {speeds: [2f, 3f]}\njob: {workload: base-task, work: 100f}\n"
      "owner: {model: dedicated, hosts: {ws2: {model: duty-cycle, u: 50%}}}\n";
  CHECK_FALSE(loaded(two).points[0].simulated()->baseline);
  const auto baseline = loaded(two + "metrics: [speedup]\n").points[0].simulated()->baseline;
  REQUIRE(baseline);
  CHECK(baseline->platform->workstations.front().name == "ws1");
  CHECK(baseline->share_flop == std::vector<double>{100});
  CHECK_FALSE(loaded("nowsim: 1\nplatform: {workstations: 2}\njob: {workload: ping-pong}\nmetrics: [speedup]\n",
                     kNetwork)
                  .points[0]
                  .simulated()->baseline);
}

TEST_CASE("Infeasible points are problems, or left out with their reason and seed", "[experiment]") {
  const std::string sweep = "sweep: {owner.TH: [0.2, 0.7]}\n";
  CHECK(problems_of(kPlain + sweep) ==
        "e.yaml:5: owner.TH: TH = 0.7 is more than the law 'uniform' can hold at mean 0.5: at most 0.57735 "
        "('run.infeasible: skip' leaves such points blank)\n");
  const Experiment e = loaded(kPlain + sweep + "run: {infeasible: skip, seed: 9}\n");
  CHECK(e.points[0].scenario());
  CHECK_FALSE(e.points[1].scenario());
  CHECK_THAT(e.points[1].reason(), Contains("0.57735"));
  CHECK(e.points[1].plan.seed == 9);
}

TEST_CASE("Flags set keys, fix swept ones, and change the sweep", "[experiment]") {
  const std::string swept =
      kPlain + "sweep: {owner.TH: [0.1, 0.2], zip: {owner.mean: [0.4, 0.5], owner.SH: [0, 0.1]}}\n";
  CHECK(loaded(swept).points.size() == 4);
  CHECK(loaded(swept, {"owner.TH=0.15"}).axes == std::vector<std::string>{"owner.mean", "owner.SH"});
  CHECK(loaded(swept, {"owner.mean=0.3"}).axes == std::vector<std::string>{"owner.TH", "owner.SH"});
  CHECK(loaded(swept, {"owner.mean=0.3"}).points.size() == 4);
  CHECK(loaded(swept, {"owner.mean=0.5"}).points.size() == 2);  // the step of the zip that has it
  CHECK(loaded(swept, {"owner.mean=0.5"}).points[0].values == std::vector<std::string>{"0.1", "0.1"});
  CHECK(loaded(swept, {"sweep.owner.TH=[0.1, 0.2, 0.3]"}).points.size() == 6);
  const std::string with_run = kPlain + "sweep: {zip: {owner.TH: [0.1, 0.2], run.replications: [2, 400]}}\n";
  CHECK(loaded(with_run, {"run.replications=2"}).points.size() == 2);
  const std::string listed = kPlain + "sweep: [owner.TH: [0.1, 0.2], owner.SH: [0, 0.1]]\n";
  CHECK(loaded(listed, {"sweep.owner.TH=[0.1]"}).points.size() == 2);
  CHECK(loaded(listed, {"sweep.run.seed=[1, 2, 3]"}).points.size() == 12);
  CHECK(loaded(swept, {"sweep={}"}).points.size() == 1);
  CHECK(loaded(swept, {"sweep={owner.TH: [0.1, 0.2, 0.3]}"}).points.size() == 3);
  CHECK(loaded(swept, {"sweep.run.seed=[1, 2, 3]"}).points.size() == 12);
  CHECK(loaded(kPlain, {"platform.workstations=2", "platform.workstations=3"}).points[0].scenario()->size() == 3);
}

TEST_CASE("Keys that a flag makes idle are remarked, those that are idle by themselves are errors", "[experiment]") {
  const Experiment e = loaded(kPlain, {"owner.model=dedicated"});
  REQUIRE(e.remarks.size() == 1);
  CHECK_THAT(e.remarks[0], Contains("e.yaml:4: owner.TH: this key has no effect here: it belongs to intervals"));
  const std::string lab = source_folder() + "/platforms/lab-now.xml";
  CHECK(loaded(kPlain, {"sweep.platform.file=[" + lab + "]"}).remarks.size() == 1);  // of speed
  CHECK(loaded(kPlain + "let: {x: 3}\n").remarks.size() == 1);
  CHECK(loaded(kPlain + "let: {x: 3}\nsweep: {let.y: [1, 2]}\n", {"job.work=3"}).remarks.size() == 2);
  CHECK(problems_of(kPlain + "split: {policy: equal, slope: 3}\n") ==
        "e.yaml:5: split.slope: this key has no effect here: it belongs to linear-slope\n");
  CHECK(problems_of(kPlain, {"split.slope=3"}) ==
        "--set: split.slope: this key has no effect here: it belongs to linear-slope\n");
  CHECK(problems_of(kPlain, {"let.x=3"}) == "--set: let.x: no formula uses this variable\n");
  CHECK(problems_of(kPlain + "let: {sise: 3}\n", {"let.size=3", "job.work== sise"}) ==
        "--set: let.size: no formula uses this variable; did you mean 'let.sise'?\n");
  const std::string by_name = "nowsim: 1\nlet: {u: 0.1, v: 0.2}\nplatform: {workstations: 2, speed: 1f}\n"
                              "job: {workload: base-task, work: 9f}\n"
                              "owner: {model: duty-cycle, period: 1s, u: = let.u, hosts: {ws1: {u: = v}}}\n";
  CHECK(loaded(by_name).remarks.empty());
  CHECK(loaded(by_name, {"platform.workstations=1"}).remarks.empty());  // though nothing is left that has let.u
  CHECK(problems_of(by_name, {"platform.workstations=1", "let.u=0.3"}) ==
        "--set: let.u: no formula uses this variable here\n");
  CHECK(problems_of(kPlain + "sweep: {let.y: [1, 2]}\n") == "e.yaml:5: sweep.let.y: no formula uses this variable\n");
}

TEST_CASE("After a problem with a key of an owner its other keys are not said to be idle", "[experiment][error]") {
  const std::string trace = "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 9f}\n"
                            "owner: {model: trace, machine: a, file: ";
  CHECK(line_count(problems_of(trace + "none.csv}\n")) == 1);
  const Folder folder;
  const std::string file = folder.file("long.csv", "time,host,cpu,disk\n0,a,5,1\n9,a,6,1\n");
  CHECK_THAT(problems_of(trace + file + "}\n"),
             Catch::EndsWith("long.csv:1: there is no column 'value'; values are in 'cpu', 'disk'.\n") &&
                 !Contains("owner.machine"));
  CHECK(line_count(problems_of(trace + file + ", column: cpuu, start: soon}\n")) == 2);
}

TEST_CASE("Machines of a file that do not take part may have owners by name", "[experiment]") {
  const std::string lab = source_folder() + "/platforms/lab-now.xml";
  const std::string text = "nowsim: 1\nplatform: {file: " + lab + ", hosts: [desk1, desk2]}\n"
                           "job: {workload: base-task, work: 9Gf}\n"
                           "owner: {model: dedicated, hosts: {desk6: {model: intervals, TH: 0.1}}}\n";
  CHECK(problems_of(text).empty());
  CHECK(loaded(text).remarks.empty());
  CHECK(problems_of(text, {"platform.workstations=1"}).empty());
  CHECK_THAT(problems_of(text, {"owner.hosts.desk77={model: dedicated}"}), Contains("no workstation 'desk77'"));
}

TEST_CASE("Machines that blocks by name forget are told once, as dedicated", "[experiment]") {
  const std::string text = "nowsim: 1\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 9f}\n"
                           "owner:\n  hosts: {ws2: {model: intervals, TH: 0.1}}\n";
  const Experiment e = loaded(text + "sweep: {job.work: [1f, 2f], platform.workstations: [2, 3]}\n");
  REQUIRE(e.remarks.size() == 1);
  CHECK_THAT(e.remarks[0], Catch::EndsWith("e.yaml:5: owner.hosts: nothing is said of ws1, ws3, which count as dedicated; "
                                           "owner.model is for all that are not named here"));
  CHECK_THAT(loaded(text, {"owner.hosts.ws1.model=dedicated"}).remarks.at(0), Contains("of ws3, which counts as"));
  CHECK(loaded(text, {"owner.model=dedicated"}).remarks.empty());
  CHECK(loaded(text + "sweep: {owner.model: [dedicated]}\n").remarks.empty());
}

TEST_CASE("A key of the chosen workload that its other keys leave out is said to be for other values of them",
          "[experiment][error]") {
  const std::string farm = "nowsim: 1\nplatform: {workstations: 3, speed: 1f, network: links, bandwidth: 1kBps, "
                           "latency: 1ms}\njob: {workload: task-farm, tasks: 9, cost: 1f, technique: GSS}\n";
  for (const char* flag : {"job.chunk=3", "job.first=2", "job.cv=0.2", "job.costs=file"}) {
    INFO(flag);
    CHECK_THAT(problems_of(farm, {flag}),
               Contains("has no effect here: it is for other values of job.technique or job.law"));
  }
  CHECK_THAT(problems_of(farm, {"job.phases=3"}), Contains("has no effect here: it belongs to augmented-task\n"));
  CHECK_THAT(problems_of(farm, {"job.technique=awf-b"}), Contains("did you mean 'AWF-B'?"));
  CHECK_THAT(problems_of(farm, {"job.technique=BOLD", "job.as=DLS4LB"}),
             Contains("job.as: 'DLS4LB' is not one of: paper, LB4OMP"));
  CHECK_THAT(problems_of(farm, {"job.technique=AF", "job.as=lb4omp"}), Contains("did you mean 'LB4OMP'?"));
  CHECK_THAT(problems_of(farm, {"job.technique=AF", "job.trial=0"}), Contains("job.trial: "));
  CHECK_THAT(problems_of(farm, {"job.technique=AF", "job.max_chunk=2.5"}), Contains("job.max_chunk: "));
  CHECK_THAT(problems_of(farm, {"job.technique=GSS", "job.as=paper"}), Contains("job.as: this key has no effect here"));
  CHECK_THAT(problems_of(farm, {"job.technique=WF", "job.trial=10"}), Contains("it is for other values of job.technique"));
}

TEST_CASE("What communicates needs a network, unless it is alone", "[experiment][error]") {
  const auto on = [](const std::string& count, const std::string& job) {
    return problems_of("nowsim: 1\nplatform: {workstations: " + count + ", speed: 1f}\njob: {workload: " + job + "}\n");
  };
  CHECK_THAT(on("3", "task-farm, tasks: 9, cost: 1f"),
             Contains("e.yaml:3: job.workload: 'task-farm' sends messages, and there is no network in "));
  CHECK_THAT(on("3", "genetic-algorithm"), Contains("'genetic-algorithm' sends messages"));
  CHECK(on("1", "task-farm, tasks: 9, cost: 1f").empty());
  CHECK(on("3", "augmented-task, work: 9f, phases: 2").empty());
  CHECK_THAT(on("3", "augmented-task, work: 9f, phases: 2, bytes: 1B"), Contains("'augmented-task' sends messages"));
}

TEST_CASE("A block of failures is one, and what it lacks is missed where it stands", "[experiment][failures][error]") {
  const std::string without = "nowsim: 1\nplatform:\n  workstations: 3\n  speed: 1f\n", job =
      "job: {workload: base-task, work: 9f}\n";
  CHECK(problems_of(without + job, {"platform.failures=0.001"}) ==
        "--set: platform.failures: this section is a map of keys and values, such as {rate: 0.001, repair: 5min}\n");
  CHECK_THAT(problems_of(without + "  failures:\n    rate: 0.1\n" + job),
             Catch::StartsWith("e.yaml:6: platform.failures.repair: this key is missing"));
  CHECK_THAT(problems_of(without + job, {"platform.failures={rate: 0.1}"}),
             Catch::StartsWith("--set: platform.failures.repair: this key is missing"));
}

TEST_CASE("A job that does not use shares is not split, and a policy is remarked as idle", "[experiment][split]") {
  const auto spec = [](const std::string& job, const std::string& more) {
    return "nowsim: 1\nplatform: {speeds: [1f, 1f, 3f], network: links, bandwidth: 1kBps, latency: 1ms}\njob: " + job +
           "\nowner: {model: intervals, TH: 0.3}\n" + more;
  };
  const std::string remark =
      "this key has no effect here: the job hands its work out in a way of its own, not by shares";
  const std::string genetic = "{workload: genetic-algorithm, dispatcher: static}";
  const auto farm = [](const std::string& technique) {
    return "{workload: task-farm, tasks: 9, cost: 1f, chunk: 2, technique: " + technique + "}";
  };
  const auto plain_farm = [](const std::string& technique) {
    return "{workload: task-farm, tasks: 9, cost: 1f, technique: " + technique + "}";
  };
  for (const auto& job : {genetic, plain_farm("SS"), farm("CSS"), plain_farm("GSS"), plain_farm("TSS"),
                          plain_farm("FAC"), plain_farm("FAC2"), plain_farm("AF")}) {
    INFO(job);
    const Experiment e = loaded(spec(job, "split: {policy: optimal}\n"));
    CHECK_FALSE(e.points[0].as<OpenSplit>());
    CHECK(e.points[0].scenario()->share_flop[1] == e.points[0].scenario()->share_flop[2]);
    REQUIRE(e.remarks.size() == 1);
    CHECK_THAT(e.remarks[0], Contains("e.yaml:5: split.policy: " + remark));
    CHECK(problems_of(spec(job, ""), {"split.policy=proportional"}) == "--set: split.policy: " + remark + "\n");
    CHECK(loaded(spec(job, "split: {policy: equal}\n")).remarks.empty());
  }
  for (const char* technique : {"WF", "AWF-B", "AWF-C", "static"}) {
    INFO(technique);
    const Experiment e = loaded(spec(plain_farm(technique), "split: {policy: proportional}\n"));
    CHECK(e.points[0].scenario()->share_flop[2] == Approx(3 * e.points[0].scenario()->share_flop[1]));
    CHECK(e.remarks.empty());
    CHECK(loaded(spec(plain_farm(technique), "split: {policy: optimal}\n")).points[0].as<OpenSplit>());
  }
}

TEST_CASE("Weights of a farm's machines are their mean speeds where no split is given, unless it measures them",
          "[experiment][split]") {
  const auto shares_by = [](const std::string& technique, const std::string& more = "") {
    return shares(loaded("nowsim: 1\nplatform: {speeds: [1f, 1f, 4f], network: links, bandwidth: 1kBps, latency: 1ms}\n"
                         "job: {workload: task-farm, tasks: 90, cost: 1f, technique: " + technique + "}\n"
                         "owner: {model: dedicated, hosts: {ws2: {model: intervals, mean: 0.5, TH: 0.1}}}\n" + more))[0];
  };
  for (const char* weighs : {"WF", "formula, chunk: ceil(w*R/(2*P))", "formula, chunk: R/P, batch: w*R"}) {
    INFO(weighs);
    CHECK(shares_by(weighs)[1] == Approx(10));  // 1 flop/s half of the time, against 4
    CHECK(shares_by(weighs)[2] == Approx(80));
    CHECK(shares_by(weighs) == shares_by(weighs, "split: {policy: proportional}\n"));
    CHECK(shares_by(weighs, "split: {policy: equal}\n") == std::vector<double>{0, 45, 45});
  }
  for (const char* alike : {"AWF-B", "AWF-E", "static", "FAC2", "formula, chunk: R/P"}) {
    INFO(alike);
    CHECK(shares_by(alike) == std::vector<double>{0, 45, 45});
  }
}

TEST_CASE("Policies zipped with techniques are remarked where none of them uses shares", "[experiment][split]") {
  const auto swept = [](const std::string& techniques) {
    return loaded("nowsim: 1\nplatform: {speeds: [1f, 1f, 3f], network: links, bandwidth: 1kBps, latency: 1ms}\n"
                  "job: {workload: task-farm, tasks: 9, cost: 1f}\nmetrics: [tau, reduction]\n"
                  "sweep: {zip: {job.technique: " + techniques + ", split.policy: [proportional, equal]}}\n");
  };
  const Experiment some = swept("[SS, static]");
  CHECK(some.remarks.empty());
  CHECK_FALSE(some.points[0].simulated()->step1);
  CHECK(some.points[1].simulated()->step1);
  const Experiment none = swept("[SS, GSS]");
  REQUIRE(none.remarks.size() == 1);
  CHECK_THAT(none.remarks[0], Contains("e.yaml:5: sweep.split.policy: this key has no effect here"));
}

TEST_CASE("Misspelt keys are met with the nearest known one", "[experiment][error]") {
  check_said(of_flag, "--set: ", {
      {"owner.interval_=3", "owner.interval_: this key is not known; did you mean 'owner.interval'?"},
      {"owner.MEAN=0.3", "this key is not known"},
      {"run.sed=3", "did you mean 'run.seed'?"},
      {"jobs.work=3", "jobs.work: this key is not known; did you mean 'job.work'?"},
      {"platfrom.speed=3", "did you mean 'platform.speed'?"},
      {"metric=[tau]", "did you mean 'metrics'?"},
      {"zzz=3", "--set: zzz: this key is not known; there are: nowsim, title, "},
      {"sweep.owner.HT=[1]", "--set: sweep.owner.HT: this key is not known; did you mean 'owner.TH'?"},
  });
}

TEST_CASE("Keys of a platform's file are met where they have no effect or are not known", "[experiment][error]") {
  check_said(of_flag, "--set: ", {
      {"platform.weights=ep", "platform.weights: this key has no effect here: it belongs to a platform file"},
      {"platform.set=a", "platform.set: this key has no effect here: it belongs to a platform file"},
      {"platform.sets.a=[ws1]", "platform.sets.a: this key has no effect here: it belongs to a platform file"},
      {"platform.links.l.latency=1s", "platform.links.l.latency: this key has no effect here: it belongs"},
      {"platform.links.l.speed=1", "platform.links.l.speed: this key is not known"},
      {"platform.links=1", "this section is a map of keys and values, such as {ethernet: {bandwidth: 500kBps}}"},
      {"platform.sets=1", "this section is a map of keys and values, such as {fast: [ws1, ws2]}"},
  });
  const std::string file = "nowsim: 1\nplatform: {file: " + source_folder() +
                           "/platforms/sparc-now.xml}\njob: {workload: base-task, work: 1Gf}\n";
  CHECK(problems_of(file, {"platform.speed=3"}) ==
        "--set: platform.speed: this key has no effect here: it belongs to generated workstations, power weights "
        "(platform.weights)\n");
  CHECK(problems_of(file, {"platform.links.ethernet.bandwith=3"}) ==
        "--set: platform.links.ethernet.bandwith: this key is not known; did you mean "
        "'platform.links.ethernet.bandwidth'?\n");
  CHECK(loaded(file, {"platform.links.ethernet.bandwidth=3"}).remarks.empty());
}

TEST_CASE("Sections are maps, and what holds for the whole experiment is not swept", "[experiment][error]") {
  for (const std::string section : {"platform", "split", "owner", "run", "let", "owner.hosts", "job"})
    check_said(of_flag, "--set: ", {
        {section + "=3", section + ": this section is a map of keys and values, such as {"},
        {"sweep." + section + "=[3]", "sweep." + section + ": a section cannot be swept, but each of its keys can\n"},
    });
  for (const std::string key : {"nowsim", "title", "description", "metrics", "run.infeasible"})
    CHECK(of_flag("sweep." + key + "=[1, 2]") ==
          "--set: sweep." + key + ": this key holds for the whole experiment and cannot be swept\n");
}

TEST_CASE("Every problem is named once, and none that only follows from another", "[experiment][error]") {
  CHECK(problems_of("nowsim: 1\n"
                    "platform: {workstations: 4, speed: , spede: 3}\n"
                    "job: {workload: base-tusk, work: -1}\n"
                    "split: {policy: linear-slop, slope: 3}\n"
                    "owner: {model: interval, TH: 0.1, hosts: {ws1: {TH: 3}}}\n"
                    "run: {replications: 0}\n"
                    "metrics: [taw, tau, tau]\n"
                    "sweep: {owner.TH: [], owner.SH: [0, 0.1]}\n",
                    {"x", "run.sed=2"}) ==
        "--set: 'x' is not of the form key=value\n"
        "e.yaml:2: platform.speed: there is no value behind this key\n"
        "e.yaml:8: sweep.owner.TH: the list of values is empty\n"
        "e.yaml:7: metrics: there is no metric 'taw'; did you mean 'tau'?\n"
        "e.yaml:7: metrics: the metric 'tau' is given twice\n"
        "e.yaml:6: run.replications: 0 is out of range: it must be at least 1\n"
        "e.yaml:3: job.workload: 'base-tusk' is not one of: " + workload_names() + "; did you mean 'base-task'?\n"
        "e.yaml:4: split.policy: 'linear-slop' is not one of: equal, linear-slope, proportional, equalize, "
        "equalize-linear, optimal, formula; did you mean "
        "'linear-slope'?\n"
        "e.yaml:5: owner.model: 'interval' is not one of: dedicated, intervals, duty-cycle, habits, jobs, profile, trace; did "
        "you mean 'intervals'?\n"
        "e.yaml:2: platform.spede: this key is not known; did you mean 'platform.speed'?\n"
        "--set: run.sed: this key is not known; did you mean 'run.seed'?\n");
}

TEST_CASE("A misspelt word is one problem for any number of points", "[experiment][error]") {
  const std::string sweep = "sweep: {owner.SH: [0, 0.1, 0.2]}\n";
  CHECK(line_count(problems_of(kPlain + sweep, {"job={workload: base-tusk}"})) == 1);
  CHECK(line_count(problems_of(kPlain + sweep, {"split.policy=eqal"})) == 1);
  CHECK(line_count(problems_of(kPlain, {"owner.model=interval", "sweep.run.seed=[1, 2]"})) == 1);
}

TEST_CASE("A long list of problems is cut and counted", "[experiment][error]") {
  std::vector<std::string> flags;
  for (int i = 0; i < 30; ++i) flags.push_back("owner.wrong" + std::to_string(i) + "=1");
  const std::string found = problems_of(kPlain, flags);
  CHECK(line_count(found) == 21);
  CHECK_THAT(found, Catch::EndsWith("... and 10 more problems\n"));
}

TEST_CASE("A deadline is needed by RF, availability by work, two machines by a ping-pong", "[experiment][error]") {
  CHECK_THAT(problems_of(kPlain + "metrics: [RF]\n"), Contains("run.deadline: the metric RF needs a deadline"));
  CHECK_THAT(problems_of(kPlain + "metrics: [RF]\nrun: {deadline: 0s}\n"),
             Contains("e.yaml:6: run.deadline: the metric RF needs"));
  CHECK_THAT(problems_of(kPlain, {"owner={model: duty-cycle, u: 1}"}),
             Contains("--set: owner.model: workstation ws1 gets work but has no availability"));
  CHECK_THAT(problems_of("nowsim: 1\njob: {workload: ping-pong}\n"),
             Contains("e.yaml:2: job.workload: 'ping-pong' needs at least 2 workstations; there are 1"));
}

TEST_CASE("Work that is handed out may have a machine without availability beside others", "[experiment][error]") {
  const std::string farm =
      "nowsim: 1\nplatform: {workstations: 3, network: switch, bandwidth: 1MBps, latency: 1ms}\n"
      "job: {workload: task-farm, tasks: 9, cost: 1f, technique: SS}\n"
      "owner: {model: dedicated, hosts: {ws3: {model: duty-cycle, u: 1}}}\n";
  CHECK(problems_of(farm) == "");
  const std::string refused = "owner.model: workstation ws3 gets work but has no availability";
  CHECK_THAT(problems_of(farm, {"job.technique=static"}), Contains(refused));
  CHECK(problems_of(farm, {"job.technique=static", "job.timeout=9s"}) == "");
  CHECK_THAT(problems_of(farm, {"owner.hosts.ws2={model: duty-cycle, u: 1}"}),
             Contains("owner.model: workstation ws2 gets work but has no availability"));
}

TEST_CASE("What is not an experiment is refused", "[experiment][error]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"", "e.yaml: the file is empty\n"},
      {"# nothing\n", "e.yaml: the file is empty\n"},
      {"- 1\n", "e.yaml:1: an experiment is a map of keys and values, beginning with 'nowsim: 1'\n"},
      {"title: x\nnowsim: 1\n", "e.yaml:1: the first key must be 'nowsim: 1', the version of the format\n"},
      {"{}\n", "e.yaml:1: the first key must be 'nowsim: 1', the version of the format\n"},
      {"nowsim: 2\njob: {workload: base-task, work: 1}\n",
       "e.yaml:1: nowsim: this program reads format 1 of experiments; a newer program may be needed\n"},
      {"nowsim: one\njob: {workload: base-task, work: 1}\n",
       "e.yaml:1: nowsim: 'one' is not a count: write a whole number from 0 up, if need be with k, M or G, such as 512 "
       "or 1k\n"},
      {"nowsim: 1\n",
       "e.yaml: job.workload: this key is missing; it is one of: " + workload_names() + "\n"},
  };
  for (const auto& [yaml, sentence] : table) CHECK(problems_of(yaml) == sentence);
}

TEST_CASE("Batches depend on nothing but a result's size", "[experiment]") {
  const Experiment e = loaded(
      "nowsim: 1\njob: {workload: base-task, work: 1}\nsweep: {platform.workstations: [1, 2000, 10000, 300000]}\n");
  CHECK(batch_size(*e.points[0].scenario()) == 100);
  CHECK(batch_size(*e.points[1].scenario()) == 100);
  CHECK(batch_size(*e.points[2].scenario()) == 20);
  CHECK(batch_size(*e.points[3].scenario()) == 1);
}

TEST_CASE("The estimated cost grows with work, machines, replications and a baseline", "[experiment]") {
  const auto cost = [](const std::vector<std::string>& flags) {
    return estimated_cost_s(loaded(kPlain, flags).points[0]);
  };
  const double plain = cost({});
  CHECK(plain > 0);
  CHECK(cost({"job.work=4000000f"}) > 5 * plain);
  CHECK(cost({"platform.workstations=30", "job.work=3000f"}) > 2 * plain);
  CHECK(cost({"run.replications=10000"}) == Approx(10 * plain));
  CHECK(cost({"metrics=[speedup]"}) > 1.2 * plain);
}

TEST_CASE("The estimated cost knows of messages, which are dearer on SimGrid", "[experiment]") {
  const auto of_1000_rounds = [](const std::string& engine, const std::string& network) {
    const auto cost = [&](int rounds) {
      const std::string yaml = "nowsim: 1\nplatform: {workstations: 11, bandwidth: 1GBps, network: " + network +
                               "}\njob: {workload: ping-pong, bytes: 1, rounds: " + std::to_string(rounds) + "}\n";
      return estimated_cost_s(loaded(yaml, {"run.engine=" + engine, "run.replications=1"}).points[0]);
    };
    return cost(1001) - cost(1);
  };
  const double messages = 1000 * 20;  // ten others, to and fro
  CHECK(of_1000_rounds("direct", "switch") == Approx(messages * shipped_costs()[Cost::message]));
  CHECK(of_1000_rounds("auto", "switch") == Approx(messages * shipped_costs()[Cost::message]));
  CHECK(of_1000_rounds("simgrid", "switch") == Approx(messages * shipped_costs()[Cost::simgrid_message]));
  CHECK(of_1000_rounds("auto", "bus") == Approx(messages * shipped_costs()[Cost::meeting]));
}

TEST_CASE("The estimated cost of supersteps is that of going at once only where the engine does", "[experiment]") {
  const auto cost = [](const std::string& job, const std::string& owner) {
    const std::string yaml = "nowsim: 1\nplatform: {workstations: 64, bandwidth: 1GBps, network: switch}\n"
                             "job: {workload: gauss, size: 3000, " + job + "}\nowner: {model: " + owner + "}\n";
    return estimated_cost_s(loaded(yaml, {"run.replications=1"}).points[0]);
  };
  const double message_by_message = 3000 * 63 * shipped_costs()[Cost::message];
  CHECK(cost("steps: synchronised", "dedicated") < 0.1 * message_by_message);
  CHECK(cost("steps: free", "dedicated") > message_by_message);
  CHECK(cost("steps: synchronised", "jobs, u: 10%, demand: 1s") > message_by_message);
}

TEST_CASE("A point of a sweep is what its values alone make, whatever was read for points before it", "[experiment]") {
  const std::string yaml =
      "nowsim: 1\nplatform: {workstations: 3, speed: 1Gf}\n"
      "job: {workload: base-task, work: = 300 * let.size}\nlet: {size: 2, wait: 10}\n"
      "split: {policy: linear-slope, slope: = let.size}\n"
      "owner: {model: intervals, TH: 0.2, interval: = let.wait + N, hosts: {ws1: {TH: 0.1}}}\n"
      "metrics: [tau, speedup]\nrun: {baseline: one}\n";
  const std::vector<std::pair<std::string, std::vector<std::string>>> axes{
      {"let.size", {"2", "3"}},
      {"owner.length", {"constant", "exponential"}},
      {"platform.workstations", {"3", "1", "5"}},
      {"run.seed", {"1", "2"}},
      {"split.policy", {"equal", "linear-slope"}},
      {"owner.hosts.ws1.TH", {"0.1", "0.3"}},
      {"run.replications", {"100", "200"}}};
  std::string sweep;
  for (const auto& [key, values] : axes) {
    sweep += (sweep.empty() ? "" : ", ") + key + ": [";
    for (std::size_t k = 0; k < values.size(); ++k) sweep += (k > 0 ? ", " : "") + values[k];
    sweep += "]";
  }
  const Experiment all = loaded(yaml + "sweep: {" + sweep + "}\n");
  REQUIRE(all.points.size() == 2 * 2 * 3 * 2 * 2 * 2 * 2);
  ScenarioKeys keys;
  const auto key = [&](const std::shared_ptr<const Scenario>& s) { return s ? keys.key(*s, "direct") : ""; };
  const auto baseline = [](const Point& p) { return p.simulated() != nullptr ? p.simulated()->baseline : nullptr; };
  for (std::size_t p = 0; p < all.points.size(); p += 5) {
    std::vector<std::string> flags;
    for (std::size_t a = 0; a < axes.size(); ++a) flags.push_back(axes[a].first + "=" + all.points[p].values[a]);
    const Experiment one = loaded(yaml, flags);
    INFO(flags[0] << " " << flags[1] << " " << flags[2] << " " << flags[3] << " " << flags[4] << " " << flags[5]);
    REQUIRE(one.points.size() == 1);
    CHECK(key(all.points[p].scenario()) == key(one.points[0].scenario()));
    CHECK(key(baseline(all.points[p])) == key(baseline(one.points[0])));
    CHECK(all.points[p].plan.replications == one.points[0].plan.replications);
    CHECK(all.points[p].plan.seed == one.points[0].plan.seed);
  }
}

TEST_CASE("A metric of one's own is no quantile and none that there is", "[registries]") {
  join_metrics({"T_mean", "delay"});
  const auto name = GENERATE("tau", "T_95", "T_99.9", "T_0", "T_095");
  CHECK_THROWS_WITH(join_metrics({"delay", name}), "there is already a metric '" + std::string(name) +
                                                       "': one's own needs another name");
  CHECK_THROWS_AS(join_metrics({"delay", "delay"}), InputError);
}
