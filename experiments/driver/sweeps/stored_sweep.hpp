// An experiment run into a store: what is there is reused, what is missing is simulated and kept batch by batch; and what
// that will do, with the searches that come first, and cost on this machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/sweeps/prepare.hpp"

namespace nowsim {

/// What a sweep came to.
struct SweepOutcome {
  ResultTable summary;
  Progress progress;
};

/// Runs an experiment under this name. The summary is the same bytes however often the sweep was interrupted, with any
/// number of jobs. @throws what execute throws.
SweepOutcome sweep_into(BatchStore& store, const std::string& name, const Experiment& experiment, RunOptions options);

/// What finding an experiment's splits will do, each once.
WorkCounts splits_work(const Experiment& experiment, WorkCounter& counter);

/// What finding its sizes will do. The searches are rehearsed: of some of them, spread over the sweep, every trial is
/// made with the first two replications alone, which lead to about the same sizes; the others are taken to be like them.
/// A rehearsal is given up where it would take seconds itself.
struct SizesWork {
  WorkCounts work;
  std::size_t rehearsed = 0, trials = 0;  ///< searches, and their trials
};
SizesWork sizes_work(const Experiment& experiment, WorkCounter& counter, std::size_t most_rehearsed = 16);

/// What a sweep would have to do.
struct SweepForecast {
  std::size_t points = 0, infeasible = 0, scenarios = 0;
  std::uint64_t batches = 0, batches_stored = 0;  ///< at most, where there is a stopping rule
  std::uint64_t batches_as_moments = 0;           ///< of those that are not stored: of series whose moments were kept
  std::uint64_t replications = 0, replications_stored = 0;
  bool may_stop_earlier = false;
  PendingSearches open;  ///< what comes first, and is not counted in these
  WorkCounts work{};     ///< what all that is missing does, with the searches
  double measured_s = 0;  ///< of replications of which the store knows how long others took: these are not in `work`

  /// On one core.
  [[nodiscard]] double seconds(const CostTable& costs) const { return measured_s + costs.seconds(work); }
};
/// `store` may be null: nothing is there yet. So many searches for sizes are rehearsed.
SweepForecast forecast_sweep(BatchStore* store, const Experiment& experiment, std::size_t most_rehearsed = 16);

/// The shipped costs, times this machine's share of them: some milliseconds of the direct engine are timed.
CostTable machine_costs(const Registries& registries);

}  // namespace nowsim
