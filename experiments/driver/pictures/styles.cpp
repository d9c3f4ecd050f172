#include "experiments/driver/pictures/styles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <span>

#include "experiments/driver/pictures/resolved_figure.hpp"

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

/// gnuplot's marks: 1 +, 2 x, 3 *, then open and full in turn: square, disc, triangle, triangle on its tip, diamond,
/// pentagon.
struct NamedStyle {
  const char* name;
  const char* colour;
  const char* dash;
  int point;
};

// clang-format off
/// No two have the same mark and dash, and of those that are compared most (SS to static) no two the same mark: they are
/// told apart without colour. Colours: Paul Tol's "muted" (personal.sron.nl/~pault), and darker or lighter ones.
constexpr NamedStyle kTechniques[] = {
    {"SS",      "#332288", "1",                7},
    {"CSS",     "#88ccee", "(12,4)",           5},
    {"GSS",     "#117733", "(12,3,3,3)",       9},
    {"TSS",     "#999933", "(12,3,3,3,3,3)",  11},
    {"FAC",     "#cc6677", "(12,4)",          13},
    {"FAC2",    "#882255", "1",                6},
    {"WF",      "#44aa99", "(12,4)",           4},
    {"AWF-B",   "#ddcc77", "(12,3,3,3)",       8},
    {"AWF-C",   "#aa4499", "1",               10},
    {"AF",      "#dd7722", "(12,3,3,3,3,3)",  12},
    {"static",  "#555555", "1",                2},
    {"FSC",     "#4477aa", "1",                1},
    {"mFSC",    "#66aadd", "(12,4)",           1},
    {"TAP",     "#225522", "1",                3},
    {"TFSS",    "#bbbb55", "(12,4)",           3},
    {"BOLD",    "#994455", "1",               15},
    {"AWF-D",   "#bb9933", "(12,3,3,3,3,3)",   8},
    {"AWF-E",   "#773377", "(12,4)",          10},
    {"formula", "#000000", "(4,3)",           14}};
constexpr NamedStyle kPolicies[] = {
    {"equal",           "#440154", "1",               7},
    {"proportional",    "#2c728e", "(12,4)",          5},
    {"equalize",        "#28ae80", "(12,3,3,3)",      9},
    {"equalize-linear", "#7a9a1c", "(12,3,3,3,3,3)", 11},
    {"optimal",         "#cc6677", "1",              13},
    {"linear-slope",    "#aa4499", "(12,4)",          6},
    {"formula",         "#000000", "(4,3)",          14}};
/// Of names that are in no table.
constexpr NamedStyle kFree[] = {
    {"", "#0077bb", "(4,3)", 15}, {"", "#cc3311", "(4,3)",  7}, {"", "#009988", "(4,3)",  5}, {"", "#ee3377", "(4,3)", 9},
    {"", "#ee7733", "(4,3)", 11}, {"", "#33bbee", "(4,3)", 13}, {"", "#777777", "(4,3)",  6}, {"", "#663300", "(4,3)", 4}};
// clang-format on

struct NameTable {
  const char* key;
  std::span<const NamedStyle> styles;
};
constexpr NameTable kTables[] = {{"job.technique", kTechniques}, {"split.policy", kPolicies}};

const NamedStyle* style_named(std::span<const NamedStyle> styles, const std::string& name) {
  const auto found = std::ranges::find_if(styles, [&](const NamedStyle& s) { return s.name == name; });
  return found == styles.end() ? nullptr : &*found;
}

/// The values of the key.
std::vector<std::string> names_in(const ResolvedFigure& figure) {
  std::vector<std::string> out;
  for (const auto& series : figure.series)
    if (!series.is_theory) out.push_back(series.value);
  return out;
}

/// The table that knows most of the names, if that is more than half of them; empty where none does.
std::span<const NamedStyle> table_of(const ResolvedFigure& figure, const std::vector<std::string>& names) {
  const NameTable* best = nullptr;
  std::ptrdiff_t most = static_cast<std::ptrdiff_t>(names.size() / 2);
  for (const auto& table : kTables) {
    if (figure.series_key == table.key) return table.styles;
    const auto known = std::ranges::count_if(names, [&](const auto& n) { return style_named(table.styles, n) != nullptr; });
    if (known > most) {
      best = &table;
      most = known;
    }
  }
  return best == nullptr ? std::span<const NamedStyle>() : best->styles;
}

std::vector<SeriesStyle> styles_by_name(const std::vector<std::string>& names, std::span<const NamedStyle> table) {
  std::vector<std::string> others;
  for (const auto& name : names)
    if (style_named(table, name) == nullptr) others.push_back(name);
  std::ranges::sort(others);
  std::vector<SeriesStyle> out;
  for (const auto& name : names) {
    const NamedStyle* style = style_named(table, name);
    if (style == nullptr)
      style = &kFree[static_cast<std::size_t>(std::ranges::find(others, name) - others.begin()) % std::size(kFree)];
    out.push_back({style->colour, style->dash, style->point, true});
  }
  return out;
}

/// By their order.
std::vector<SeriesStyle> ramp_of_styles(std::size_t n) {
  const auto ramp = colours(n);
  std::vector<SeriesStyle> out;
  for (std::size_t s = 0; s < n; ++s)
    out.push_back({ramp[s], kDashTypes[s % std::size(kDashTypes)], kPointTypes[s % std::size(kPointTypes)]});
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

std::vector<SeriesStyle> series_styles(const ResolvedFigure& figure) {
  std::vector<SeriesStyle> own;
  for (const auto& series : figure.series)
    if (series.style && !series.is_theory) own.push_back(*series.style);
  if (!own.empty()) return own;
  const auto names = names_in(figure);
  const auto table = table_of(figure, names);
  return table.empty() ? ramp_of_styles(names.size()) : styles_by_name(names, table);
}

std::vector<std::string> area_colours(const ResolvedFigure& figure) {
  const auto names = names_in(figure);
  const auto table = table_of(figure, names);
  if (table.empty()) return distinct_colours(names.size());
  std::vector<std::string> out;
  for (const auto& style : styles_by_name(names, table)) out.push_back(style.colour);
  return out;
}

}  // namespace nowsim
