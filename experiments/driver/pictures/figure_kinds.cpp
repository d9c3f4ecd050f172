// The table of kinds.
#include "experiments/driver/pictures/figure_kinds.hpp"

#include <algorithm>

namespace nowsim {

const FigureDrawing& drawing_of(FigureKind kind) {
  static constexpr FigureDrawing table[] = {
      {FigureKind::curves, "curves", true, resolve_curves, curves_script},
      {FigureKind::surface, "surface", false, resolve_surface, surface_script},
      {FigureKind::winners, "winners", false, resolve_winners, winners_script},
      {FigureKind::workstations, "workstations", true, resolve_workstations, workstations_script}};
  return *std::ranges::find(table, kind, &FigureDrawing::kind);
}

}  // namespace nowsim
