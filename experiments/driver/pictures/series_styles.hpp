// How each series of a figure looks: techniques and policies alike in all figures, other values by their order.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/pictures/resolved_figure.hpp"

namespace nowsim {

/// A curve's or an area's.
struct SeriesStyle {
  std::string colour;  ///< #rrggbb
  std::string dash;    ///< gnuplot's dashtype
  int point = 7;       ///< gnuplot's pointtype
  bool is_named = false;  ///< from a table

  /// Whether its mark is an outline alone.
  [[nodiscard]] bool is_open() const { return point >= 4 && point % 2 == 0; }
};

/// Those of a figure's series that are no theory. Where their key is job.technique or split.policy, or most of its values
/// are names of techniques or of policies, each name has its own look, whatever other values there are and in which
/// order; names that are in no table (yours) have eight looks that no table has, in turn by the alphabet. Other values
/// have the colours of a ramp.
std::vector<SeriesStyle> series_styles(const ResolvedFigure& figure);
/// Colours for areas: the same, but that other values have distinct ones.
std::vector<std::string> area_colours(const ResolvedFigure& figure);

}  // namespace nowsim
