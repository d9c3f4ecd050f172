// nowsim's own kinds of figures.
#pragma once

#include "experiments/driver/reading/figure.hpp"

namespace nowsim {

/// The first is that of figures that name none.
FigureKinds builtin_figures();

}  // namespace nowsim
