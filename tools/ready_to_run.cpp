// Splits before sizes, and showing how far it is.
#include "tools/ready_to_run.hpp"

#include <utility>

#include "experiments/solve_sizes.hpp"
#include "tools/command.hpp"
#include "tools/found_splits.hpp"
#include "tools/progress_line.hpp"

namespace nowsim {
namespace {

Experiment with_found_sizes(Experiment experiment, ResultStore* store, int jobs, bool quiet,
                            const std::function<bool()>& interrupted) {
  ProgressLine line;
  SizeOptions options{jobs, nullptr, interrupted};
  if (!quiet) options.on_progress = [&line](const SizeProgress& progress) { line.show(progress); };
  return solve_sizes(std::move(experiment), store, options);
}

Experiment with_splits_of(const Experiment& described, ResultStore* store, int jobs, bool quiet,
                          const std::function<bool()>& interrupted) {
  PassingSplits passing;
  if (store == nullptr) return with_found_splits(described, passing, jobs, quiet, interrupted);
  StoredSplits stored(*store);
  return with_found_splits(described, stored, jobs, quiet, interrupted);
}

}  // namespace

Experiment ready_to_run(const Experiment& described, ResultStore* store, int jobs, bool quiet,
                        const std::function<bool()>& interrupted) {
  Experiment experiment = with_splits_of(described, store, jobs, quiet, interrupted);
  experiment.remarks.clear();  // they are about the description
  experiment = with_found_sizes(std::move(experiment), store, jobs, quiet, interrupted);
  if (!quiet) print_remarks(experiment);
  return experiment;
}

}  // namespace nowsim
