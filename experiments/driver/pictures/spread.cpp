// The kind spread: how far a metric's values over one swept key lie apart, along another.
#include <algorithm>
#include <any>
#include <cmath>
#include <optional>
#include <set>

#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/reading/map_block.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// What a panel of it alone has.
struct SpreadPanel {
  std::optional<double> level;  ///< a line across
  std::string level_label;
};

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

const SpreadPanel& spread_panel(const FigurePanel& panel) { return std::any_cast<const SpreadPanel&>(panel.own); }

class SpreadResolver {
 public:
  SpreadResolver(const Figure& figure, const ResultTable& summary, ResolvedFigure& out)
      : figure_(figure), summary_(summary), out_(out), x_(scale_of_key(summary, figure.x.key)) {}

  void run() {
    out_.series_label = series_label(figure_.series);
    for (const auto& [part, name, label] : kSpreadParts) out_.series.push_back({name, label_of(label)});
    for (const auto& panel : figure_.panels) add_level(spread_panel(panel));
    out_.has_legend = true;
    out_.x = axis_of_key(figure_.x, x_, false);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) resolve_panel(p);
    out_.remark = remark();
  }

 private:
  void add_level(const SpreadPanel& own) {
    if (own.level && level_number(own) == out_.series.size())
      out_.series.push_back({level_name(own), label_of(level_name(own)), true,
                             own.level_label.empty() ? own.level : std::nullopt});
  }
  static std::string level_name(const SpreadPanel& own) {
    return own.level_label.empty() ? number_text(*own.level) : own.level_label;
  }
  std::size_t level_number(const SpreadPanel& own) const {
    const auto begin = out_.series.begin() + std::size(kSpreadParts);
    const auto found = std::ranges::find(begin, out_.series.end(), level_name(own), &ResolvedSeries::value);
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
    if (const SpreadPanel& own = spread_panel(panel); own.level && out.has_results) {
      ResolvedCurve line{level_number(own), 0, panel.metric, false, panel.where, {}};
      for (const auto& point : curves.front().points) line.points.push_back({point.x, *own.level});
      if (line.points.size() == 1)  // which would be no line
        line.points = {{out_.x.least, *own.level}, {out_.x.most, *own.level}};
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

std::any read_spread_panel(MapBlock& block) {
  SpreadPanel own;
  const auto problems = block.read().reading().problems.found();
  if (block.has("level")) own.level = block.read().value("level");
  const bool is_read = block.read().reading().problems.found() == problems;
  if (own.level && is_read && *own.level <= 0 && block.read().known_word("scale") == 1)
    block.problem("level", "a log scale cannot show a level of 0 or below, such as " + number_text(*own.level));
  own.level_label = block.read().text("level_label");
  if (!own.level && !own.level_label.empty()) block.problem("level_label", "there is no level that it is the text of");
  return own;
}

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
          .own_panel_keys = {{{"level", KeyType::number, "", "a line across at this value of the metric", kAnyNumber},
                              "theory"},
                             {{"level_label", KeyType::text, "", "its text in the legend; the number where not given"},
                              "level"}},
          .needs = {{"series",
                     "a spread needs the swept key whose values lie apart, such as series: platform.drawn.number"}},
          .without_series = "curves",
          .read_panel = read_spread_panel,
          .resolve = resolve_spread,
          .script = curves_script};
}

}  // namespace figures
}  // namespace nowsim
