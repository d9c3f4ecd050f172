// Colours and dashes of figures: a ramp that can still be told apart on a grey print, and areas that the colour-blind
// tell apart.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

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

}  // namespace nowsim
