// From an experiment as described to one that is ready to be planned: splits that take simulation are found.
#pragma once

#include <functional>
#include <string>

#include "experiments/experiment.hpp"
#include "experiments/split_memory.hpp"

namespace nowsim {

/// How far it is.
struct SplitProgress {
  std::size_t found = 0, wanted = 0;  ///< splits, each once, without those that were remembered
  double seconds = 0;                 ///< since the first was begun
};

/// What may be used, and who is told. Answers do not depend on it.
struct ResolveOptions {
  int jobs = 1;                                           ///< child processes at a time
  std::function<void(const SplitProgress&)> on_progress;  ///< now and then
  std::function<bool()> interrupted;                      ///< asked now and then; true ends it
};

/// Whether some point's split is still to be found.
bool has_open_splits(const Experiment& experiment);

/// The experiment with every point's final shares and, where they were found by simulation, its report. A point whose
/// split cannot be found is infeasible where the policy refuses, and else failed; it costs only itself.
/// Experiments without such points are returned as they are. @throws Interrupted (runner.hpp); what the memory throws.
Experiment resolve_splits(Experiment experiment, SplitMemory& memory, const ResolveOptions& options = {});
/// The same with what is remembered alone; other points stay as they are. Returns how many splits are missing.
std::size_t recall_splits(Experiment& experiment, SplitMemory& memory);

/// What a task's answer is remembered under.
std::string split_key(const SplitTask& task);

}  // namespace nowsim
