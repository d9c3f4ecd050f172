// Rows of cells in columns that line up, for tables that are read from left to right.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace nowsim {

/// Prints rows of equally many cells: the first column left-aligned, the others right-aligned.
void print_aligned(const std::vector<std::vector<std::string>>& rows, std::ostream& out);

}  // namespace nowsim
