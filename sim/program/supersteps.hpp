// Bulk-synchronous programs: in each superstep one rank broadcasts, all compute, and all wait for each other.
#pragma once

#include <memory>
#include <span>

#include "sim/program/collectives.hpp"
#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

/// One superstep: the root's message to all others, then each rank's compute, then a barrier.
struct Superstep {
  int root = 0;
  double bytes = 0;
  std::span<const double> work_flop;  ///< per rank; holds until the next step is asked for
  bool repeats = false;               ///< bytes and work are those of the step before; never of the first
};

/// The supersteps of one run, in their order.
class SuperstepSequence {
 public:
  virtual ~SuperstepSequence() = default;
  /// Null behind the last.
  virtual const Superstep* next() = 0;
};

/// A program of supersteps. Immutable; all ranks of a run name the same object.
class Supersteps {
 public:
  virtual ~Supersteps() = default;
  /// How the root's message travels.
  [[nodiscard]] virtual Tree tree() const = 0;
  /// @param share_flop what the policy gave each rank.
  [[nodiscard]] virtual std::unique_ptr<SuperstepSequence> begin(std::span<const double> share_flop) const = 0;
};

/// Runs a program of supersteps, with all ranks, behind a barrier: in one go where the engine can, else message by message.
Process run_supersteps(Rank& self, const Supersteps& program);

/// One superstep without its barrier: the broadcast, and the rank's own compute.
Process broadcast_and_compute(Rank& self, const Superstep& step, Tree tree);

}  // namespace nowsim
