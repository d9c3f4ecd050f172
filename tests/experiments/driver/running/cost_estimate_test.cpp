// What runs are said to cost before they begin, and what is refused: by time, by memory, by the time-out.
#include "experiments/driver/running/cost_estimate.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "experiments/driver/running/run_bounds.hpp"
#include "experiments/driver/running/runner.hpp"
#include "sim/base/error.hpp"
#include "sim/splitting/split_task.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

Experiment shipped(const std::string& name, const std::vector<std::string>& flags = {}) {
  return load_experiment(source_folder() + "/experiments/" + name + ".yaml", {flags},
                         Registries({}, builtin_checks(), builtin_figures()));
}

struct Done {
  double intervals = 0, messages = 0;
};

constexpr std::uint64_t kReplications = 4;

Done done_by(const Scenario& scenario) {
  Done done;
  done.intervals = static_cast<double>(DirectEngine().run(scenario, {0, kReplications}, [&](const RunResult& r) {
    const auto& sent = r[Quantity::messages];
    done.messages += std::accumulate(sent.begin(), sent.end(), 0.0);
  }));
  return done;
}

WorkCounts counted(const Scenario& scenario) { return WorkCounter().count(scenario, Engine::direct, kReplications); }

/// The last point: mostly the one with the most machines.
const Scenario& last_scenario(const Experiment& e) { return *e.points.back().scenario(); }

double within_factor(double expected, double found) { return std::max(expected / found, found / expected); }

/// Four machines whose job takes 200 s, their owners coming and going at this interval.
std::string job(const std::string& interval, const std::string& run, const std::string& more = "") {
  return "nowsim: 1\nplatform: {workstations: 4, speed: 1f}\njob: {workload: base-task, work: 400f}\n"
         "owner: {model: intervals, TH: 0.28, interval: " + interval + "}\nrun: {" + run + "}\n" + more;
}

std::string remark(const std::string& yaml, int jobs = 1) { return long_run_remark(loaded(yaml), jobs); }

}  // namespace

TEST_CASE("Intervals of shipped experiments are counted within a half of what replications draw",
          "[reads][work_counts]") {
  for (const char* name : {"huang-lee-2007/fig04", "huang-lee-2007/fig08", "huang-lee-2007/fig12", "huang-lee-2007/fig13",
                           "huang-lee-2007/fig16", "labs/variance-reduction"}) {
    INFO(name);
    const Experiment e = shipped(name);
    CHECK(within_factor(counted(last_scenario(e))[Cost::interval], done_by(last_scenario(e)).intervals) < 1.5);
  }
}

TEST_CASE("Messages of shipped experiments are counted within a factor of 2 of what ranks send", "[work_counts]") {
  for (const char* name : {"zhang-yan-1995/fig02", "zhang-yan-1995/fig03", "zhang-yan-1995/fig05", "zhang-yan-1995/fig06",
                           "bazterra-2004/fig04", "bazterra-2004/genome", "bosque-2011/formula", "labs/network",
                           "self-scheduling/th", "self-scheduling/which-technique", "labs/genetic-algorithm"}) {
    INFO(name);
    const Experiment e = shipped(name);
    const WorkCounts work = counted(last_scenario(e));
    const double steps = work[Cost::tree_step] + kReplications * work[Cost::alike_step];  // a message to each
    CHECK(within_factor(work[Cost::message] + work[Cost::meeting] + steps, done_by(last_scenario(e)).messages) < 2);
  }
}

TEST_CASE("Tables of laws are counted once, whoever shares them", "[work_counts]") {
  const auto tables = [](const std::string& owner, const std::string& sweep) {
    const Experiment e = loaded("nowsim: 1\nplatform: {workstations: 50}\njob: {workload: base-task, work: 1}\n"
                                "owner: {model: intervals, TH: 0.3, value: beta, " + owner + "}\n" + sweep);
    WorkCounter counter;
    double count = 0;
    for (const auto& point : e.points) count += counter.count(*point.scenario(), Engine::direct, 10)[Cost::table];
    return count;
  };
  CHECK(tables("SH: 0", "") == 1);
  CHECK(tables("SH: 0.2", "") == 50);
  CHECK(tables("length: pareto, shape: 3", "") == 2);
  CHECK(tables("SH: 0.2", "sweep: {job.work: [1, 2, 3]}\n") == 50);
}

TEST_CASE("A search for a split tries about as many as is expected", "[work_counts][splits]") {
  const std::string yaml = "nowsim: 1\nplatform: {workstations: 4, speed: 1f}\njob: {workload: base-task, work: 400f}\n"
                           "split: {policy: optimal, replications: 100, gap_samples: 0}\n"
                           "owner: {model: intervals, TH: 0.28, SH: 0.2, interval: 10s}\nrun: {replications: 100}\n";
  const char* const in_phases = "job={workload: augmented-task, work: 400f, phases: 2}";
  for (const char* n : {"platform.workstations=2", "platform.workstations=6", "platform.workstations=12"})
    for (const std::vector<std::string>& overrides : {std::vector<std::string>{n}, {n, in_phases}}) {
      INFO(n << ", " << overrides.size());
      const Experiment e = loaded(yaml, overrides);
      const SplitTask& task = *e.points.front().as<OpenSplit>()->task;
      const auto tried = static_cast<double>(find_split(task).search->evaluations);
      CHECK(within_factor(expected_evaluations(task), tried) < 2);
    }
}

TEST_CASE("A run of more than an hour is announced with its estimate, and a short one is not", "[run_bounds]") {
  CHECK(remark(job("10s", "replications: 1000")).empty());
  const std::string day = job("1ms", "replications: 80e6");
  CHECK_THAT(remark(day), Contains("this will take about ") && Contains(" with 1 process, by a rough estimate"));
  CHECK_THAT(remark(day, 4), Contains(" with 4 processes"));
  CHECK_THAT(remark(job("10s", "replications: 1e9", "sweep: {owner.interval: [10s, 1ms]}\n")),
             Contains("(longest at the point 1ms)"));
}

TEST_CASE("What was simulated before needs no time", "[run_bounds]") {
  const Experiment day = loaded(job("1ms", "replications: 80e6"));
  CHECK(long_run_remark(day, 1, [] { return 10.0; }).empty());
  CHECK_THAT(long_run_remark(day, 1, [] { return 7200.0; }), Contains("about 2 h with"));
}

TEST_CASE("A run of years is refused unless each of its batches has a time-out", "[run_bounds][error]") {
  const std::string years = job("1e-12s", "replications: 1e6");
  CHECK_THROWS_AS(remark(years), InputError);
  CHECK_THROWS_WITH(remark(years), Contains("e.yaml: this would take about ") && Contains(" years with 1 process") &&
                                       Contains("run.timeout"));
  CHECK_THAT(remark(job("1e-12s", "replications: 1e6, timeout: 1d")), Contains("this will take about "));
  CHECK_THROWS_WITH(remark(job("1ms", "replications: 1e12")), Contains("years"));
}

TEST_CASE("A stopping rule may end early, so its most replications are no bound", "[run_bounds]") {
  CHECK(remark(job("10s", "replications: 1e12, precision: 1%")).empty());
  CHECK(least_cost_s(loaded(job("10s", "replications: 1e12, precision: 1%")).points.front()) <
        estimated_cost_s(loaded(job("10s", "replications: 1000")).points.front()));
}

TEST_CASE("A split that is searched for counts with its fewest trials", "[run_bounds]") {
  const std::string split = "split: {policy: optimal, replications: 10000}\n";
  const double with = least_cost_s(loaded(job("10s", "replications: 100", split)).points.front());
  CHECK(with > 100 * least_cost_s(loaded(job("10s", "replications: 100")).points.front()));
}

TEST_CASE("Times of replications that metrics keep have to fit the memory", "[run_bounds][memory][error]") {
  CHECK_THROWS_WITH(remark(job("10s", "replications: 1e12, timeout: 1d", "metrics: [T_99]\n")),
                    Contains("would need about 8 TB of memory"));
}

TEST_CASE("A point that is in the making for longer than its time-out has failed, and nothing else has",
          "[run_bounds][timeout]") {
  const Experiment e = loaded(job("10s", "replications: 2", "sweep: {run.timeout: [1e-9s, 10min]}\n"));
  CHECK_THAT(e.points[0].reason(), Contains("making its platform took longer than 1e-09 s (run.timeout)"));
  CHECK_FALSE(e.points[0].scenario());
  CHECK(e.points[1].reason().empty());
  const ResultTable summary = summarise(e, run_experiment(e, {1}));
  CHECK(summary.rows[0].status == PointStatus::failed);
  CHECK(summary.rows[1].status == PointStatus::ok);
}

TEST_CASE("A program's own time-out counts where run.timeout is not given", "[run_bounds][timeout]") {
  Additions additions;
  additions.workloads.push_back({"patient", "a test", {}, [](KeyReader&) {
                  const ProgramDescription patient{.work_flop = 1e15, .user_code = {.timeout_s = 9}};
                  return std::make_shared<const LambdaWorkload>(compute_share, patient);
                }});
  const auto patient = [&](const std::string& run) {
    return loaded("nowsim: 1\njob: {workload: patient}\n" + run, {}, additions);
  };
  const auto timeout_s = [&](const std::string& run) { return patient(run).points[0].plan.timeout_s; };
  CHECK(timeout_s("") == 9);
  CHECK(timeout_s("run: {timeout: 1min}\n") == 60);
  CHECK(timeout_s("run: {timeout: 0s}\n") == 0);
  // Nobody asked for it: what takes days is as little meant as without it.
  const std::string long_run = "owner: {model: intervals, TH: 0.1, interval: 1s}\nplatform: {workstations: 1, speed: 1f}\nrun: {replications: 1000";
  CHECK_THROWS_WITH(long_run_remark(patient(long_run + "}\n"), 1), Contains("say by run.timeout"));
  CHECK_THAT(long_run_remark(patient(long_run + ", timeout: 9s}\n"), 1), Contains("this will take"));
}
