// nowsim's own kinds of figures.
#pragma once

#include <string>

#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/reading/figure.hpp"

namespace nowsim {

/// The first is that of figures that name none.
FigureKinds builtin_figures();

// Scripts that are long enough for a file of their own, beside that of the kind.
std::string curves_script(const ResolvedFigure& figure);
std::string surface_script(const ResolvedFigure& figure);
std::string winners_script(const ResolvedFigure& figure);
std::string workstations_script(const ResolvedFigure& figure);
std::string distribution_script(const ResolvedFigure& figure);

}  // namespace nowsim
