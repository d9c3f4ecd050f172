// A line for the points, and a look at the signals between them.
#include "tools/running/watched_reading.hpp"

#include <filesystem>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"
#include "tools/shipped/shipped_experiments.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {

std::string named_experiment(const std::string& word, const Session& session, LoadOptions& options) {
  const YamlNode* const description = session.described(word);
  if (description == nullptr) return find_experiment(word);
  options.description = std::make_shared<const YamlNode>(*description);
  return word;
}

std::string name_of_experiment(const std::string& file, const LoadOptions& options) {
  return options.description ? "experiment" : std::filesystem::path(file).stem().string();
}

Experiment read_experiment(const std::string& file, const LoadOptions& options, const Registries& registries,
                           bool quiet) {
  StageLine line(quiet);
  return load_experiment(file, options, registries, [&](std::size_t read, std::size_t points) {
    if (interruption_requested()) throw Interrupted();
    line.show("reading: point", read, points);
  });
}

}  // namespace nowsim
