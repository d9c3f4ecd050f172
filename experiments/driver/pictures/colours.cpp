// A ramp of colours whose luminance grows, a table of distinct ones, and what is mixed of them.
#include "experiments/driver/pictures/colours.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace nowsim {
namespace {

/// Dark blue over green to yellow, the "viridis" of matplotlib: its luminance grows throughout.
constexpr int kRamp[][3] = {{68, 1, 84},   {70, 50, 126},  {54, 92, 141},  {39, 127, 142},
                            {31, 161, 135}, {74, 193, 109}, {160, 218, 57}, {253, 231, 37}};

constexpr const char* kDistinct[] = {"#332288", "#88ccee", "#117733", "#ddcc77", "#cc6677",
                                     "#44aa99", "#aa4499", "#999933", "#882255", "#bbbbbb"};

std::string hexadecimal(const int (&rgb)[3]) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<unsigned>(rgb[0]) & 255u,
                static_cast<unsigned>(rgb[1]) & 255u, static_cast<unsigned>(rgb[2]) & 255u);
  return text;
}

/// 0 to 255: red, green or blue.
int channel(const std::string& colour, std::size_t c) { return std::stoi(colour.substr(1 + 2 * c, 2), nullptr, 16); }

/// WCAG 2's relative luminance, 0 (black) to 1 (white).
double relative_luminance(const std::string& colour) {
  constexpr double kWeights[] = {0.2126, 0.7152, 0.0722};
  double out = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const double part = channel(colour, c) / 255.0;
    out += kWeights[c] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return out;
}

}  // namespace

std::string colour_at(double part) {
  const double at = part * static_cast<double>(std::size(kRamp) - 1);
  const auto i = std::min(static_cast<std::size_t>(at), std::size(kRamp) - 2);
  int rgb[3];
  for (int c = 0; c < 3; ++c)
    rgb[c] =
        static_cast<int>(std::lround(kRamp[i][c] + (at - static_cast<double>(i)) * (kRamp[i + 1][c] - kRamp[i][c])));
  return hexadecimal(rgb);
}

std::vector<std::string> colours(std::size_t n) {
  constexpr double kLightest = 0.78;  // lighter ones are hard to see on white
  std::vector<std::string> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(colour_at(n < 2 ? 0.2 : kLightest * static_cast<double>(i) / static_cast<double>(n - 1)));
  return out;
}

std::vector<std::string> distinct_colours(std::size_t n) {
  if (n > std::size(kDistinct)) return colours(n);
  return {kDistinct, kDistinct + n};
}

std::string mixed_with_white(const std::string& colour, double part) {
  int rgb[3];
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(part * channel(colour, c) + (1 - part) * 255));
  return hexadecimal(rgb);
}

std::string text_colour_on(const std::string& background) {
  const double l = relative_luminance(background);
  return 1.05 / (l + 0.05) > (l + 0.05) / 0.05 ? "#ffffff" : "#000000";
}

}  // namespace nowsim
