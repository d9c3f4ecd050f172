// Ranking the means of a cell and comparing each with the best.
#include "experiments/driver/pictures/winners.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/claims/contrast.hpp"
#include "experiments/driver/pictures/figure_rows.hpp"

namespace nowsim {
namespace {

/// The points of a cell that have results, one per value of the series (of several rows the first), the best first.
std::vector<MeasuredPoint> ranked(const Figure& figure, const FigurePanel& panel, const Summary& summary,
                                  const std::string& x, const std::string& y) {
  std::vector<MeasuredPoint> out;
  for (const auto& row : summary.rows) {
    if (value_of_key(summary, row, figure.x.key) != x || value_of_key(summary, row, figure.y->key) != y) continue;
    const std::string& value = value_of_key(summary, row, figure.series.key);
    const Estimate e = estimate_in(summary, row, panel.metric);
    const bool known = std::ranges::any_of(out, [&](const MeasuredPoint& p) { return p.value == value; });
    if (fits(summary, row, panel.where) && std::isfinite(e.value) && !known) out.push_back({0, value, value, e, &row});
  }
  std::ranges::stable_sort(out, [&](const MeasuredPoint& a, const MeasuredPoint& b) {
    return is_highest_best(panel) ? a.estimate.value > b.estimate.value : a.estimate.value < b.estimate.value;
  });
  return out;
}

bool can_be_told(const MeasuredPoint& a, const MeasuredPoint& b, double confidence) {
  const Estimate difference = Contrast().add(1, a).add(-1, b).interval(confidence);
  return difference.low > 0 || difference.high < 0;
}

/// `against`, or where it is not given or the best itself, the second best.
const MeasuredPoint* compared_in(const std::vector<MeasuredPoint>& points, const std::string& against) {
  if (points.size() < 2) return nullptr;
  if (against.empty() || points.front().value == against) return &points[1];
  const auto found = std::ranges::find_if(points, [&](const MeasuredPoint& p) { return p.value == against; });
  return found == points.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Winner> winner_at(const Figure& figure, const FigurePanel& panel, const Summary& summary,
                                const std::string& x, const std::string& y) {
  const auto points = ranked(figure, panel, summary, x, y);
  if (points.empty()) return {};
  const MeasuredPoint& best = points.front();
  Winner out;
  out.best = best.value;
  const double comparisons = std::max(1.0, static_cast<double>(points.size() - 1));
  const double joint = 1 - (1 - best.row->confidence) / comparisons;
  for (std::size_t k = 1; k < points.size(); ++k)
    if (!can_be_told(best, points[k], joint)) out.ties.push_back(points[k].value);
  if (const MeasuredPoint* other = compared_in(points, own_of(figure).against)) {
    out.compared = other->value;
    if (best.estimate.value > 0) out.excess = other->estimate.value / best.estimate.value - 1;
  }
  out.is_among_fewer = points.size() < scale_of_key(summary, figure.series.key).texts.size();
  return out;
}

}  // namespace nowsim
