// Having SimGrid compute batches, in child processes: the part of this room that the program holds, not its module.
#include "sim/engines/simgrid/engine.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/serialization.hpp"
#include "sim/engines/ranks/whole_restarts.hpp"
#include "sim/platform/simgrid_module.hpp"
#include "sim/platform/worker_process.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

/// As kUsedByModule of simgrid_module.cpp, of a room that is above that file's.
[[gnu::used]] const auto kDrawsForModule = &ScenarioDraws::of;

}  // namespace

void BatchPart::add(const std::string& bytes) {
  BatchPart more;
  Deserializer(bytes).get_into(more);
  typical_time_s = more.typical_time_s;
  std::ranges::move(more.results, std::back_inserter(results));
}

std::vector<RunResult> run_batch_simgrid(const Scenario& scenario, const Batch& batch, double typical_time_s) {
  BatchPart all{typical_time_s, {}};
  if (restarts_as_a_whole(scenario)) {
    const WholeRestarts restarts(scenario);
    for (std::uint64_t k = 0; k < batch.count; ++k)
      all.results.push_back(restarts.run(batch.first + k, [](const Scenario& attempt, std::uint64_t replication) {
        return run_batch_simgrid(attempt, {replication, 1}).front();
      }));
    return std::move(all.results);
  }
  const auto run = simgrid_module().run;
  while (all.results.size() < batch.count) {
    const Batch left{batch.first + all.results.size(), batch.count - all.results.size()};
    all.add(in_child_process([&] { return run(scenario, left, all.typical_time_s); }));
  }
  if (scenario.controls)
    for (auto& r : all.results) r.controls = scenario.controls->sums(scenario, r.replication, r.makespan_s);
  return std::move(all.results);
}

}  // namespace nowsim
