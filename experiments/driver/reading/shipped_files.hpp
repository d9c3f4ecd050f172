// Which experiments, platforms and labs a folder holds.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// The names of all experiments of a folder of folders, sorted: labs/network, ... Labs' descriptions and texts are
/// none.
std::vector<std::string> experiments_in(const std::string& folder);
/// How the name of a platform's file ends.
inline constexpr const char* kPlatformEnding = ".xml";
/// The names of the platforms of a folder, sorted: lab-now, ...
std::vector<std::string> platforms_in(const std::string& folder);
/// What a platform's file says of itself: the first sentence of its first comment, on one line; "" where it has none.
/// @throws InputError where the file cannot be read.
std::string platform_title(const std::string& file);
/// The names of the labs of a folder, sorted: of its folders with a lab.yaml.
std::vector<std::string> labs_in(const std::string& folder);
/// The folder of a lab of that name in a folder of labs, and of no path: an answers file may not choose the description
/// that it is judged by. @throws InputError where there is none.
std::string find_lab(const std::string& name, const std::string& labs_folder);

}  // namespace nowsim
