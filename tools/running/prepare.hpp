// What the commands that run points do first: splits and sizes that take simulation are found, with progress.
#pragma once

#include <functional>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"

namespace nowsim {

class ProgressLine;
class BatchStore;

/// A context that shows progress on a line (null: none) and ends when a signal asks for it. The line outlives it.
RunContext shown_on(ProgressLine* line, int jobs, double most_s = kInfinity);

/// prepare() (prepare.hpp of sweeps), and unless quiet, on the error stream: how long it will take where that is long,
/// and what the search found worth a remark. `line`, which is the context's, is wiped before. @throws what prepare()
/// and long_run_remark() throw.
Experiment ready_to_run(const Experiment& described, BatchStore* store, const RunContext& context, ProgressLine* line,
                        bool tells_long_runs = true);
/// The same with a line of its own, unless quiet; `interrupted`: what ends it, by default a signal.
Experiment ready_to_run(const Experiment& described, BatchStore* store, int jobs, bool quiet,
                        const std::function<bool()>& interrupted = nullptr);

}  // namespace nowsim
