// How series look: colours, dashes and marks that a grey print and the colour-blind tell apart; techniques and policies
// alike in all figures, other values by their order.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nowsim {

struct ResolvedFigure;

/// The colour (#rrggbb) at a part (0 to 1) of a ramp from dark blue over green to yellow, which grows lighter
/// throughout.
std::string colour_at(double part);

/// n colours (#rrggbb) for lines on white, each lighter than the one before.
std::vector<std::string> colours(std::size_t n);

/// Dashes of curves, one after the other.
inline constexpr const char* kDashTypes[] = {"1", "(12,4)", "(4,3)", "(12,3,3,3)", "(12,3,3,3,3,3)"};

/// n colours (#rrggbb) for areas of different kinds, in no order of lightness: up to ten that the colour-blind tell
/// apart (Paul Tol's "muted", personal.sron.nl/~pault); more are taken from the ramp.
std::vector<std::string> distinct_colours(std::size_t n);

/// A colour of which a part (0 to 1) is kept, the rest being white.
std::string mixed_with_white(const std::string& colour, double part);

/// Black or white: that of the higher contrast to a background, by the relative luminance of WCAG 2.
std::string text_colour_on(const std::string& background);

/// Marks of series, one after the other: gnuplot's pointtypes. Five are full, and told apart where they are small.
inline constexpr int kPointTypes[] = {7, 5, 9, 11, 13, 15, 6, 4, 8, 10, 12, 14};

/// gnuplot's look of a panel's grid.
inline constexpr const char* kGridStyle = "linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'";
inline constexpr const char* kDeadlineColour = "#c03020";

/// A curve's or an area's.
struct SeriesStyle {
  std::string colour;        ///< #rrggbb
  std::string dash = "1";    ///< gnuplot's dashtype
  int point = 7;             ///< gnuplot's pointtype
  bool is_named = false;     ///< from a table
  const char* size = "0.8";  ///< of its mark

  /// Whether its mark is an outline alone.
  [[nodiscard]] bool is_open() const { return point >= 4 && point % 2 == 0; }
};

/// Those of a figure's series that are no theory: their own where the first has one. Where their key is job.technique
/// or split.policy, or most of its values are names of techniques or of policies, each name has its own look, whatever
/// other values there are and in which order; names that are in no table (yours) have eight looks that no table has, in
/// turn by the alphabet. Other values have the colours of a ramp.
std::vector<SeriesStyle> series_styles(const ResolvedFigure& figure);
/// Colours for areas: the same, but that other values have distinct ones.
std::vector<std::string> area_colours(const ResolvedFigure& figure);

}  // namespace nowsim
