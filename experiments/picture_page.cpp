// Placing title and footer in parts of the page.
#include "experiments/picture_page.hpp"

#include <cmath>
#include <cstdio>

#include "experiments/label_text.hpp"

namespace nowsim {
namespace {

constexpr double kTitleAt = 24, kFooterAt = 11, kFooterFrom = 12;  // of title and footer: from above, below and the left

std::string screen(const PicturePage& page, double x, double from_below) {
  char text[80];
  std::snprintf(text, sizeof text, "screen %.6g, screen %.6g", x / page.width, from_below / page.height);
  return text;
}

}  // namespace

std::string picture_page(const PicturePage& page) {
  const std::string size =
      "size " + std::to_string(std::lround(page.width)) + "," + std::to_string(std::lround(page.height));
  const std::string terminal = page.format == PictureFormat::svg ? "svg " + size + " dynamic" : "pngcairo " + size;
  std::string title;
  for (const auto& line : page.title) title += (title.empty() ? "" : "\n") + line;
  return "set terminal " + terminal + " enhanced background rgb 'white' font 'DejaVu Sans," +
         std::to_string(page.font_pt) + "'\nset output output\nset label 1 " + script_string(title) + " at " +
         screen(page, page.width / 2, page.height - kTitleAt) + " center noenhanced font ',13'\nset label 2 " +
         script_string(page.footer) + " at " + screen(page, kFooterFrom, kFooterAt) +
         " left noenhanced font ',9' textcolor rgb '#404040'\n";
}

}  // namespace nowsim
