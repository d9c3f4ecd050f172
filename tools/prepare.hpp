// What the commands that run points do first: splits and sizes that take simulation are found, with progress.
#pragma once

#include <functional>

#include "experiments/driver/points/experiment.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {

class ProgressLine;
class BatchStore;

/// The experiment with its final splits, and its points at the sizes that were found; progress, how long it will take
/// where that is long, and what the search found worth a remark, on the error stream unless quiet. `store` may be null:
/// nothing is kept. @throws what resolve_splits, solve_sizes and long_run_remark throw.
Experiment ready_to_run(const Experiment& described, BatchStore* store, int jobs, bool quiet,
                        const std::function<bool()>& interrupted = nullptr);

/// What may be used, and who is told.
struct Preparation {
  int jobs = 1;
  ProgressLine* line = nullptr;  ///< goes on afterwards; null: none
  std::function<bool()> interrupted;
  double most_s = kInfinity;  ///< of one core: points that would take longer are left out
  bool tells_long_runs = true;
};
/// Ready to run with a line that goes on, and without points that would take too long.
Experiment ready_to_run(const Experiment& described, BatchStore* store, const Preparation& how);

}  // namespace nowsim
