// A ramp of colours whose luminance grows, and colours taken from it.
#include "experiments/colours.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace nowsim {
namespace {

/// Dark blue over green to yellow, the "viridis" of matplotlib: its luminance grows throughout.
constexpr int kRamp[][3] = {{68, 1, 84},   {70, 50, 126},  {54, 92, 141},  {39, 127, 142},
                            {31, 161, 135}, {74, 193, 109}, {160, 218, 57}, {253, 231, 37}};

}  // namespace

std::string colour_at(double part) {
  const double at = part * static_cast<double>(std::size(kRamp) - 1);
  const auto i = std::min(static_cast<std::size_t>(at), std::size(kRamp) - 2);
  int rgb[3];
  for (int c = 0; c < 3; ++c)
    rgb[c] =
        static_cast<int>(std::lround(kRamp[i][c] + (at - static_cast<double>(i)) * (kRamp[i + 1][c] - kRamp[i][c])));
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<unsigned>(rgb[0]) & 255u,
                static_cast<unsigned>(rgb[1]) & 255u, static_cast<unsigned>(rgb[2]) & 255u);
  return text;
}

std::vector<std::string> colours(std::size_t n) {
  constexpr double kLightest = 0.78;  // lighter ones are hard to see on white
  std::vector<std::string> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(colour_at(n < 2 ? 0.2 : kLightest * static_cast<double>(i) / static_cast<double>(n - 1)));
  return out;
}

}  // namespace nowsim
