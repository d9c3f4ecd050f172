// The kind winners: who is best in each cell of a map, and how to read it.
#include <algorithm>
#include <cmath>
#include <optional>

#include "experiments/driver/pictures/layers.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/running/linear_combination.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/multiple_comparisons.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

// ---- who wins in a cell, by how much, and from whom it cannot be told apart ----

/// The points of a cell that have results, one per value of the series (of several rows the first), the best first.
std::vector<MeasuredPoint> ranked(const ResultRows& cell, const Figure& figure, const FigurePanel& panel,
                                  const ResultTable& summary) {
  std::vector<MeasuredPoint> out;
  for (const ResultRow* row : cell) {
    const std::string& value = summary.value(*row, figure.series.key);
    const Estimate e = summary.estimate(*row, panel.metric);
    if (std::isfinite(e.value) && std::ranges::count(out, value, &MeasuredPoint::value) == 0)
      out.push_back({0, value, value, e, row});
  }
  std::ranges::stable_sort(out, [&](const MeasuredPoint& a, const MeasuredPoint& b) {
    return panel.highest_is_best ? a.estimate.value > b.estimate.value : a.estimate.value < b.estimate.value;
  });
  return out;
}

/// Whether its contributions say all of its error.
bool is_mean(const Estimate& e) { return e.influence && e.influence->of == Influence::Of::linear; }

/// Whether each of the points may be the best, by intervals that hold together: of means that are known replication by
/// replication by what they contribute to each other (multiple_comparisons.hpp); else by Bonferroni's of the differences from the
/// one that seems best.
std::vector<bool> may_be_best(const std::vector<MeasuredPoint>& points, bool is_highest_best) {
  const double confidence = points.front().row->confidence;
  std::vector<bool> out(points.size(), true);
  std::vector<const Estimate*> estimates;
  std::vector<double> values;
  for (const auto& p : points) {
    estimates.push_back(&p.estimate);
    values.push_back(p.estimate.value);
  }
  if (points.size() > 1 && std::ranges::all_of(points, [](const auto& p) { return is_mean(p.estimate); })) {
    const JointContributions joint = joint_contributions(estimates);
    const auto compared = comparisons_with_best(values, joint.of_each, joint.freedom,
                                                is_highest_best ? Best::largest : Best::smallest, confidence);
    for (std::size_t k = 1; k < points.size(); ++k)
      out[k] = is_highest_best ? compared[k].high > 0 : compared[k].low < 0;
    return out;
  }
  const double joint = bonferroni(points.size() - 1, confidence);
  for (std::size_t k = 1; k < points.size(); ++k)
    out[k] = !is_apart_from_zero(difference(points.front(), points[k]).interval(joint));
  return out;
}

/// `against`, or where it is not given or the best itself, the second best.
const MeasuredPoint* compared_in(const std::vector<MeasuredPoint>& points, const std::string& against) {
  if (points.size() < 2) return nullptr;
  if (against.empty() || same_axis_value(points.front().value, against)) return &points[1];
  const auto found = std::ranges::find_if(points, [&](const MeasuredPoint& p) { return same_axis_value(p.value, against); });
  return found == points.end() ? nullptr : &*found;
}

/// Who wins in a cell; nobody where it has no results. Others are told from the best where they are not the best by
/// multiple comparisons with it that hold together at the experiment's confidence: so which one is best is judged at that
/// confidence too, though it was picked by the same numbers.
std::optional<WinnerCell> winner_in(const ResultRows& cell, const Figure& figure, const FigurePanel& panel,
                                    const ResultTable& summary, const std::vector<ResolvedSeries>& series) {
  const auto points = ranked(cell, figure, panel, summary);
  if (points.empty()) return {};
  const auto number_of = [&](const MeasuredPoint& p) {
    return static_cast<std::size_t>(std::ranges::find(series, p.value, &ResolvedSeries::value) - series.begin());
  };
  const MeasuredPoint& best = points.front();
  WinnerCell out{0, 0, number_of(best), {}, {}, kNotKnown, points.size() < series.size()};
  const std::vector<bool> may_be = may_be_best(points, panel.highest_is_best);
  for (std::size_t k = 1; k < points.size(); ++k)
    if (may_be[k]) out.ties.push_back(number_of(points[k]));
  if (const MeasuredPoint* other = compared_in(points, figure.against)) {
    out.compared = number_of(*other);
    if (best.estimate.value > 0) out.excess = other->estimate.value / best.estimate.value - 1;
  }
  return out;
}

std::vector<WinnerCell> cells_of(const Figure& figure, const FigurePanel& panel, const ResultTable& summary,
                                 const ResolvedFigure& out) {
  const PanelCells rows(summary, panel, {figure.x.key, figure.y->key});
  std::vector<WinnerCell> cells;
  for (std::size_t i = 0; i < out.x.values.size(); ++i)
    for (std::size_t j = 0; j < out.y->values.size(); ++j) {
      const ResultRows cell = rows.at({out.x.values[i].text, out.y->values[j].text});
      if (auto winner = winner_in(cell, figure, panel, summary, out.series)) {
        winner->column = i;
        winner->row = j;
        cells.push_back(*std::move(winner));
      }
    }
  return cells;
}

/// Values stand on the axis as they are written, with their units, side by side: the label has none.
ResolvedAxis axis_of_cells(const FigureAxis& about, const AxisScale& scale) {
  ResolvedAxis out;
  out.shows = about.key;
  out.label = about.label.empty() ? Label(short_name(about.key)) : label_of(about.label);
  for (std::size_t i = 0; i < scale.texts.size(); ++i) {
    const auto at = static_cast<double>(i + 1);
    out.tics.push_back({at, value_label(about, scale.texts[i])});
    out.values.push_back({scale.texts[i], at});
  }
  out.least = 0.5;
  out.most = static_cast<double>(scale.texts.size()) + 0.5;
  return out;
}

// ---- how to read it ----

/// "lowest tau", with the panel's letter where panels differ in it.
Label criterion(const Figure& figure) {
  const auto name = [](const FigurePanel& panel) { return panel.label.empty() ? panel.metric : panel.label; };
  const auto one = [&](const FigurePanel& panel) {
    return Label(panel.highest_is_best ? "highest " : "lowest ") + label_of(name(panel));
  };
  const FigurePanel& first = figure.panels.front();
  if (std::ranges::all_of(figure.panels, [&](const FigurePanel& panel) {
        return panel.highest_is_best == first.highest_is_best && name(panel) == name(first);
      }))
    return one(first);
  Label out;
  for (std::size_t p = 0; p < figure.panels.size(); ++p)
    out += (p > 0 ? ", (" : "(") + std::string(1, static_cast<char>('a' + p)) + ") " + one(figure.panels[p]);
  return out;
}

bool any_cell(const ResolvedFigure& figure, bool (*is)(const WinnerCell&)) {
  return std::ranges::any_of(figure.panels, [&](const ResolvedPanel& panel) {
    return std::ranges::any_of(std::get<std::vector<WinnerCell>>(panel.content), is);
  });
}

Label note_of(const Figure& figure, const ResolvedFigure& resolved) {
  const auto is_compared = [&](const auto& series) { return same_axis_value(series.value, figure.against); };
  const auto against = std::ranges::find_if(resolved.series, is_compared);
  const Label other =
      against == resolved.series.end() ? "the second best" : against->label + ", or where it is best the second's,";
  Label out = "In each cell: the " + resolved.series_label + " with the " + criterion(figure) +
              ", and how far that of " + other + " is from it.";
  if (any_cell(resolved, [](const WinnerCell& cell) { return !cell.ties.empty(); }))
    out += " Lighter: not told apart from those behind ≈ (intervals of differences, " + resolved.provenance.confidence +
           " together in a cell, replications paired).";
  if (any_cell(resolved, [](const WinnerCell& cell) { return cell.is_among_fewer; }))
    out += " *: of fewer, not all have results.";
  return out;
}

// ---- the kind ----

void resolve_winners(const Figure& figure, const ResultTable& summary, ResolvedFigure& out) {
  out.x = axis_of_cells(figure.x, scale_of_key(summary, figure.x.key));
  out.y = axis_of_cells(*figure.y, scale_of_key(summary, figure.y->key));
  out.series_key = figure.series.key;
  out.series_label = series_label(figure.series);
  out.has_legend = true;
  for (const auto& value : scale_of_key(summary, figure.series.key).texts)
    out.series.push_back({value, value_label(figure.series, value)});
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    auto cells = cells_of(figure, figure.panels[p], summary, out);
    out.panels[p].has_results = !cells.empty();
    out.panels[p].content = std::move(cells);
    out.panels[p].value = axis_of_values(figure.panels[p], summary.metric(figure.panels[p].metric));
  }
  out.note = note_of(figure, out);
}

}  // namespace

namespace figures {

FigureKind winners() {
  return {
      .name = "winners",
      .summary = "over two swept keys, which value of a third is best, and by how much",
      .keys = {"x", "x_labels", "y", "y_label", "y_labels", "series", "series_label", "labels", "against"},
      .panel_keys = {"metric", "best"},
      .needs = {{"y", "a figure of winners needs a second swept key, such as y: owner.TH"},
                {"series",
                 "a figure of winners needs the swept key whose values compete, such as series: split.policy"}},
      .has_wide_panels = true,
      .without_series = "surface",
      .over_one_axis = "curves",
      .resolve = resolve_winners,
      .script = winners_script};
}

}  // namespace figures
}  // namespace nowsim
