// What a step of availability costs nowsim's direct engine, over the whole of its replications, in this process.
//
// usage: direct_engine base-task|phases|short-tasks [--replications R] [--batch REPLICATIONS] [--width BYTES]
//                      [--workstations N] [--owners alike|mixed] [--value LAW] [--length LAW]
//
// base-task: HL's, N = 8, X_i = 100, as base_task.yaml describes it to users. phases: the same work as an augmented
// task of 10 phases with barriers. short-tasks: 100 tasks of 2 per rank, one after another. Mixed owners: one machine
// dedicated, one with beta's values, the others as they are. Steps are those that tasks began; engine, coroutines,
// statistics and what the owners used until the end of each replication are in the time, loading is not.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "sim/base/error.hpp"
#include "sim/engines/direct/engine.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;

namespace {

struct ShortTasks final : Workload {
  static constexpr int kTasks = 100;
  ShortTasks() : Workload({.work_flop = 1}) {}
  Process run(Rank& self) const override {
    for (int k = 0; k < kTasks; ++k) co_await self.compute(2);
  }
};

std::string flag(const std::vector<std::string>& words, const std::string& name, const std::string& fallback) {
  const auto at = std::find(words.begin(), words.end(), name);
  return at == words.end() || at + 1 == words.end() ? fallback : at[1];
}

/// What the words change in base_task.yaml.
std::vector<std::string> overrides(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  if (words[0] == "phases") all = {"job.workload=augmented-task", "job.phases=10"};
  if (words[0] == "short-tasks") all = {"job.workload=short-tasks"};
  if (const auto n = flag(words, "--workstations", ""); !n.empty())
    all.insert(all.end(), {"platform.workstations=" + n, "job.work== 100 * platform.workstations"});
  const std::string value = flag(words, "--value", "uniform"), length = flag(words, "--length", "uniform");
  all.insert(all.end(), {"owner.value=" + value, "owner.length=" + length});
  if (value == "constant") all.push_back("owner.TH=0");
  if (length == "pareto") all.push_back("owner.shape=3");
  if (flag(words, "--owners", "alike") == "mixed")
    all.push_back("owner.hosts={ws1: {model: dedicated}, ws2: {value: beta}}");
  return all;
}

std::shared_ptr<const Scenario> scenario(const std::vector<std::string>& words) {
  Additions additions;
  additions.workloads.push_back({"short-tasks", "many short tasks", {{"work", KeyType::work, "1f", "not looked at"}},
                 [](KeyReader& read) {
                   read.value("work");
                   return std::make_shared<const ShortTasks>();
                 }});
  return load_experiment(NOWSIM_BASE_TASK, {overrides(words)}, Registries(additions, builtin_checks(), builtin_figures()))
      .points.front().scenario();
}

int measure(const std::vector<std::string>& words) {
  const std::uint64_t replications = std::stoull(flag(words, "--replications", "1000000"));
  const std::uint64_t batch = std::stoull(flag(words, "--batch", "1000"));
  const auto s = scenario(words);
  DirectEngine engine;
  if (const auto width = flag(words, "--width", ""); !width.empty()) engine.use_width(std::stoul(width));
  Moments makespan;
  std::uint64_t steps = 0;
  const std::clock_t begin = std::clock();
  for (std::uint64_t first = 0; first < replications; first += batch)
    steps += engine.run(*s, {first, std::min(batch, replications - first)},
                        [&](const RunResult& r) { makespan.add(r.makespan_s); });
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const double tasks_each = words[0] == "short-tasks" ? ShortTasks::kTasks : 1;
  const double tasks = static_cast<double>(replications * s->size()) * tasks_each;
  std::printf("replications %llu tau %.4f sigma_T %.4f intervals %llu seconds %.3f ns_per_interval %.3f "
              "ns_per_task %.1f\n",
              static_cast<unsigned long long>(replications), makespan.mean(), makespan.sd(),
              static_cast<unsigned long long>(steps), seconds, 1e9 * seconds / static_cast<double>(steps),
              1e9 * seconds / tasks);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string what = words.empty() ? "" : words[0];
  if (what != "base-task" && what != "phases" && what != "short-tasks") {
    std::fputs("usage: direct_engine base-task|phases|short-tasks [--replications R] [--batch REPLICATIONS]\n"
               "                     [--width BYTES] [--workstations N] [--owners alike|mixed] [--value LAW] [--length LAW]\n",
               stderr);
    return 2;
  }
  try {
    return measure(words);
  } catch (const InputError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
