// Tables of names and looks.
#include "experiments/driver/pictures/series_styles.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

#include "experiments/driver/pictures/colours.hpp"

namespace nowsim {
namespace {

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
  constexpr int kPointTypes[] = {7, 5, 9, 11, 13, 15, 6, 4, 8, 10, 12, 14};
  const auto ramp = colours(n);
  std::vector<SeriesStyle> out;
  for (std::size_t s = 0; s < n; ++s)
    out.push_back({ramp[s], kDashTypes[s % std::size(kDashTypes)], kPointTypes[s % std::size(kPointTypes)]});
  return out;
}

}  // namespace

std::vector<SeriesStyle> series_styles(const ResolvedFigure& figure) {
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
