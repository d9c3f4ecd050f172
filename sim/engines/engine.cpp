// Condensing what either engine gives.
#include "sim/engines/engine.hpp"

#include "sim/engines/simgrid/engine.hpp"

namespace nowsim {

const char* engine_name(Engine engine) { return engine == Engine::direct ? "direct" : "simgrid"; }

const BatchRecord& BatchRunner::run(Engine engine, const Scenario& scenario, const Batch& batch) {
  if (engine == Engine::simgrid) return record_ = make_record(scenario, batch, run_batch_simgrid(scenario, batch));
  RecordBuilder record(scenario, batch, std::move(record_));
  direct_.run(scenario, batch, [&](const RunResult& result) { record.add(result); });
  return record_ = record.take();
}

}  // namespace nowsim
