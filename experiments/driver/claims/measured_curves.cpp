// Selecting rows, and telling curves and groups of curves apart by the axes that are left.
#include "experiments/driver/claims/measured_curves.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "experiments/driver/reading/axis_scale.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {
namespace {

bool is_one_of(const std::string& value, const Words& wanted) {
  return std::ranges::any_of(wanted, [&](const auto& w) { return same_axis_value(value, w); });
}

bool is_selected(const Claim& claim, const ResultTable& summary, const ResultRow& row) {
  return std::ranges::all_of(claim.where, [&](const auto& rule) {
    return is_one_of(summary.value(row, rule.first), rule.second);
  });
}

/// Sorts one claim's rows.
class Sorter {
 public:
  Sorter(const Claim& claim, const ResultTable& summary, const std::string& across, const Words& compared)
      : summary_(summary),
        along_(summary.axis_index(claim.along)),
        across_(summary.axis_index(across)),
        metric_(summary.metric_index(claim.metric)),
        over_(summary.metric_index(claim.over)) {
    note_positions();
    for (const auto& row : summary.rows)
      if ((compared.empty() || is_one_of(row.values[across_], compared)) && is_selected(claim, summary, row))
        rows_.push_back(&row);
    std::vector<std::size_t> named{along_};
    if (across_ < summary.axes.size()) named.push_back(across_);
    others_ = summary.axes_beside(named, rows_);
  }

  Measured sort() {
    for (const ResultRow* row : rows_)
      if (row->status != PointStatus::infeasible) place(*row);
    if (rows_.empty()) measured_.obstacle = "no point has the values asked for";
    order();
    return std::move(measured_);
  }

 private:
  /// The values of `along` in their order, if they are not all numbers: then they have places only.
  void note_positions() {
    for (const auto& row : summary_.rows)
      if (!contains(positions_, row.values[along_])) positions_.push_back(row.values[along_]);
    if (std::all_of(positions_.begin(), positions_.end(), [](const auto& text) { return axis_number(text); }))
      positions_.clear();
  }
  [[nodiscard]] double x_of(const ResultRow& row) const {
    if (over_ < summary_.metrics.size()) return value_of(row, over_);
    return place_along(row.values[along_]);
  }
  [[nodiscard]] double place_along(const std::string& text) const {
    return positions_.empty() ? axis_number(text).value() : static_cast<double>(std::ranges::find(positions_, text) - positions_.begin());
  }
  /// NaN where there is none.
  [[nodiscard]] static double value_of(const ResultRow& row, std::size_t metric) {
    const bool has = row.status == PointStatus::ok && row.estimates.size() > metric && !row.estimates[metric].empty();
    return has ? row.estimates[metric].front().value : std::nan("");
  }

  [[nodiscard]] std::string named(const ResultRow& row, std::size_t axis) const {
    return summary_.axes[axis] + " = " + row.values[axis];
  }

  void place(const ResultRow& row) {
    const double x = std::isfinite(value_of(row, metric_)) ? x_of(row) : std::nan("");
    if (!std::isfinite(x)) {
      ++measured_.missing;
      return;
    }
    const std::string& text = row.values[along_];
    curve(values_of(row, others_), row).points.push_back({x, text, named(row, along_), row.estimates[metric_].front(), &row});
  }

  /// The curve that a row belongs to, made where it is the first.
  Curve& curve(const Words& group, const ResultRow& row) {
    const auto [found, is_new] = index_.try_emplace(group, measured_.groups.size());
    if (is_new) measured_.groups.emplace_back();
    auto& curves = measured_.groups[found->second].curves;
    const std::string across = across_ < summary_.axes.size() ? row.values[across_] : "";
    for (auto& known : curves)
      if (known.across == across) return known;
    std::string label = across.empty() ? "" : named(row, across_);
    for (const std::size_t axis : others_) label += (label.empty() ? "" : ", ") + named(row, axis);
    curves.push_back({across, label, {}});
    return curves.back();
  }

  void order() {
    for (auto& group : measured_.groups) {
      const auto value = [](const Curve& c) { return axis_number(c.across).value_or(0); };
      std::stable_sort(group.curves.begin(), group.curves.end(),
                       [&](const auto& a, const auto& b) { return value(a) < value(b); });
      for (auto& curve : group.curves) {
        auto& points = curve.points;
        std::set<double> known;  // several points may have one x, but not one value of `along`
        std::erase_if(points, [&](const auto& p) { return !known.insert(place_along(p.value)).second; });
        std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
      }
    }
  }

  const ResultTable& summary_;
  std::size_t along_, across_, metric_, over_;
  std::vector<const ResultRow*> rows_;
  std::vector<std::size_t> others_;
  Words positions_;
  std::map<Words, std::size_t> index_;
  Measured measured_;
};

}  // namespace

Measured measure(const Claim& claim, const ResultTable& summary, const std::string& across, const Words& compared) {
  return Sorter(claim, summary, across, compared).sort();
}

}  // namespace nowsim
