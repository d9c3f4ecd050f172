// From an experiment as described to one whose points can be run: which splits and sizes take simulation, and finding them.
#pragma once

#include <cstddef>
#include <string>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/run_context.hpp"

namespace nowsim {

class BatchStore;

/// Splits and sizes that are still to be found.
struct PendingSearches {
  std::size_t splits = 0;  ///< each once
  std::size_t sizes = 0;
  std::size_t trials = 0;  ///< the most for one of these sizes
  std::string sought;      ///< "job.size where E = 30 %"

  /// "3 to be found first, by simulation"; "" where there are none.
  [[nodiscard]] std::string splits_text() const;
  /// "60 to be found first, by simulation, each by at most 60 trials: job.size where E = 30 %"; "" where there are
  /// none.
  [[nodiscard]] std::string sizes_text() const;
};

PendingSearches pending_searches(const Experiment& experiment);

/// The experiment with its final splits, and its points at the sizes that were found; its remarks are those of these
/// searches. Points that would take longer than the context allows are left out. `store` may be null: nothing is kept.
/// @throws what resolve_splits and solve_sizes throw.
Experiment prepare(Experiment described, BatchStore* store = nullptr, const RunContext& context = {});

}  // namespace nowsim
