// gnuplot counts parts of the page, from below.
#include "experiments/driver/pictures/page_places.hpp"

#include <cstdio>

namespace nowsim {

std::string script_number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4f", x);
  return text;
}

std::string PageSize::at(double left, double top) const {
  return "screen " + script_number(left / width) + ", screen " + script_number(1 - top / height);
}

std::string PageSize::plot_area(double left, double top, double plot_width, double plot_height) const {
  return "set lmargin at screen " + script_number(left / width) + "; set rmargin at screen " +
         script_number((left + plot_width) / width) + "\nset tmargin at screen " + script_number(1 - top / height) +
         "; set bmargin at screen " + script_number(1 - (top + plot_height) / height);
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

}  // namespace nowsim
