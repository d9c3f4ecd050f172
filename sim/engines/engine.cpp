// Condensing what either engine gives.
#include "sim/engines/engine.hpp"

#include "sim/engines/simgrid/engine.hpp"

namespace nowsim {

const char* engine_name(Engine engine) { return engine == Engine::direct ? "direct" : "simgrid"; }

const BatchRecord& BatchRunner::run(Engine engine, const Scenario& scenario, const Batch& batch,
                                    const RecordedColumns& columns) {
  RecordBuilder record(scenario, batch, columns, std::move(record_));
  if (engine == Engine::direct) direct_.run(scenario, batch, [&](const RunResult& result) { record.add(result); });
  else
    for (const auto& result : run_batch_simgrid(scenario, batch)) record.add(result);
  return record_ = record.take();
}

}  // namespace nowsim
