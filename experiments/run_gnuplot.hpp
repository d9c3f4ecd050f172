// Running gnuplot, without a shell and without its user's settings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nowsim {

/// Whether a file is there and is not empty.
bool is_there(const std::filesystem::path& file);

/// @throws RunError where there is no gnuplot.
void check_gnuplot();

/// Has gnuplot run with these words in a folder. @throws RunError where there is no gnuplot, where it fails (with what
/// it said), or where it does not leave the wanted files, whose paths count from the folder. PDFs among
/// these bear no date.
void run_gnuplot(const std::filesystem::path& folder, const std::vector<std::string>& words,
                 const std::vector<std::filesystem::path>& wanted);

}  // namespace nowsim
