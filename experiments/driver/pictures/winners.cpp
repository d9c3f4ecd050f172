// Ranking the means of a cell and comparing each with the best.
#include "experiments/driver/pictures/winners.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/running/linear_combination.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/multiple_comparisons.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

/// The points of a cell that have results, one per value of the series (of several rows the first), the best first.
std::vector<MeasuredPoint> ranked(const Figure& figure, const FigurePanel& panel, const ResultTable& summary,
                                  const std::string& x, const std::string& y) {
  std::vector<MeasuredPoint> out;
  for (const auto& row : summary.rows) {
    if (summary.value(row, figure.x.key) != x || summary.value(row, figure.y->key) != y) continue;
    const std::string& value = summary.value(row, figure.series.key);
    const Estimate e = summary.estimate(row, panel.metric);
    const bool known = std::ranges::any_of(out, [&](const MeasuredPoint& p) { return p.value == value; });
    if (fits(summary, row, panel.where) && std::isfinite(e.value) && !known) out.push_back({0, value, value, e, &row});
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
  const double joint = 1 - (1 - confidence) / std::max(1.0, static_cast<double>(points.size() - 1));
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

}  // namespace

std::optional<Winner> winner_at(const Figure& figure, const FigurePanel& panel, const ResultTable& summary,
                                const std::string& x, const std::string& y) {
  const auto points = ranked(figure, panel, summary, x, y);
  if (points.empty()) return {};
  const MeasuredPoint& best = points.front();
  Winner out;
  out.best = best.value;
  const std::vector<bool> may_be = may_be_best(points, panel.highest_is_best);
  for (std::size_t k = 1; k < points.size(); ++k)
    if (may_be[k]) out.ties.push_back(points[k].value);
  if (const MeasuredPoint* other = compared_in(points, figure.against)) {
    out.compared = other->value;
    if (best.estimate.value > 0) out.excess = other->estimate.value / best.estimate.value - 1;
  }
  out.is_among_fewer = points.size() < scale_of_key(summary, figure.series.key).texts.size();
  return out;
}

}  // namespace nowsim
