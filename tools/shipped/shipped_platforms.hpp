// Finding the platforms that nowsim comes with, by name.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// The names of all shipped platforms, sorted: campus, lab-now, ...
std::vector<std::string> shipped_platforms();
/// A platform's file: as given, or one of the shipped ones by name (lab-now), or mylab.xml by mylab. @throws InputError
/// where there is no such file, and the name is near that of one.
std::string find_platform(const std::string& name);

/// Whether one that comes with nowsim is meant by this name.
bool is_shipped_platform(const std::string& name);

/// Refuses a name that is evidently none of a platform: an experiment's, or a folder of results. @throws InputError.
void refuse_no_platform(const std::string& name);

}  // namespace nowsim
