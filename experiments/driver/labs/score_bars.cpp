// Bars from zero, as long as their values, each with its interval as a line.
#include "experiments/driver/labs/score_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/driver/labs/answer_text.hpp"
#include "experiments/driver/labs/lab_page.hpp"
#include "experiments/driver/reports/html_text.hpp"

namespace nowsim {
namespace {

constexpr double kLabelWidth = 150, kBarsWidth = 470, kBarHeight = 18, kBarStep = 28;
constexpr const char* kBarColours[] = {"#0072B2", "#767676", "#D55E00"};  // Okabe & Ito's that stand out on white

/// From the values to places on the page.
struct BarScale {
  double least = 0, most = 0;
  [[nodiscard]] double x(double value) const {
    return kLabelWidth + kBarsWidth * (most > least ? (value - least) / (most - least) : 0);
  }
};

BarScale scale_of(const ScoreBars& bars) {
  BarScale scale;
  for (const auto& [name, e] : bars) {
    scale.least = std::min({scale.least, e.low, e.value});
    scale.most = std::max({scale.most, e.high, e.value});
  }
  return scale;
}

std::string bar_svg(const std::string& name, const Estimate& e, double y, const char* colour, const BarScale& scale) {
  const double from = std::min(scale.x(0), scale.x(e.value)), to = std::max(scale.x(0), scale.x(e.value));
  const double middle = y + kBarHeight / 2;
  return fmt::format(
      "<text x=\"0\" y=\"{:.1f}\" fill=\"currentColor\" font-size=\"13\">{}</text>\n"
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n"
      "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"currentColor\" stroke-width=\"3\"/>\n",
      middle + 4, html_text(name), from, y, to - from, kBarHeight, colour, scale.x(e.low), scale.x(e.high), middle,
      middle);
}

}  // namespace

std::string score_bars_html(const ScoreBars& bars, const ScoreWords& words) {
  ScoreBars known = bars;
  std::erase_if(known, [](const auto& bar) { return !std::isfinite(bar.second.value); });
  if (known.empty()) return "";
  std::string label = words.caption;
  std::vector<std::vector<std::string>> rows{{words.whose, words.value}};
  for (const auto& [name, e] : known) {
    rows.push_back({name, shown_number(e, words.unit)});
    label += "; " + name + ": " + rows.back().back();
  }
  std::string out = fmt::format("<svg class=\"score\" role=\"img\" viewBox=\"0 0 640 {}\" aria-label=\"{}\">\n",
                                kBarStep * static_cast<double>(known.size()), html_text(label));
  const BarScale scale = scale_of(known);
  for (std::size_t i = 0; i < known.size(); ++i)
    out += bar_svg(known[i].first, known[i].second, kBarStep * static_cast<double>(i) + 5,
                   kBarColours[i % std::size(kBarColours)], scale);
  return out + "</svg>\n" + html_table(words.caption, rows);
}

}  // namespace nowsim
