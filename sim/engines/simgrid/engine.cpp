// Having SimGrid compute batches, in child processes: the part of this room that the program holds, not its module.
#include "sim/engines/simgrid/engine.hpp"

#include "sim/base/serialization.hpp"
#include "sim/engines/ranks/whole_restarts.hpp"
#include "sim/platform/child_outcome.hpp"
#include "sim/platform/simgrid_module.hpp"
#include "sim/program/control_variates.hpp"

namespace nowsim {

void unpack_results(const std::string& bytes, std::vector<RunResult>& results, BatchProgress& progress) {
  Deserializer in(bytes);
  const auto done = in.get<std::uint64_t>();
  progress.done += done;
  progress.typical_time_s = in.get<double>();
  for (std::uint64_t k = 0; k < done; ++k) {
    RunResult r;
    r.replication = in.get<std::uint64_t>();
    r.makespan_s = in.get<double>();
    for (auto& column : r.columns) column = in.get_doubles();
    results.push_back(std::move(r));
  }
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
