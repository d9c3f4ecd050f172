// The kind curves, and what it shows as data: which points each panel shows of which series, and on what axes.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"

namespace nowsim {
namespace {

/// Whether the CSV's texts are read back as they were written.
bool is_plain_csv(const ResultTable& summary) {
  return std::ranges::all_of(summary.axes, is_read_back) &&
         std::ranges::all_of(summary.rows, [&](const ResultRow& row) {
           return (row.reason.empty() || is_read_back(row.reason)) && std::ranges::all_of(row.values, is_read_back);
         });
}

class CurvesResolver {
 public:
  CurvesResolver(const Figure& figure, const ResultTable& summary, ResolvedFigure& out)
      : figure_(figure),
        summary_(summary),
        out_(out),
        x_(scale_of_key(summary, figure.x.key)) {}

  void run() {
    const bool in_order = is_in_order();
    out_.is_in_csv = in_order && is_plain_csv(summary_);
    OffLogScale off;
    for (const auto& panel : figure_.panels) panels_.push_back(rows_of(panel, in_order, off));
    out_.remark = off.text();
    find_series();
    out_.x = figure_.x_metric.empty() ? axis_of_key(figure_.x, x_, false) : x_axis(panel_on_shared_x());
    for (std::size_t p = 0; p < panels_.size(); ++p) resolve_panel(p);
    for (std::size_t p = 0; p < panels_.size(); ++p) show_range(p);
  }

 private:
  const std::string& x_text(const ResultRow& row) const { return summary_.value(row, figure_.x.key); }
  bool has_series() const { return !figure_.series.key.empty(); }

  /// Whether each curve's rows follow one another by the key; where a metric says where points lie, lines go that way.
  bool is_in_order() const {
    return std::ranges::all_of(figure_.panels, [&](const auto& panel) { return figure_.x_metric_of(panel).empty(); }) ||
           std::ranges::is_sorted(x_.positions) || std::ranges::is_sorted(x_.positions, std::ranges::greater{});
  }

  // ---- rows and points ----

  double x_in(const ResultRow& row, const FigurePanel& panel) const {
    const std::string metric = figure_.x_metric_of(panel);
    return metric.empty() ? x_.at(x_text(row)) : summary_.estimate(row, metric).value;
  }
  static double shown(const Estimate& e, const FigurePanel& panel) {
    return panel.half_width ? e.half_width() : e.value;
  }
  /// The rows that a panel shows; notes those that a log scale cannot.
  ResultRows rows_of(const FigurePanel& panel, bool in_order, OffLogScale& off) const {
    ResultRows out = rows_at(summary_, panel.where);
    if (!in_order) std::ranges::stable_sort(out, {}, [&](const ResultRow* row) { return x_.at(x_text(*row)); });
    std::erase_if(out, [&](const ResultRow* row) {
      const double x = x_in(*row, panel), y = shown(summary_.estimate(*row, panel.metric), panel);
      if (!std::isfinite(x) || !std::isfinite(y)) return true;
      return off.takes(x, figure_.x.log) || off.takes(y, panel.log);
    });
    return out;
  }
  bool is_of_series(const ResultRow& row, std::size_t s) const {
    return !has_series() || summary_.value(row, figure_.series.key) == out_.series[s].value;
  }
  bool has_theory(std::size_t p, const std::string& name) const {
    return std::ranges::any_of(panels_[p],
                               [&](const auto* row) { return std::isfinite(summary_.estimate(*row, name).value); });
  }

  // ---- legend ----

  /// The curves, then the theory that some panel has a value of, each once.
  void find_series() {
    auto& series = out_.series;
    add_series(figure_, summary_, out_);
    curves_ = series.size();
    for (std::size_t p = 0; p < panels_.size(); ++p)
      for (const auto& name : figure_.panels[p].theory)
        if (number_of_theory(name) == series.size() && has_theory(p, name))
          series.push_back({name, "theory " + label_of(name), true});
    out_.has_legend = has_series() || series.size() > curves_;
  }
  std::size_t number_of_theory(const std::string& name) const {
    const auto begin = out_.series.begin() + static_cast<std::ptrdiff_t>(curves_);
    return static_cast<std::size_t>(std::ranges::find(begin, out_.series.end(), name, &ResolvedSeries::value) -
                                    out_.series.begin());
  }

  // ---- panels ----

  void resolve_panel(std::size_t p) {
    const FigurePanel& panel = figure_.panels[p];
    ResolvedPanel& out = out_.panels[p];
    if (Figure::has_own_x(panel)) out.x = x_axis(p);
    out.has_results = !panels_[p].empty();
    const double unit = out_.x_of(out).unit;
    std::vector<ResolvedCurve> curves;
    for (std::size_t s = 0; s < curves_ && out.has_results; ++s) {
      for (const auto& name : panel.theory)
        if (has_theory(p, name)) curves.push_back(theory(p, name, s, unit));
      curves.push_back(curve(p, s, unit));
    }
    out.content = std::move(curves);
    out.value = axis_of_values(panel, summary_.metric(panel.metric));
  }
  ResolvedCurve curve(std::size_t p, std::size_t s, double unit) const {
    const FigurePanel& panel = figure_.panels[p];
    ResolvedCurve out = series_curve(figure_, out_, panel, s);
    out.has_intervals = !panel.half_width;
    if (panel.half_width) out.column += "_hw";
    for (const ResultRow* row : panels_[p]) {
      if (!is_of_series(*row, s)) continue;
      const Estimate e = summary_.estimate(*row, panel.metric);
      out.points.push_back({x_in(*row, panel) / unit, shown(e, panel)});
      if (panel.half_width) continue;
      if (std::isfinite(e.low)) out.points.back().low = e.low;
      if (std::isfinite(e.high)) out.points.back().high = e.high;
    }
    return out;
  }
  ResolvedCurve theory(std::size_t p, const std::string& name, std::size_t s, double unit) const {
    const FigurePanel& panel = figure_.panels[p];
    ResolvedCurve out = series_curve(figure_, out_, panel, s);
    out.series = number_of_theory(name);
    out.column = name;
    for (const ResultRow* row : panels_[p]) {
      const double y = summary_.estimate(*row, name).value;
      if (is_of_series(*row, s) && std::isfinite(y)) out.points.push_back({x_in(*row, panel) / unit, y});
    }
    return out;
  }

  // ---- axes ----

  /// A panel on the figure's own x axis; any where there is none.
  std::size_t panel_on_shared_x() const {
    const auto shared = std::ranges::find_if_not(figure_.panels, Figure::has_own_x);
    return shared == figure_.panels.end() ? 0 : static_cast<std::size_t>(shared - figure_.panels.begin());
  }
  ResolvedAxis x_axis(std::size_t p) const {
    const FigurePanel& panel = figure_.panels[p];
    FigureAxis about = figure_.x;
    if (Figure::has_own_x(panel)) about.label = panel.x_label;
    const std::string metric = figure_.x_metric_of(panel);
    return metric.empty() ? axis_of_key(about, scale_of_panel(p), false)
                          : axis_of_metric(summary_.metric(metric), about, x_range(p));
  }
  /// The metric's values that a panel's x axis shows: its own, or of all panels that share it.
  ValueRange x_range(std::size_t p) const {
    ValueRange range;
    for (std::size_t q = 0; q < panels_.size(); ++q)
      if (q == p || (!Figure::has_own_x(figure_.panels[p]) && !Figure::has_own_x(figure_.panels[q])))
        for (const ResultRow* row : panels_[q]) range.add(x_in(*row, figure_.panels[q]), figure_.x.log);
    return range;
  }
  /// The values of x that a panel has; all where it has none.
  AxisScale scale_of_panel(std::size_t p) const {
    AxisScale own = x_;
    own.texts.clear();
    own.positions.clear();
    const auto is_shown = [&](const std::string& text) {
      return std::ranges::any_of(panels_[p], [&](const auto* row) { return x_text(*row) == text; });
    };
    for (std::size_t i = 0; i < x_.texts.size(); ++i)
      if (panels_[p].empty() || is_shown(x_.texts[i])) {
        own.texts.push_back(x_.texts[i]);
        own.positions.push_back(x_.positions[i]);
      }
    return own;
  }
  /// The range of its values is left to the writer, unless all panels of the metric share one.
  void show_range(std::size_t p) {
    const auto are_alike = [](const FigurePanel& a, const FigurePanel& b) {
      return a.metric == b.metric && a.half_width == b.half_width && a.log == b.log;
    };
    ResolvedAxis& axis = out_.panels[p].value;
    ValueRange shown = shown_values(figure_, out_, p, are_alike);
    if (figure_.same_scale) {
      shown = shown.with_margin(axis.log);
      axis.show(shown);
    }
    axis.in_powers = axis.log && shown.needs_powers();
  }

  const Figure& figure_;
  const ResultTable& summary_;
  ResolvedFigure& out_;
  AxisScale x_;
  std::vector<ResultRows> panels_;
  std::size_t curves_ = 0;  ///< series that are no theory; those come first
};

void resolve_curves(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  CurvesResolver(figure, summary, out).run();
}

}  // namespace

namespace figures {

FigureKind curves() {
  return {.name = "curves",
          .summary = "metrics over a swept key, a curve for each value of another",
          .keys = {"x", "x_scale", "x_unit", "x_metric", "series", "series_label", "labels", "same_scale"},
          .panel_keys = {"metric", "shows", "scale", "unit", "x_label", "x_metric", "theory"},
          .has_bars = true,
          .resolve = resolve_curves,
          .script = curves_script};
}

}  // namespace figures
}  // namespace nowsim
