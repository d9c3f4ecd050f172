// What the commands that run points do first: splits and sizes that take simulation are found, with progress.
#pragma once

#include <functional>

#include "experiments/experiment.hpp"

namespace nowsim {

class ResultStore;

/// The experiment with its final splits, and its points at the sizes that were found; progress, and what the search
/// found worth a remark, on the error stream unless quiet. `store` may be null: nothing is kept. @throws what
/// resolve_splits and solve_sizes throw.
Experiment ready_to_run(const Experiment& described, ResultStore* store, int jobs, bool quiet,
                        const std::function<bool()>& interrupted = nullptr);

}  // namespace nowsim
