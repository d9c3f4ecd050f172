// Reading an experiment as commands do: showing how far it is, and ending where that is asked for.
#pragma once

#include <string>

#include "experiments/driver/points/experiment.hpp"
#include "tools/line/session.hpp"

namespace nowsim {

/// The file that a word means, one's own or one that comes with nowsim; or the name of a description of the session's,
/// which the options hold then. @throws InputError where there is none.
std::string named_experiment(const std::string& word, const Session& session, LoadOptions& options);

/// What its results are called: as the file, or "experiment".
std::string name_of_experiment(const std::string& file, const LoadOptions& options);

/// Of a sweep that takes longer than a second to be read the points are counted on the error stream of a terminal unless
/// quiet. @throws what load_experiment throws; Interrupted.
Experiment read_experiment(const std::string& file, const LoadOptions& options, const Registries& registries,
                           bool quiet);

}  // namespace nowsim
