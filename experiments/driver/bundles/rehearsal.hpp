// Reading bundled experiments as another machine will: from the bundle's own files, and no others.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/bundles/bundled_experiment.hpp"
#include "experiments/driver/bundles/bundled_flags.hpp"

namespace nowsim {

/// Returns what is worth saying: that the program at hand would simulate something else than what is stored.
/// @throws InputErrors where an experiment cannot be read so, reads a file that is not in the bundle, or is of user
/// code that has been edited since.
std::vector<std::string> rehearse(const std::vector<BundledExperiment>& experiments,
                                  const std::vector<std::vector<NamedPath>>& paths, const FileTree& tree,
                                  const Registries& registries);

}  // namespace nowsim
