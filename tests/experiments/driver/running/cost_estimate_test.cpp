// What replications are expected to do, against what they do: no clock is asked.
#include "experiments/driver/running/cost_estimate.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "sim/splitting/split_task.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
using namespace nowsim::test;

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
