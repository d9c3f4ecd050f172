// From an experiment as described to one whose points can be run: splits and sizes that take simulation are found.
#pragma once

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/run_context.hpp"

namespace nowsim {

class BatchStore;

/// The experiment with its final splits, and its points at the sizes that were found; its remarks are those of these
/// searches. Points that would take longer than the context allows are left out. `store` may be null: nothing is kept.
/// @throws what resolve_splits and solve_sizes throw.
Experiment prepare(Experiment described, BatchStore* store = nullptr, const RunContext& context = {});

}  // namespace nowsim
