// A figure as an experiment's `figure:` block describes it, the kinds that there are, and the keys that they have.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/base/keys.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {

struct Figure;
struct ResolvedFigure;
struct ResultTable;

/// A key that figures of a kind cannot do without, and what is said of one that does.
struct NeededKey {
  std::string name, sentence;
};

/// A line of a table of kinds, which outlives the figures that are read with it.
struct FigureKind {
  std::string name;
  std::string summary;
  std::vector<std::string> keys, panel_keys = {};  ///< besides those of all kinds: rows of figure_keys(), panel_keys()
  std::vector<NeededKey> needs = {};  ///< besides x, where it is one of the keys, and panels
  bool has_wide_panels = false;     ///< more than three side by side are too wide to read
  std::string without_series = {};  ///< the kind of what is left where the series is fixed; "": it
  std::string over_one_axis = {};   ///< likewise where x or y is
  bool has_bars = false;            ///< that stand for intervals
  bool shows_times = false;         ///< of each replication, in place of metrics: ResultRow::makespans_s
  /// Fills in axes, series and panels of a figure whose title and captions are there.
  void (*resolve)(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) = nullptr;
  /// For gnuplot.
  std::string (*script)(const ResolvedFigure& figure) = nullptr;

  [[nodiscard]] bool has(const std::string& key) const { return std::ranges::count(keys, key) > 0; }
  [[nodiscard]] bool has_in_panels(const std::string& key) const { return std::ranges::count(panel_keys, key) > 0; }
};
using FigureKinds = std::span<const FigureKind>;

/// What figure.size takes, as errors say it.
inline constexpr const char* kSizeWanted =
    "single, double, a width or [width, height] in mm is wanted here, such as [85, 60], each from 30 to 500";

/// The widths of a paper's columns, which those of most publishers have room for [mm].
inline constexpr double kSingleColumn_mm = 85, kDoubleColumn_mm = 176;

/// What a figure's file says of how it is printed; 0: as large as the figure needs.
struct FigurePrint {
  double width_mm = 0, height_mm = 0;
  double letters_pt = 0;
  std::optional<std::string> title;  ///< in place of the experiment's; "" for none
  bool has_footer = true;

  [[nodiscard]] bool is_sized() const { return width_mm > 0; }
};

/// A swept key and how it is shown. Without a key there is no such axis.
struct FigureAxis {
  std::string key;
  std::string label;  ///< "" for one made of key and unit; see label_text for its markup
  bool log = false;
  std::string unit;  ///< in which it tells times, such as "h"; "": as suits them
  Place unit_place;
  Place place;
  std::map<std::string, std::string> labels;  ///< a value's own text: of the series, and of the axes of winners
  Place labels_place;
};

/// Only rows with this value of a swept key are drawn.
struct FigureCondition {
  std::string key;
  std::string value;  ///< as the sweep writes it
  Place place;
};

/// One pair of axes: a metric.
struct FigurePanel {
  std::string metric;
  std::vector<std::string> metrics;  ///< per workstation, in its place
  bool half_width = false;  ///< of the metric's interval, in place of its value
  std::string label;  ///< of the metric's axis; "" for one made of name and unit
  std::string x_label;  ///< of this panel's own x axis, which then goes as far as its rows do; "": the figure's
  std::string x_metric;  ///< of curves: where the points lie on this panel's own x axis; "": as the figure's say
  Place x_metric_place;
  std::string title;
  bool log = false;
  std::string unit;  ///< in which the metric's axis tells times, such as "h"; "": as suits them
  Place unit_place;
  bool highest_is_best = false;  ///< of winners; else the lowest
  std::optional<double> level;   ///< of a spread: a line across
  std::string level_label;
  std::vector<FigureCondition> where;
  std::vector<std::string> theory;  ///< exact metrics, drawn beside the curves as thin lines
  Place theory_place;
  Place place;
};

/// A picture: panels side by side over the same axes.
struct Figure {
  const FigureKind* kind = nullptr;  ///< a line of the table that the figure was read with
  FigureAxis x;                 ///< the key along a curve, and the axis; of workstations its label alone
  std::string x_metric;         ///< the metric that says where on the x axis points lie; "": the key's values do
  Place x_metric_place;
  std::optional<FigureAxis> y;  ///< the second key's; of kinds that have one
  FigureAxis series;  ///< of curves: one per value, its label before the value in the legend; of winners: the rivals;
                      ///< of kinds without it: labels of metrics
  std::string against;  ///< of winners: the value of the series that the best is compared with; "": the second best
  Place against_place;
  std::string sort;  ///< of workstations: the metric by whose falling value they stand; "": as in the platform
  Place sort_place;
  bool rises = false;           ///< of distributions: P[T <= t], in place of P[T > t]
  bool same_scale = false;      ///< panels of the same metrics share one range
  std::vector<FigurePanel> panels;
  FigurePrint print;
  std::vector<std::string> changes;  ///< by flags, of the experiment: "owner.TH = 0.3"
  Place place;

  /// The axes, and the series, which stand for swept keys where they have one; the series alone where x shows times.
  [[nodiscard]] std::vector<const FigureAxis*> axes() const;

  /// Whether a panel has an x axis of its own.
  [[nodiscard]] static bool has_own_x(const FigurePanel& p) { return !p.x_label.empty() || !p.x_metric.empty(); }
  /// The metric that says where a panel's points lie, "" where the key's values do.
  [[nodiscard]] std::string x_metric_of(const FigurePanel& p) const { return p.x_metric.empty() ? x_metric : p.x_metric; }
};

/// Reads the `figure:` block by a table of kinds, which outlives the figure: keys and panels as
/// figure_keys() and panel_keys() tell. Nothing after a problem; each is a sentence with its place.
std::optional<Figure> read_figure(const YamlNode& node, const std::string& file, FigureKinds kinds,
                                  Problems& problems);

/// Checks a figure against what the experiment sweeps and measures. A problem each for: keys that are not swept, swept
/// keys that are neither an axis nor fixed by `where` (unless in a zip with one), values that are not swept, metrics
/// (of x axes too) that are not asked for or are per workstation (of workstations: are not, or differ in unit), theory that is
/// simulated, a log scale of other than numbers above 0.
void check_figure(const Figure& figure, const Sweep& sweep, const std::vector<const Metric*>& metrics,
                  Problems& problems);

/// The figure with values written as the sweep writes them, where they are the same (same_axis_value): 0.28 for 28%.
Figure as_swept(Figure figure, const Sweep& sweep);

/// What is left of a figure after flags have fixed swept keys or changed the metrics: of a kind of the table for fewer
/// axes, such as curves of a surface; labels of values, theory that is no longer measured, and panels whose metric or
/// rows are gone go. What it names may still be wrong.
Figure reduced_figure(Figure figure, const Sweep& sweep, const std::vector<const Metric*>& metrics, FigureKinds kinds);

/// The names of the keys that figures of a kind have, and their panels.
std::vector<std::string> keys_of(const FigureKind& kind);
std::vector<std::string> panel_keys_of(const FigureKind& kind);

/// In which units axes may tell times; the first leaves it to the times.
const std::vector<std::string>& time_axis_units();

/// What a figure of any of these kinds may have, and each of its panels; Key::of names the kinds.
KeyTable figure_keys(FigureKinds kinds);
KeyTable panel_keys(FigureKinds kinds);

}  // namespace nowsim
