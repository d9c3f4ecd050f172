// The engines by name, and a batch computed by either.
#pragma once

#include <string>

#include "sim/engines/batch_record.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

enum class Engine { direct, simgrid };
/// "direct", "simgrid".
const char* engine_name(Engine engine);

/// Computes batches of any scenarios, one after another, in this process or its children.
class EngineRunner {
 public:
  /// Calls the sink with every replication's results, in any order. @throws RunError, InputError.
  void run(Engine engine, const Scenario& scenario, const Batch& batch, const ResultSink& sink);
  /// That it remembers.
  DrawnOwners& drawn_owners() { return direct_.drawn_owners(); }

 private:
  DirectEngine direct_;
};

/// Condenses them.
class BatchRunner {
 public:
  /// The record is there until the next batch; where parameters were measured with what is run again. @throws RunError,
  /// InputError.
  const BatchRecord& run(Engine engine, const Scenario& scenario, const Batch& batch,
                         const Gathering& gathering = kGatherAll);

 private:
  BatchRecord run_stepped(Engine engine, const Scenario& scenario, const Batch& places, const Gathering& gathering);

  EngineRunner engines_;
  BatchRecord record_;
};

}  // namespace nowsim
