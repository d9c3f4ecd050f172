// What a figure of workstations alone has.
#pragma once

#include <string>

#include "sim/base/error.hpp"

namespace nowsim {

struct WorkstationsFigure {
  std::string sort;  ///< the metric by whose falling value they stand; "": as in the platform
  Place sort_place;
};

}  // namespace nowsim
