// What the commands that run points do first: splits that take simulation are found, with progress.
#pragma once

#include <functional>

#include "experiments/driver/sweeps/resolve_splits.hpp"

namespace nowsim {

class ProgressLine;

/// The experiment with its final splits; progress on the error stream unless quiet. @throws what resolve_splits throws.
Experiment with_found_splits(const Experiment& experiment, SplitMemory& memory, int jobs, bool quiet,
                             const std::function<bool()>& interrupted = nullptr);
/// The same with a line that goes on afterwards; null: quiet.
Experiment with_found_splits(const Experiment& experiment, SplitMemory& memory, int jobs, ProgressLine* line,
                             const std::function<bool()>& interrupted);

}  // namespace nowsim
