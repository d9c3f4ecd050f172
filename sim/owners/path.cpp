// A path that stays where it is.
#include "sim/owners/path.hpp"

#include "sim/base/infinity.hpp"

namespace nowsim {

std::unique_ptr<Path> constant_path(double value) {
  return drawn_path([value] { return Step{kInfinity, value}; });
}

}  // namespace nowsim
