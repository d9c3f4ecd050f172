// What running an experiment will do: its points, the searches that come first, and what a store has of it already.
#pragma once

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/cost_estimate.hpp"

namespace nowsim {

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

/// The shipped costs, times this machine's share of them: some milliseconds of the direct engine are timed.
CostTable machine_costs(const Registries& registries);

}  // namespace nowsim
