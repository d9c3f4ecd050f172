// Finding the experiments that nowsim comes with, wherever it is installed, built, or part of another program.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// An experiment's file: as given, or one of the shipped ones by name (huang-lee-2007/fig05), or mylab.yaml by mylab.
/// @throws InputError where there is no such file, and the name is near that of one.
std::string find_experiment(const std::string& name);
/// The names of all shipped experiments, sorted: labs/network, ... Labs' descriptions and texts are none.
std::vector<std::string> shipped_experiments();
/// The folder that they are in; "" where there is none.
std::string shipped_experiments_folder();
/// The folder of the shipped platforms; "" where there is none.
std::string shipped_platforms_folder();
/// The folder of the shipped labs; "" where there is none.
std::string shipped_labs_folder();
/// The folders in which they are looked for, in words: "A or B".
std::string places_of_experiments();

}  // namespace nowsim
