// What the commands that run points do before: sizes that are solved for are found, with progress.
#pragma once

#include <functional>

#include "experiments/solve_sizes.hpp"

namespace nowsim {

/// The experiment with its points at the sizes that were found; progress on the error stream unless quiet. `store` may
/// be null: trials are not kept. @throws what solve_sizes throws.
Experiment with_found_sizes(Experiment experiment, ResultStore* store, int jobs, bool quiet,
                            const std::function<bool()>& interrupted = nullptr);

}  // namespace nowsim
