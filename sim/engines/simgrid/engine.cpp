// Having SimGrid compute batches, in child processes: the part of this room that the program holds, not its module.
#include "sim/engines/simgrid/engine.hpp"

#include <algorithm>
#include <iterator>

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

void unpack_results(const std::string& bytes, std::vector<RunResult>& results, BatchProgress& progress) {
  Deserializer in(bytes);
  BatchPart part;
  in.get_into(part);
  progress = {progress.done + part.results.size(), part.typical_time_s};
  std::ranges::move(part.results, std::back_inserter(results));
}

std::vector<RunResult> run_batch_simgrid(const Scenario& scenario, const Batch& batch, double typical_time_s) {
  std::vector<RunResult> results;
  if (restarts_as_a_whole(scenario)) {
    const WholeRestarts restarts(scenario);
    for (std::uint64_t k = 0; k < batch.count; ++k)
      results.push_back(restarts.run(batch.first + k, [](const Scenario& attempt, std::uint64_t replication) {
        return run_batch_simgrid(attempt, {replication, 1}).front();
      }));
    return results;
  }
  const auto run = simgrid_module().run;
  BatchProgress progress{0, typical_time_s};
  while (progress.done < batch.count)
    unpack_results(in_child_process([&] { return run(scenario, batch, progress); }), results, progress);
  if (scenario.controls)
    for (auto& r : results) r.controls = scenario.controls->sums(scenario, r.replication, r.makespan_s);
  return results;
}

}  // namespace nowsim
