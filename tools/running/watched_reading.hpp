// Reading an experiment as commands do: showing how far it is, and ending where that is asked for.
#pragma once

#include <string>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// Of a sweep that takes longer than a second to be read the points are counted on the error stream of a terminal unless
/// quiet. @throws what load_experiment throws; Interrupted.
Experiment read_experiment(const std::string& file, const LoadOptions& options, const Registries& registries,
                           bool quiet);

}  // namespace nowsim
