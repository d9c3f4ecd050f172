// Looking for a split in all that machines could do in the job's time, not near one place alone.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/splitting/split_search.hpp"

namespace nowsim {

/// Each machine's times with shares from next to nothing up to a most: what curves (finish_curves.hpp) tell of splits
/// that have nothing in common. Machines do not wait for one another, so that a run tells of a share of each at once,
/// whatever their sum is.
class WideCurves {
 public:
  /// Runs some shares of every machine up to these. Nothing where machines wait for one another after all, the program
  /// cannot be run so, or curves of so many machines are not held in memory.
  static std::optional<WideCurves> learnt(Pilot& pilot, const Batch& sample, std::span<const double> most_flop);

  [[nodiscard]] const FinishCurves& curves() const { return curves_; }

  /// The split with which each machine alone has the same objective, by some runs more. Of all splits the largest of
  /// the machines' objectives, none of which falls as its share grows, is least there.
  std::vector<double> levelled(Pilot& pilot, const SmoothObjective& smooth, double work_flop);

 private:
  struct Node {
    double share_flop, value;
  };
  WideCurves(const Batch& sample, std::size_t machines)
      : sample_(sample), curves_(machines, sample.count, kShares + kCloser), shares_(machines) {}
  void learn_values(const SmoothObjective& smooth);
  [[nodiscard]] std::vector<double> at_level(double level) const;

  static constexpr std::size_t kShares = 16, kCloser = 4;  // runs
  Batch sample_;
  FinishCurves curves_;
  std::vector<std::vector<Node>> shares_;  // of each machine, ascending
};

/// The best split by curves that is found from any of these downhill, and by moving the work of two machines between
/// them.
std::vector<double> best_from(std::span<const std::vector<double>> starts, const FinishCurves& curves,
                              const SmoothObjective& smooth, const SearchSpace& space);

}  // namespace nowsim
