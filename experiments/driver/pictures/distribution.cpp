// The kind distribution: each point's replications as a curve of steps, with a band, and the deadline across.
#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/text/duration_text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostBands = 4;                // of a panel: more hide one another
constexpr std::size_t kMostDistributionsInARow = 3;  // panels
constexpr double kOverPlot = 20;                     // the deadline's words [pixels]

class DistributionResolver {
 public:
  DistributionResolver(const Figure& figure, const ResultTable& summary, ResolvedFigure& out)
      : figure_(figure), summary_(summary), out_(out), rises_(figure.rises) {}

  void run() {
    add_series(figure_, summary_, out_);
    out_.has_legend = !figure_.series.key.empty();
    out_.has_bands = out_.series.size() <= kMostBands;
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) resolve_panel(p);
    choose_unit();
    out_.x = time_axis(range_of_all());
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) place_panel(p);
  }

 private:
  // ---- curves, in seconds ----

  void resolve_panel(std::size_t p) {
    ResolvedPanel& panel = out_.panels[p];
    std::vector<ResolvedCurve> curves;
    std::vector<double> deadlines;
    panel.has_results = false;
    for (std::size_t s = 0; s < out_.series.size(); ++s) {
      ResolvedCurve curve = series_curve(figure_, out_, figure_.panels[p], s);
      curve.has_intervals = out_.has_bands;
      curve.shape = Shape::steps;
      for (const ResultRow* row : rows_at(summary_, curve.where))
        if (row->makespans_s != nullptr && !row->makespans_s->empty()) {
          add_steps(*row, figure_.panels[p].log, curve);
          deadlines.push_back(row->deadline_s);
        }
      panel.has_results |= !curve.points.empty();
      curves.push_back(std::move(curve));
    }
    const bool is_common = std::ranges::adjacent_find(deadlines, std::ranges::not_equal_to{}) == deadlines.end();
    if (is_common && !deadlines.empty() && deadlines.front() > 0) panel.deadline_s = deadlines.front();
    panel.content = std::move(curves);
  }
  /// From each point on its value holds until the next; the last one ends the line. On a log scale none is 0: it ends
  /// where it would fall there, and one of the distribution function begins where it leaves it.
  void add_steps(const ResultRow& row, bool log, ResolvedCurve& curve) const {
    const auto n = row.makespans_s->size();
    const auto steps = survival_steps(*row.makespans_s);
    if (!log) curve.points.push_back(point(row, steps.front().t_s, n, n));
    for (const auto& [t_s, longer] : steps) {
      const ResolvedPoint next = point(row, t_s, longer, n);
      if (!log || next.y > 0) curve.points.push_back(next);
      else if (!curve.points.empty()) curve.points.push_back({t_s, curve.points.back().y, curve.points.back().low, curve.points.back().high});
    }
  }
  /// Clopper-Pearson at each time; pairs count as one observation, which is too wide rather than too narrow.
  [[nodiscard]] ResolvedPoint point(const ResultRow& row, double t_s, std::uint64_t longer, std::uint64_t n) const {
    const double share = static_cast<double>(rises_ ? n - longer : longer) / static_cast<double>(n);
    ResolvedPoint out{t_s, share};
    if (!out_.has_bands) return out;
    const Estimate e = proportion_interval(share, static_cast<double>(n / row.variance_reduction->unit()), row.confidence);
    out.low = e.low;
    out.high = e.high;
    return out;
  }

  // ---- axes ----

  [[nodiscard]] ValueRange range_of(const ResolvedPanel& panel) const {
    ValueRange range;
    for (const auto& curve : std::get<std::vector<ResolvedCurve>>(panel.content))
      for (const auto& point : curve.points) range.add(point.x, figure_.x.log);
    if (panel.deadline_s) range.add(*panel.deadline_s, figure_.x.log);
    return range;
  }
  [[nodiscard]] ValueRange range_of_all() const {
    ValueRange range;
    for (const auto& panel : out_.panels) range.add(range_of(panel));
    return range;
  }
  /// All panels tell their times in one.
  void choose_unit() {
    time_ = figure_.x;
    if (time_.label.empty()) time_.label = "t [s]";
    const ValueRange all = range_of_all();
    TimeRange times;
    times.add(all.least);
    times.add(all.most);
    time_.unit = axis_unit(time_.unit, label_of(time_.label), unit_of_times(times)).name;
  }
  [[nodiscard]] ResolvedAxis time_axis(const ValueRange& range) const {
    return axis_of_metric({.name = "T", .unit = "s"}, time_, range);
  }
  /// Its own times, unless all panels have one scale; then the axes of both.
  void place_panel(std::size_t p) {
    ResolvedPanel& panel = out_.panels[p];
    if (!figure_.same_scale && out_.panels.size() > 1) panel.x = time_axis(range_of(panel));
    const double unit = out_.x_of(panel).unit;
    panel.value = value_axis(figure_.panels[p], panel);
    for (auto& curve : std::get<std::vector<ResolvedCurve>>(panel.content))
      for (auto& point : curve.points) point.x /= unit;
  }
  [[nodiscard]] ResolvedAxis value_axis(const FigurePanel& about, const ResolvedPanel& panel) const {
    ResolvedAxis out;
    out.label = about.label.empty() ? Label(rises_ ? "P[T ≤ t]" : "P[T > t]") : label_of(about.label);
    out.log = about.log;
    out.least = 0, out.most = 1.04;
    if (!about.log) return out;
    out.most = 1.3;
    out.least = 1;
    for (const auto& curve : std::get<std::vector<ResolvedCurve>>(panel.content))
      for (const auto& point : curve.points) out.least = std::min(out.least, point.y / 2);
    out.in_powers = out.least < 1e-3;
    return out;
  }

  const Figure& figure_;
  const ResultTable& summary_;
  ResolvedFigure& out_;
  FigureAxis time_;
  bool rises_;
};

void resolve_distribution(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  DistributionResolver(figure, summary, out).run();
}

std::string distribution_script(const ResolvedFigure& figure) {
  const std::size_t rows = figure.panels.size() > kMostDistributionsInARow ? 2 : 1;
  return layered_script(figure, {.most_columns = (figure.panels.size() + rows - 1) / rows,
                                 .over = kOverPlot,
                                 .between = 96 + kOverPlot});
}

}  // namespace

namespace figures {

FigureKind distribution() {
  return {.name = "distribution",
          .summary = "how likely T is longer than t, a curve for each value of a swept key",
          .keys = {"x_scale", "x_unit", "shows", "series", "series_label", "labels", "same_scale"},
          .panel_keys = {"scale"},
          .shows_times = true,
          .resolve = resolve_distribution,
          .script = distribution_script};
}

}  // namespace figures
}  // namespace nowsim
