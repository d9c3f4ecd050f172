// What the engines need to know of a parallel program: the work to be split, and what each rank does.
#pragma once

#include <cstdint>

#include "sim/process.hpp"
#include "sim/rank.hpp"

namespace nowsim {

/// A parallel program with its parameters. Immutable; engines run it any number of times.
class Workload {
 public:
  virtual ~Workload() = default;
  /// The job's size |A| = X [flop], which the policy splits among the ranks; 0 where there is nothing to split.
  [[nodiscard]] virtual double work_flop() const = 0;
  /// Synchronised phases N_s: the theory's parameter (HL 6), 1 for a program without.
  [[nodiscard]] virtual std::int64_t phases() const { return 1; }
  /// Whether ranks send or transfer anything: theory of T knows computing and waiting only.
  [[nodiscard]] virtual bool communicates() const { return false; }
  /// The fewest ranks the program can run on.
  [[nodiscard]] virtual int least_ranks() const { return 1; }
  /// What one rank does. `self` and the workload outlive the process.
  virtual Process run(Rank& self) const = 0;
};

}  // namespace nowsim
