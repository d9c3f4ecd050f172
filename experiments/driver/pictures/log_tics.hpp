// Tics of a log axis that gnuplot, which puts them at powers of ten, would leave with one label or none.
#pragma once

#include <vector>

namespace nowsim {

/// Round numbers from least to most, which is above it and both above 0: 1, 2 and 5 times powers of ten, or all digits
/// times powers of ten where there are fewer than three of those, or both ends where there are still fewer than two.
std::vector<double> log_tics(double least, double most);

}  // namespace nowsim
