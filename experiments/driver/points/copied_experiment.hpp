// An experiment's text for another folder, with its comments: what it names is found from there too.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/registries.hpp"

namespace nowsim {

struct CopiedExperiment {
  std::string text;
  std::vector<std::string> files;  ///< that it names and that stay where they are, each once; platforms by name
};

/// The experiment's text, its relative paths made absolute, and platforms of nowsim's own (`platforms` is their folder)
/// called by their name. @throws InputError where the file cannot be read, or its lines do not show where a path stands.
CopiedExperiment copied_experiment(const std::string& file, const std::string& platforms,
                                   const Registries& registries);

}  // namespace nowsim
