// What `nowsim new` writes: an experiment and a platform to start from, with a comment for each key, or a copy.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// A small experiment on the machines of a platform's file, as YAML: what it sets, and behind '#' all other keys of its
/// blocks with what counts without them.
std::string new_experiment_text(const std::string& title, const std::string& platform_file, const Registries& registries);

/// The file of such a platform: four machines on a switch.
std::string new_platform_text();

struct CopiedExperiment {
  std::string text;
  std::vector<std::string> files;  ///< that it names and that stay where they are, each once; platforms by name
};

/// The experiment's text, its relative paths made absolute, and platforms of nowsim's own (`platforms` is their folder)
/// called by their name. @throws InputError where the file cannot be read, or its lines do not show where a path stands.
CopiedExperiment copied_experiment(const std::string& file, const std::string& platforms,
                                   const Registries& registries);

}  // namespace nowsim
