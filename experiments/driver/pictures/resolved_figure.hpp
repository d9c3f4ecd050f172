// A figure as plain data: all that a picture of it shows, looked up, scaled and named once, whatever writes it.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/driver/pictures/axes.hpp"
#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "experiments/driver/reading/figure_print.hpp"
#include "experiments/driver/running/result_output.hpp"

namespace nowsim {

/// An entry of the legend: a value of the series, a metric, or a theory of all curves.
struct ResolvedSeries {
  std::string value;  ///< as the sweep writes it; of theory and of workstations' marks the metric
  Label label;
  bool is_theory = false;
  std::optional<double> level = {};  ///< of a line across that is called by its number: that number, in SI
};

/// A point of a curve; the ends of its interval are NaN where it has none.
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
  std::optional<double> deadline_s;    ///< of all points of a panel that shows times
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

  [[nodiscard]] const ResolvedAxis& x_of(const ResolvedPanel& panel) const { return panel.x ? *panel.x : x; }
};

/// Looks everything up. @throws RunError where no row has a value that could be drawn.
ResolvedFigure resolved_figure(const Figure& figure, const ResultTable& summary, const std::string& name);

}  // namespace nowsim
