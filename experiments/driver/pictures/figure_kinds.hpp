// nowsim's own kinds of figures.
#pragma once

#include <string>

#include "experiments/driver/reading/figure_kind.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

/// The first is that of figures that name none.
FigureKinds builtin_figures();

/// What a figure of workstations alone has.
struct WorkstationsFigure {
  std::string sort;  ///< the metric by whose falling value they stand; "": as in the platform
  Place sort_place;
};

}  // namespace nowsim
