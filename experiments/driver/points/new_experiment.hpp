// An experiment and a platform to start from, whose comments say what each key is: the tables by which they are read.
#pragma once

#include <string>

#include "experiments/driver/reading/registries.hpp"

namespace nowsim {

/// A small experiment on the machines of a platform's file, as YAML: what it sets, and behind '#' all other keys of its
/// blocks with what counts without them.
std::string new_experiment_text(const std::string& title, const std::string& platform_file, const Registries& registries);

/// The file of such a platform: four machines on a switch.
std::string new_platform_text();

}  // namespace nowsim
