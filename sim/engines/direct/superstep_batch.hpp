// A batch of a program of supersteps, many replications side by side and without ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sim/engines/direct/engine.hpp"
#include "sim/engines/direct/supersteps_at_once.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

class SuperstepBatch {
 public:
  /// All references outlive it. @param own_paths as paths_at_once() has them. @param width of registers [bytes], if given.
  SuperstepBatch(const Scenario& scenario, std::span<const OwnPath> own_paths, const ResultSink& sink,
                 const std::optional<std::size_t>& width)
      : scenario_(scenario), own_paths_(own_paths), sink_(sink), width_(width), result_(empty_result(scenario)) {}

  /// Returns how many replications are done: all, or those before one that has no end; none where ranks are asked for
  /// what cannot be. What is left is for events, which tell at what time which rank stops.
  std::uint64_t run(const Batch& batch);
  DirectCounts counts;

 private:
  std::uint64_t run_blocks(const Batch& batch);
  std::uint64_t run_once(const Batch& batch);
  [[nodiscard]] bool are_alike() const;

  const Scenario& scenario_;
  std::span<const OwnPath> own_paths_;
  const ResultSink& sink_;
  std::optional<std::size_t> width_;
  RunResult result_;
};

}  // namespace nowsim
