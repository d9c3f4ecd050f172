// A line for the points, and a look at the signals between them.
#include "tools/running/watched_reading.hpp"

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {

Experiment read_experiment(const std::string& file, const LoadOptions& options, const Registries& registries,
                           bool quiet) {
  StageLine line(quiet);
  return load_experiment(file, options, registries, [&](std::size_t read, std::size_t points) {
    if (interruption_requested()) throw Interrupted();
    line.show("reading: point", read, points);
  });
}

}  // namespace nowsim
