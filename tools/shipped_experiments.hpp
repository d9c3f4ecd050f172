// Finding the experiments that nowsim comes with, wherever it is installed, built, or part of another program.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// An experiment's file: as given, or one of the shipped ones by name (huang-lee-2007/fig05).
std::string find_experiment(const std::string& name);
/// The names of all shipped experiments, sorted: labs/network, ...
std::vector<std::string> shipped_experiments();
/// The folders in which they are looked for, in words: "A or B".
std::string places_of_experiments();

}  // namespace nowsim
