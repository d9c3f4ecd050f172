// Running gnuplot, without a shell and without its user's settings.
#pragma once

#include <filesystem>
#include <string>

namespace nowsim {

/// @throws RunError where there is no gnuplot.
void check_gnuplot();

/// Has gnuplot run a script in a folder, without what its user has set in files or in the environment.
/// @throws RunError where there is no gnuplot, or where it fails (with what it said).
void run_gnuplot(const std::filesystem::path& folder, const std::string& script);

}  // namespace nowsim
