// The kind spread: how far a metric's values over one swept key lie apart, along another.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// A curve: below which value the part lies.
struct SpreadPart {
  double part;
  const char* name;
  const char* label;
};
constexpr SpreadPart kSpreadParts[] = {{1, "largest", "the largest"},
                                       {0.9, "90", "nine in ten are below"},
                                       {0.5, "50", "half are below"},
                                       {0.1, "10", "one in ten is below"},
                                       {0, "smallest", "the smallest"}};

/// Of sorted values, between neighbours in proportion.
double value_at_part(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), sorted.size() - 1);
  const auto next = std::min(k + 1, sorted.size() - 1);
  return sorted[k] + (at - static_cast<double>(k)) * (sorted[next] - sorted[k]);
}

class SpreadResolver {
 public:
  SpreadResolver(const Figure& figure, const ResultTable& summary, ResolvedFigure& out)
      : figure_(figure), summary_(summary), out_(out), x_(scale_of_key(summary, figure.x.key)) {}

  void run() {
    out_.series_label = series_label(figure_.series);
    for (const auto& [part, name, label] : kSpreadParts) out_.series.push_back({name, label_of(label)});
    for (const auto& panel : figure_.panels) add_level(panel);
    out_.has_legend = true;
    out_.x = axis_of_key(figure_.x, x_, false);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) resolve_panel(p);
    out_.remark = remark();
  }

 private:
  void add_level(const FigurePanel& panel) {
    if (panel.level && level_number(panel) == out_.series.size())
      out_.series.push_back({level_name(panel), label_of(level_name(panel)), true,
                             panel.level_label.empty() ? panel.level : std::nullopt});
  }
  static std::string level_name(const FigurePanel& panel) {
    return panel.level_label.empty() ? number_text(*panel.level) : panel.level_label;
  }
  std::size_t level_number(const FigurePanel& panel) const {
    const auto begin = out_.series.begin() + std::size(kSpreadParts);
    const auto found = std::ranges::find(begin, out_.series.end(), level_name(panel), &ResolvedSeries::value);
    return static_cast<std::size_t>(found - out_.series.begin());
  }

  /// Finite values, sorted. Those that a log scale cannot show are among them: the parts are
  /// of all.
  std::vector<double> values_in(const ResultRows& rows, const FigurePanel& panel) {
    std::vector<double> out;
    for (const ResultRow* row : rows)
      if (const double y = summary_.estimate(*row, panel.metric).value; std::isfinite(y))
        out.push_back(y);
      else
        missing_.insert(row);
    std::ranges::sort(out);
    return out;
  }
  /// Adds a point, or notes that a log scale cannot show it.
  void add_point(ResolvedCurve& curve, double x, double y, const FigurePanel& panel) {
    if (!off_.takes(x, figure_.x.log) && !off_.takes(y, panel.log)) curve.points.push_back({x / out_.x.unit, y});
  }
  /// What of the sweep is not in the picture.
  [[nodiscard]] std::string remark() const {
    std::string out = off_.text();
    if (missing_.empty()) return out;
    return out + (out.empty() ? "" : "; ") + std::to_string(missing_.size()) +
           (missing_.size() == 1 ? " draw is" : " draws are") + " missing, without a finite value";
  }
  void resolve_panel(std::size_t p) {
    const FigurePanel& panel = figure_.panels[p];
    ResolvedPanel& out = out_.panels[p];
    std::vector<ResolvedCurve> curves;
    for (std::size_t s = 0; s < std::size(kSpreadParts); ++s)
      curves.push_back({s, s, panel.metric, false, panel.where, {}});
    const PanelCells cells(summary_, panel, {figure_.x.key});
    for (std::size_t i = 0; i < x_.texts.size(); ++i) {
      const auto values = values_in(cells.at({x_.texts[i]}), panel);
      for (std::size_t s = 0; s < curves.size() && !values.empty(); ++s)
        add_point(curves[s], x_.positions[i], value_at_part(values, kSpreadParts[s].part), panel);
    }
    for (auto& curve : curves) std::ranges::stable_sort(curve.points, {}, &ResolvedPoint::x);
    out.has_results = !curves.front().points.empty();
    if (panel.level && out.has_results) {
      ResolvedCurve line{level_number(panel), 0, panel.metric, false, panel.where, {}};
      for (const auto& point : curves.front().points) line.points.push_back({point.x, *panel.level});
      if (line.points.size() == 1)  // which would be no line
        line.points = {{out_.x.least, *panel.level}, {out_.x.most, *panel.level}};
      curves.insert(curves.begin(), std::move(line));
    }
    out.content = std::move(curves);
    out.value = axis_of_values(panel, summary_.metric(panel.metric));
  }

  const Figure& figure_;
  const ResultTable& summary_;
  ResolvedFigure& out_;
  AxisScale x_;
  OffLogScale off_;
  std::set<const ResultRow*> missing_;  ///< in some panel
};

void resolve_spread(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  SpreadResolver(figure, summary, out).run();
}

}  // namespace

namespace figures {

FigureKind spread() {
  return {.name = "spread",
          .summary = "how far a metric's values over one swept key lie apart, along another",
          .keys = {"x", "x_scale", "x_unit", "series"},
          .panel_keys = {"metric", "scale", "unit", "level", "level_label"},
          .needs = {{"series",
                     "a spread needs the swept key whose values lie apart, such as series: platform.drawn.number"}},
          .without_series = "curves",
          .resolve = resolve_spread,
          .script = curves_script};
}

}  // namespace figures
}  // namespace nowsim
