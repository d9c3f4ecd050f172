// The table of kinds.
#include "experiments/driver/pictures/figure_kinds.hpp"

#include <algorithm>

namespace nowsim {

const FigureDrawing& drawing_of(FigureKind kind) {
  static const FigureDrawing table[] = {curves_drawing(), surface_drawing(), winners_drawing(), workstations_drawing()};
  return *std::ranges::find(table, kind, &FigureDrawing::kind);
}

}  // namespace nowsim
