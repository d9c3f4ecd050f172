// Condensing what either engine gives.
#include "sim/engines/engine.hpp"

#include <algorithm>

#include "sim/engines/simgrid/engine.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

const char* engine_name(Engine engine) { return engine == Engine::direct ? "direct" : "simgrid"; }

void EngineRunner::run(Engine engine, const Scenario& scenario, const Batch& batch, const ResultSink& sink) {
  if (engine == Engine::direct) direct_.run(scenario, batch, sink);
  else std::ranges::for_each(run_batch_simgrid(scenario, batch), sink);
}

const BatchRecord& BatchRunner::run(Engine engine, const Scenario& scenario, const Batch& batch,
                                    const Gathering& gathering) {
  RecordBuilder record(scenario, batch, gathering, std::move(record_));
  engines_.run(engine, scenario, batch, [&](const RunResult& result) { record.add(result); });
  record_ = record.take();
  if (const Batch places = stepped_places(scenario, batch); gathering.steps && places.count > 0)
    record_.stepped.push_back(run_stepped(engine, scenario, places, gathering));
  return record_;
}

/// In pieces that see one draw and one step.
BatchRecord BatchRunner::run_stepped(Engine engine, const Scenario& scenario, const Batch& places,
                                     const Gathering& gathering) {
  RecordBuilder record(scenario, places, gathering);
  const std::uint64_t end = places.first + places.count;
  for (std::uint64_t place = places.first; place < end;) {
    const SteppedRun first = stepped_run(place);
    std::uint64_t count = 1;
    while (place + count < end && stepped_run(place + count).replication == first.replication + count) ++count;
    const Scenario stepped = as_drawn(
        scenario, {first.replication / kReplicationsPerDraw, first.block, first.is_up ? 1 : -1}, &engines_.drawn_owners());
    engines_.run(engine, stepped, {first.replication, count},
                 [&](const RunResult& r) { record.add(r, place + (r.replication - first.replication)); });
    place += count;
  }
  return record.take();
}

}  // namespace nowsim
