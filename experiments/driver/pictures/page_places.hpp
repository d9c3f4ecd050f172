// Places on a picture's page: pixels from its upper left corner, in gnuplot's coordinates.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// A number in a script, with four digits behind the point.
std::string script_number(double x);

/// A page of this size [pixels].
struct PageSize {
  double width = 0, height = 0;

  /// "screen x, screen y" of the point so far from the page's left and upper edge.
  [[nodiscard]] std::string at(double left, double top) const;
  /// The two commands that make this rectangle the plot's own, without its labels.
  [[nodiscard]] std::string plot_area(double left, double top, double plot_width, double plot_height) const;
};

/// The lines of a text, one below the other.
std::string joined_lines(const std::vector<std::string>& lines);

}  // namespace nowsim
