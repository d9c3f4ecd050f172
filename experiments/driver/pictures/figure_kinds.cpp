// The table of kinds.
#include "experiments/driver/pictures/figure_kinds.hpp"

#include <vector>

#include "sim/base/registry.hpp"

namespace nowsim {
namespace figures {

using FigureKindMaker = FigureKind();

// clang-format off
/// In the order in which they are listed. Each stands in a file of its own.
NOWSIM_LISTED(FigureKindMaker, kAll,
              curves,
              surface,
              winners,
              workstations,
              distribution,
              spread);
// clang-format on

}  // namespace figures

FigureKinds builtin_figures() {
  static const std::vector<FigureKind> kinds = made(figures::kAll);
  return kinds;
}

}  // namespace nowsim
