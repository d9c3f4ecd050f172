// The one infinity: for ever, never, without bound.
#pragma once

#include <limits>

namespace nowsim {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace nowsim
