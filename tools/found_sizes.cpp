// Solving, and showing how far it is.
#include "tools/found_sizes.hpp"

#include <utility>

#include "tools/progress_line.hpp"

namespace nowsim {

Experiment with_found_sizes(Experiment experiment, ResultStore* store, int jobs, bool quiet,
                            const std::function<bool()>& interrupted) {
  ProgressLine line;
  SizeOptions options{jobs, store, nullptr, interrupted};
  if (!quiet) options.on_progress = [&line](const SizeProgress& progress) { line.show(progress); };
  return solve_sizes(std::move(experiment), options);
}

}  // namespace nowsim
