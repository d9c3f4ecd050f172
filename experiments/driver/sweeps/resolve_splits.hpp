// From an experiment as described to one that is ready to be planned: splits that take simulation are found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/run_context.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {

class BatchStore;

/// The splits that are still to be found, each once; points may share one.
std::vector<std::shared_ptr<const SplitTask>> open_splits(const Experiment& experiment);

/// The experiment with every point's final shares and, where they were found by simulation, its report. A point whose
/// split cannot be found is infeasible where the policy refuses, and else failed; it costs only itself.
/// Experiments without such points are returned as they are. `store`: where splits are taken from and kept, each committed
/// at once, since it cost seconds; may be null. @throws Interrupted; what the store throws.
Experiment resolve_splits(Experiment experiment, BatchStore* store, const RunContext& context = {});
/// The same with what a store has alone, of which nothing is written; other points stay open.
Experiment recall_splits(Experiment experiment, BatchStore& store);

/// What a task's answer is kept under.
std::string split_key(const SplitTask& task);

}  // namespace nowsim
