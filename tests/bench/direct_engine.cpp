// What a step of availability costs nowsim's direct engine, over the whole of its replications, in this process.
//
// usage: direct_engine base-task|short-tasks [--replications R] [--value LAW] [--length LAW] [--width BYTES] [--batch REPLICATIONS]
//
// base-task: HL's, N = 8, X_i = 100. short-tasks: 100 tasks of 2 per rank, one after another. Steps are those that tasks
// began; engine, coroutines, statistics and what the owners used until the end of each replication are in the time.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "sim/engines/direct/engine.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/platform/generate_platform.hpp"

using namespace nowsim;

namespace {

struct Tasks final : Workload {
  Tasks(double flop_, int count_) : Workload({}), flop(flop_), count(count_) {}
  Process run(Rank& self) const override {
    for (int k = 0; k < count; ++k) co_await self.compute(flop);
  }
  double flop;
  int count;
};

std::string flag(const std::vector<std::string>& words, const std::string& name, const std::string& fallback) {
  const auto at = std::find(words.begin(), words.end(), name);
  return at == words.end() || at + 1 == words.end() ? fallback : at[1];
}

Scenario scenario(const std::string& what, const std::string& value, const std::string& length) {
  GeneratedPlatform machines;
  for (int i = 0; i < 8; ++i) {
    machines.names.push_back("ws" + std::to_string(i + 1));
    machines.speed_flops.push_back(1);
  }
  Scenario s;
  s.platform = std::make_shared<const Platform>(generate_platform(machines));
  const double th = value == "constant" ? 0 : 0.28;
  s.owners.assign(8, intervals_owner(make_value_law(value, 0.5, th), make_length_law(length, 10, 3), "owner"));
  s.workload = what == "base-task" ? std::make_shared<const Tasks>(100, 1) : std::make_shared<const Tasks>(2, 100);
  s.share_flop.assign(8, 0);
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string what = words.empty() ? "" : words[0];
  if (what != "base-task" && what != "short-tasks") {
    std::fputs("usage: direct_engine base-task|short-tasks [--replications R] [--value LAW] [--length LAW] [--width BYTES] [--batch REPLICATIONS]\n", stderr);
    return 2;
  }
  const std::uint64_t replications = std::stoull(flag(words, "--replications", "1000000"));
  const std::uint64_t batch = std::stoull(flag(words, "--batch", "1000"));
  const Scenario s = scenario(what, flag(words, "--value", "uniform"), flag(words, "--length", "uniform"));
  DirectEngine engine;
  if (const auto width = flag(words, "--width", ""); !width.empty()) engine.use_width(std::stoul(width));
  Moments makespan;
  std::uint64_t steps = 0;
  const std::clock_t begin = std::clock();
  for (std::uint64_t first = 0; first < replications; first += batch)
    steps += engine.run(s, {first, std::min(batch, replications - first)},
                        [&](const RunResult& r) { makespan.add(r.makespan_s); }).task_steps;
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("replications %llu tau %.4f sigma_T %.4f intervals %llu seconds %.3f ns_per_interval %.3f ns_per_task %.1f\n",
              static_cast<unsigned long long>(replications), makespan.mean(), makespan.sd(),
              static_cast<unsigned long long>(steps), seconds, 1e9 * seconds / static_cast<double>(steps),
              1e9 * seconds / (static_cast<double>(replications) * 8 * (what == "base-task" ? 1 : 100)));
  return 0;
}
