// Bulk-synchronous programs, as descriptions: in each superstep ranks compute, and may move bytes and wait for all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "sim/program/collectives.hpp"
#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

/// One superstep, in this order: the root's message to all others, each rank's compute, what each moves over its own
/// path, and a barrier. Most programs have some of these only.
struct Superstep {
  static constexpr int kNobody = -1;
  int root = kNobody;                 ///< whose message goes to all others
  double bytes = 0;                   ///< of that message
  std::span<const double> work_flop;  ///< per rank; holds until the next step is asked for
  double parts = 1;                   ///< rank i computes work_flop[i]/parts
  double own_bytes = 0;               ///< that each rank moves over its own path; 0: nothing
  bool meets_before_moving = false;   ///< a barrier between computing and that
  bool meets = true;                  ///< a barrier at its end; without one it is the last step
  double barrier_cost_s = 0;          ///< of each of these
  bool repeats = false;               ///< all but the root are as in the step before; never of the first

  [[nodiscard]] double work_of(std::size_t rank) const { return work_flop[rank] / parts; }
};

/// The supersteps of one run, in their order.
class SuperstepSequence {
 public:
  virtual ~SuperstepSequence() = default;
  /// Null behind the last.
  virtual const Superstep* next() = 0;
};

/// A whole program of supersteps. Immutable; all ranks of a run name the same object. It depends on shares alone, so
/// that an engine can run many replications of it side by side.
class Supersteps {
 public:
  virtual ~Supersteps() = default;
  /// How the root's message travels, in a program in which every step has one, and a barrier.
  [[nodiscard]] virtual std::optional<Tree> broadcast_tree() const { return std::nullopt; }
  /// Whether ranks move bytes over their own paths.
  [[nodiscard]] virtual bool moves_own_bytes() const { return false; }
  /// @param share_flop what the policy gave each rank; outlives the sequence.
  [[nodiscard]] virtual std::unique_ptr<SuperstepSequence> begin(std::span<const double> share_flop) const = 0;
};

/// A step that a number of times is the same, as a program.
class RepeatedStep final : public Supersteps {
 public:
  /// Each rank computes an equal part of its share in each; the step's work is not looked at.
  RepeatedStep(const Superstep& step, std::int64_t times) : step_(step), times_(times) {}
  [[nodiscard]] bool moves_own_bytes() const override { return step_.own_bytes > 0; }
  [[nodiscard]] std::unique_ptr<SuperstepSequence> begin(std::span<const double> share_flop) const override;

 private:
  Superstep step_;
  std::int64_t times_;
};

/// What a rank of such a program does, operation by operation.
Process run_supersteps(Rank& self, const Supersteps& program);

/// One superstep without its barriers and what is moved: the broadcast, and the rank's own compute.
Process broadcast_and_compute(Rank& self, const Superstep& step, Tree tree);

}  // namespace nowsim
