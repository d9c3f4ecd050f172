// nowsim's own kinds of figures, and a figure as plain data: all that a picture of it shows, looked up, scaled and named
// once, whatever writes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/driver/pictures/axes.hpp"
#include "experiments/driver/pictures/draw_picture.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/pictures/styles.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

/// The first is that of figures that name none.
FigureKinds builtin_figures();

/// An entry of the legend: a value of the series, a metric, or a theory of all curves.
struct ResolvedSeries {
  std::string value;  ///< as the sweep writes it; of theory and of workstations' marks the metric
  Label label;
  bool is_theory = false;
  std::optional<double> level = {};       ///< of a line across that is called by its number: that number, in SI
  std::optional<SeriesStyle> style = {};  ///< else by series_styles()
};

/// As which layer of a panel a curve's points are drawn.
enum class Shape {
  curve,  ///< marks with bars, and a line through them
  line,
  steps,  ///< from each point on its value holds until the next
  band,   ///< between the ends of intervals
  marks,  ///< with bars
  bars,   ///< marks whose intervals lie along x
};

/// A point of a curve; the ends of its interval, which is of x in the shape bars, are NaN where it has none.
struct ResolvedPoint {
  double x, y;
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;
};

/// Points of one series, in the order in which lines join them.
struct ResolvedCurve {
  std::size_t series;                  ///< in the legend
  std::size_t beside;                  ///< of theory: the series that it is the theory of; else `series`
  std::string column;                  ///< of the results' CSV, with y
  bool has_intervals;                  ///< columns with _low and _high behind their names have the intervals' ends
  std::vector<FigureCondition> where;  ///< the rows of the CSV that are its points
  std::vector<ResolvedPoint> points;
  Shape shape = Shape::curve;
};

/// A line across a panel at a value of x (upright) or y, and what stands at its end.
struct PanelRule {
  bool is_upright;
  double at;
  std::string text;
  std::string look;  ///< gnuplot's
  bool is_text_along = false;  ///< of an upright one: it is read upwards, beside the line, and touches no other's
};

/// A point of a surface, whose value is NaN where there are no results.
struct SurfacePoint {
  double x, y, value;
};

/// Who wins in a cell of a map; series by their number in the legend.
struct WinnerCell {
  std::size_t column, row;  ///< the number of its value on either axis, from 0
  std::size_t best;
  std::vector<std::size_t> ties;        ///< those that it cannot be told from, the nearest first
  std::optional<std::size_t> compared;  ///< whom `excess` is of
  double excess;                        ///< the compared mean over the best, less 1; NaN where not known
  bool is_among_fewer;                  ///< not every series has results here
};

/// What a panel shows: curves and marks, a surface row by row, or cells.
using PanelContent = std::variant<std::vector<ResolvedCurve>, std::vector<SurfacePoint>, std::vector<WinnerCell>>;

/// A pair of axes and what is between them.
struct ResolvedPanel {
  Label caption;
  std::vector<FigureCondition> where;  ///< the rows of the sweep that it is of
  std::optional<ResolvedAxis> x;       ///< of its own; else the figure's
  ResolvedAxis value;                  ///< of the metric: y of curves and marks, z of a surface
  PanelContent content;
  bool has_results = true;
  std::optional<double> deadline_s;   ///< of all points of a panel that shows times
  std::string deadline_text = {};     ///< how it is told; "": as a duration
  std::vector<PanelRule> rules = {};  ///< besides the deadline's
};

/// Everything of a figure but how it looks.
struct ResolvedFigure {
  std::string name;
  std::string kind;
  std::string title, footer;
  std::string changes;  ///< what flags changed of the experiment, below the title; "" for nothing
  FigurePrint print;
  std::string remark;  ///< what cannot be shown, above the footer; "" where all can
  Label note;          ///< how to read a map of winners
  Provenance provenance;
  ResolvedAxis x;
  std::optional<ResolvedAxis> y;  ///< of surfaces and winners
  std::string series_key;         ///< of which each series is a value; "" where none is
  Label series_label;             ///< what the series are called together
  std::vector<ResolvedSeries> series;
  bool has_legend = false;
  bool has_bands = false;  ///< of curves that show times: `low` and `high` of their points
  bool has_captions = false;
  bool is_in_csv = false;  ///< of curves: the results' CSV has their points in this order, and plain texts
  std::vector<ResolvedPanel> panels;
  /// Drawn in this alone, into the file that gnuplot's variable `output` names; else as NAME.svg, .png and .pdf.
  std::optional<PictureFormat> format = {};

  [[nodiscard]] const ResolvedAxis& x_of(const ResolvedPanel& panel) const { return panel.x ? *panel.x : x; }
};

/// Looks everything up. @throws RunError where no row has a value that could be drawn.
ResolvedFigure resolved_figure(const Figure& figure, const ResultTable& summary, const std::string& name);

/// The script NAME.gp. Run in its folder (gnuplot NAME.gp) it makes NAME.svg, NAME.png and NAME.pdf. Curves are read
/// from NAME.csv beside it by the names of its columns, with error bars from _low to _high; where gnuplot could not
/// tell them apart there, and those of other kinds of figures, stand in the script. A point without results is left
/// out, of a surface NaN. Where a metric is x, the points of a curve are joined in the order of the key x, and of its
/// interval nothing is drawn. The footer says how many points a log scale cannot show. Needs gnuplot 5.4.
/// @throws RunError where no row has a value that could be drawn.
std::string figure_script(const Figure& figure, const ResultTable& summary, const std::string& name);

/// The figure as an object:
///   name, kind, title, footer, remark and note (where there are any), provenance {replications, confidence, seed,
///   engine, version, variance_reduction}, series_key, series_label, legend (whether there is one),
///   series [{value, label, theory}],
///   x, y (of surfaces and winners) and each panel's own x and its value: axes {shows (key or metric), is_metric,
///   label, scale (linear, log), power (of ten that the label's unit has), unit (what 1 on the axis is in SI, such as
///   60 of minutes), range [least, most], tics [{at, label}] (none: any will do), values [{text, at}] of a key},
///   panels [{caption, has_results, where, deadline_s (in seconds), and
///     curves [{series, beside (of theory), column (of the CSV), where, points [{x, y, low, high}]}],
///     or surface [{x, y, value}], row by row, or cells [{column, row, best, ties, compared, excess, among_fewer}]}].
/// Series are told by their number from 0. Positions are in the unit that the axis' label tells. What is not known is
/// null. Labels are HTML: <sub> and <sup>, and &amp; &lt; &gt;; title, footer and remark are plain text. In ASCII.
std::string figure_json(const ResolvedFigure& figure);

// ---- what kinds of figures take from the rows of results ----

/// The values of a swept key and where they lie; none for the key "".
AxisScale scale_of_key(const ResultTable& summary, const std::string& key);
/// Fills in the series: a value each of the figure's key, or without one what is simulated.
void add_series(const Figure& figure, const ResultTable& summary, ResolvedFigure& out);
/// A series' curve in a panel, without points.
ResolvedCurve series_curve(const Figure& figure, const ResolvedFigure& resolved, const FigurePanel& panel,
                           std::size_t series);
/// The rows that have all these values, as written.
ResultRows rows_at(const ResultTable& summary, const std::vector<FigureCondition>& conditions);
/// A panel's rows by their values of swept keys.
class PanelCells {
 public:
  PanelCells(const ResultTable& summary, const FigurePanel& panel, const std::vector<std::string>& keys);
  /// None where there are none.
  [[nodiscard]] ResultRows at(const std::vector<std::string>& values) const;

 private:
  std::map<std::vector<std::string>, ResultRows> cells_;
};

/// Points whose value a log scale cannot show.
struct OffLogScale {
  std::size_t points = 0;
  bool below = false;  ///< some are below 0

  /// Whether a value is one of these, which counts it.
  bool takes(double value, bool log);
  /// "1 point at 0 cannot be shown on a log scale"; "" where there are none.
  [[nodiscard]] std::string text() const;
};

/// From this time on so many replications take longer, until the next step.
struct SurvivalStep {
  double t_s;
  std::uint64_t longer;
};

/// The steps of the replications' times, in the order of time; of many those that can be seen: all near both ends,
/// where a log scale shows each, and elsewhere every 2000th part of them. None without times.
std::vector<SurvivalStep> survival_steps(std::vector<double> times_s);

}  // namespace nowsim
