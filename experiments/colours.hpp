// Colours of figures that can still be told apart on a grey print.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// The colour (#rrggbb) at a part (0 to 1) of a ramp from dark blue over green to yellow, which grows lighter
/// throughout.
std::string colour_at(double part);

/// n colours (#rrggbb) for lines on white, each lighter than the one before.
std::vector<std::string> colours(std::size_t n);

}  // namespace nowsim
