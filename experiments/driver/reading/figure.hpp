// A figure as an experiment's `figure:` block describes it: which swept keys and metrics make its axes, curves and
// panels.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// What a figure draws of a metric.
enum class FigureKind {
  curves,   ///< over x, one per value of the series
  surface,  ///< over x and y
  winners,  ///< over x and y, which value of the series has the best mean
  workstations,  ///< of each workstation of a point, metrics per workstation
};

/// A swept key and how it is shown. Without a key there is no such axis.
struct FigureAxis {
  std::string key;
  std::string label;  ///< "" for one made of key and unit; see label_text for its markup
  bool log = false;
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
  std::vector<std::string> metrics;  ///< of workstations, in its place
  bool half_width = false;  ///< of the metric's interval, in place of its value
  std::string label;  ///< of the metric's axis; "" for one made of name and unit
  std::string x_label;  ///< of this panel's own x axis, which then goes as far as its rows do; "": the figure's
  std::string x_metric;  ///< of curves: where the points lie on this panel's own x axis; "": as the figure's say
  Place x_metric_place;
  std::string title;
  bool log = false;
  bool highest_is_best = false;  ///< of winners
  std::vector<FigureCondition> where;
  std::vector<std::string> theory;  ///< exact metrics, drawn beside the curves as thin lines
  Place theory_place;
  Place place;
};

/// Of curves: where points lie along x, and whether panels share a scale.
struct CurvesFigure {
  std::string x_metric;  ///< the metric that says where on the x axis points lie; "": the key's values do
  Place x_metric_place;
  bool same_scale = false;  ///< panels of the same metric share one range of y
};
struct SurfaceFigure {
  FigureAxis y;
};
struct WinnersFigure {
  FigureAxis y;
  std::string against;  ///< the value of the series that the best is compared with; "": the second best
  Place against_place;
};
struct WorkstationsFigure {
  std::string sort;  ///< the metric by whose falling value they stand; "": as in the platform
  Place sort_place;
  bool same_scale = false;  ///< panels of the same metrics share one range
};

/// A picture: panels side by side over the same axes.
struct Figure {
  /// What one kind alone has, in the order of FigureKind.
  std::variant<CurvesFigure, SurfaceFigure, WinnersFigure, WorkstationsFigure> of;
  FigureAxis x;       ///< the key along a curve, and the axis; of workstations its label alone
  FigureAxis series;  ///< of curves: one per value, its label before the value in the legend; of winners: the rivals;
                      ///< of workstations: labels of metrics
  std::vector<FigurePanel> panels;
  Place place;

  [[nodiscard]] FigureKind kind() const { return static_cast<FigureKind>(of.index()); }
  /// The second key's axis; null where the kind has none.
  [[nodiscard]] const FigureAxis* y() const;
  [[nodiscard]] FigureAxis* y() { return const_cast<FigureAxis*>(std::as_const(*this).y()); }
  /// The axes, and the series, which stand for swept keys where they have one.
  [[nodiscard]] std::vector<const FigureAxis*> axes() const;

  /// Whether a panel has an x axis of its own.
  [[nodiscard]] static bool has_own_x(const FigurePanel& p) { return !p.x_label.empty() || !p.x_metric.empty(); }
  /// The metric that says where a panel's points lie, "" where the key's values do.
  [[nodiscard]] std::string x_metric_of(const FigurePanel& p) const;
};
/// A figure of a kind, with nothing in it.
Figure empty_figure(FigureKind kind);

/// Reads the `figure:` block:
///   kind (curves, surface, winners), x, x_metric (of curves), x_label, x_scale (linear, log), y, y_label, y_scale of a surface, series,
///   series_label, labels (value: text) and same_scale (true, false) of curves, where (key: value), panels (a list of
///   {metric, shows (value, half-width), label, x_label, x_metric, scale, title, where, and of curves that show values
///   theory: a metric, or up to three}). Winners have y and series, no scales, x_labels and y_labels (value: text), against (a
///   value of the series), and up to three panels with best (lowest, highest). Workstations have no axes, but sort (a
///   metric), x_label, labels (metric: text), same_scale, and up to three panels {metrics (one, or up to three), label,
///   scale, title, where}.
/// Nothing after a problem; each is a sentence with its place.
std::optional<Figure> read_figure(const YamlNode& node, const std::string& file, std::vector<std::string>& problems);

/// Checks a figure against what the experiment sweeps and measures. A problem each for: keys that are not swept, swept
/// keys that are neither an axis nor fixed by `where` (unless in a zip with one), values that are not swept, metrics
/// (of x axes too) that are not asked for or are per workstation (of workstations: are not, or differ in unit), theory that is
/// simulated, a log scale of other than numbers above 0.
void check_figure(const Figure& figure, const Sweep& sweep, const std::vector<const Metric*>& metrics,
                  std::vector<std::string>& problems);

/// What is left of a figure after flags have fixed swept keys or changed the metrics: a surface with one axis left
/// becomes curves, winners without a series a surface; labels of values, theory that is no longer measured, and
/// panels whose metric or rows are gone go. What it names may still be wrong.
Figure reduced_figure(Figure figure, const Sweep& sweep, const std::vector<const Metric*>& metrics);

}  // namespace nowsim
