// The direct engine: replications without SimGrid.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engines/direct/route_table.hpp"
#include "sim/owners/drawn_owners.hpp"
#include "sim/program/process.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// Called with every replication's results, in any order; they are overwritten afterwards.
using ResultSink = std::function<void(const RunResult&)>;

/// A result with all columns that a scenario's replications have, of zeros.
RunResult empty_result(const Scenario& scenario);

/// Runs batches one after another; remembers platforms' routes, and the owners of draws.
class DirectEngine {
 public:
  /// Why this engine cannot run a scenario, as a sentence; nothing where it can.
  [[nodiscard]] static std::optional<std::string> unsupported_reason(const Scenario& scenario);

  /// Computes a batch. @returns for benchmarks, the steps of availability paths that began while ranks computed, or
  /// before, waiting. @throws RunError for a deadlock or a program that throws; InputError where there is such a reason
  /// or no route.
  std::uint64_t run(const Scenario& scenario, const Batch& batch, const ResultSink& sink);

  DrawnOwners& drawn_owners() { return drawn_owners_; }

  /// Bytes of the SIMD registers to be used (AvailabilityLanes::widths_here), for tests and benchmarks.
  void use_width(std::size_t register_bytes) { width_ = register_bytes; }

 private:
  std::uint64_t run_one_draw(const Scenario& scenario, const Batch& batch, const ResultSink& sink);

  std::map<std::shared_ptr<const Platform>, std::unique_ptr<RouteTable>> routes_;
  DrawnOwners drawn_owners_;
  std::unique_ptr<FramePool> frames_ = std::make_unique<FramePool>();
  std::optional<std::size_t> width_;
};

/// What is said then.
inline std::string cannot_run_text(const std::string& reason) { return "the engine direct cannot run this: " + reason; }

/// A batch in the order of its replications. @throws as DirectEngine::run.
std::vector<RunResult> run_batch_direct(const Scenario& scenario, const Batch& batch);

}  // namespace nowsim
