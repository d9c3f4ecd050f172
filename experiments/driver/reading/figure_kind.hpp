// What a kind of figure is: its name, the keys that figures of it have, and how they are read, checked and drawn.
#pragma once

#include <algorithm>
#include <any>
#include <span>
#include <string>
#include <vector>

#include "sim/base/keys.hpp"

namespace nowsim {

struct Figure;
class FigureCheck;
class MapBlock;
struct SweptAndMeasured;
struct ResolvedFigure;
struct ResultTable;

/// A key that one kind alone has: a row of the table of keys, behind another one.
struct OwnKey {
  Key key;
  std::string behind;
};

/// A key that figures of a kind cannot do without, and what is said of one that does.
struct NeededKey {
  std::string name, sentence;
};

/// A line of a table of kinds, which outlives the figures that are read with it.
struct FigureKind {
  std::string name;
  std::string summary;
  // Besides those of all kinds; see figure_keys.hpp for those that are there to be taken.
  std::vector<std::string> keys, panel_keys = {};
  std::vector<OwnKey> own_keys = {}, own_panel_keys = {};  ///< those of `keys` that no other kind has
  std::vector<NeededKey> needs = {};                       ///< besides x, where it is one of the keys, and panels
  bool has_wide_panels = false;                            ///< more than three side by side are too wide to read
  std::string without_series = {};  ///< the kind, without own keys, of what is left where the series is fixed; "": it
  std::string over_one_axis = {};   ///< likewise where x or y is
  bool has_bars = false;            ///< that stand for intervals
  bool shows_times = false;         ///< of each replication, in place of metrics: ResultRow::makespans_s
  /// What Figure::own and FigurePanel::own are to hold. Without it: nothing.
  std::any (*read)(MapBlock& block) = nullptr;
  std::any (*read_panel)(MapBlock& block) = nullptr;
  /// Against what is swept and measured; without it, axes and panels are checked.
  void (*check)(const Figure& figure, FigureCheck& check) = nullptr;
  /// Takes out of Figure::own what is no longer swept or measured.
  void (*reduce)(Figure& figure, const SweptAndMeasured& measured) = nullptr;
  /// Fills in axes, series and panels of a figure whose title and captions are there.
  void (*resolve)(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) = nullptr;
  /// For gnuplot.
  std::string (*script)(const ResolvedFigure& figure) = nullptr;

  [[nodiscard]] bool has(const std::string& key) const { return std::ranges::count(keys, key) > 0; }
};
using FigureKinds = std::span<const FigureKind>;

}  // namespace nowsim
