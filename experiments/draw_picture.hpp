// A picture's bytes, drawn by gnuplot from a script of one page.
#pragma once

#include <span>
#include <string>

namespace nowsim {

enum class PictureFormat { svg, png, pdf };

/// A format, and how the names of its files end.
struct PictureEnding {
  PictureFormat format;
  const char* ending;
};
/// All formats, in the order in which figures are drawn.
std::span<const PictureEnding> picture_endings();

/// Has gnuplot run a script that draws into the file `output`, a gnuplot variable, in a temporary folder.
/// @throws RunError where gnuplot is missing or fails, or no temporary file can be made.
std::string draw_picture(const std::string& script);

}  // namespace nowsim
