// Finding the experiments that nowsim comes with, wherever it is installed, built, or part of another program.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// An experiment's file: as given, or one of the shipped ones by name (huang-lee-2007/fig05).
std::string find_experiment(const std::string& name);
/// The names of all shipped experiments, sorted: labs/network, ... Labs' descriptions and texts are none.
std::vector<std::string> shipped_experiments();
/// The folder of the shipped labs; "" where there is none.
std::string shipped_labs_folder();
/// The names of the labs of a folder, sorted: of its folders with a lab.yaml.
std::vector<std::string> labs_in(const std::string& folder);
/// The folder of a lab of that name in a folder of labs, and of no path: an answers file may not choose the description
/// that it is judged by. @throws InputError where there is none.
std::string find_lab(const std::string& name, const std::string& labs_folder);
/// The folders in which they are looked for, in words: "A or B".
std::string places_of_experiments();

}  // namespace nowsim
