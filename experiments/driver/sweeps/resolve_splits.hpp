// From an experiment as described to one that is ready to be planned: splits that take simulation are found.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/sweeps/split_memory.hpp"

namespace nowsim {

/// How far it is.
struct SplitProgress {
  std::size_t found = 0, wanted = 0;  ///< splits, each once, without those that were remembered
  std::size_t recalled = 0;           ///< those
  double seconds = 0;                 ///< since the first was begun
};

/// What a search for splits or sizes may use, and who is told. Answers do not depend on it.
template <class Progress>
struct SearchOptions {
  int jobs = 1;                                      ///< child processes at a time
  std::function<void(const Progress&)> on_progress;  ///< now and then
  std::function<bool()> interrupted;                 ///< asked now and then; true ends it
};
using ResolveOptions = SearchOptions<SplitProgress>;

/// The splits that are still to be found, each once; points may share one.
std::vector<std::shared_ptr<const SplitTask>> open_splits(const Experiment& experiment);

/// The experiment with every point's final shares and, where they were found by simulation, its report. A point whose
/// split cannot be found is infeasible where the policy refuses, and else failed; it costs only itself.
/// Experiments without such points are returned as they are. @throws Interrupted (runner.hpp); what the memory throws.
Experiment resolve_splits(Experiment experiment, SplitMemory& memory, const ResolveOptions& options = {});
/// The same with what is remembered alone; other points stay open.
Experiment recall_splits(Experiment experiment, SplitMemory& memory);

/// What a task's answer is remembered under.
std::string split_key(const SplitTask& task);

}  // namespace nowsim
