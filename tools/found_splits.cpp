// Resolving, and showing how far it is.
#include "tools/found_splits.hpp"

#include "tools/progress_line.hpp"

namespace nowsim {

Experiment with_found_splits(const Experiment& experiment, SplitMemory& memory, int jobs, bool quiet,
                             const std::function<bool()>& interrupted) {
  ProgressLine line;
  return with_found_splits(experiment, memory, jobs, quiet ? nullptr : &line, interrupted);
}

Experiment with_found_splits(const Experiment& experiment, SplitMemory& memory, int jobs, ProgressLine* line,
                             const std::function<bool()>& interrupted) {
  ResolveOptions options{jobs, nullptr, interrupted};
  if (line != nullptr) options.on_progress = [line](const SplitProgress& progress) { line->show(progress); };
  return resolve_splits(experiment, memory, options);
}

}  // namespace nowsim
