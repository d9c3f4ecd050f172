// Looking up columns by name.
#include "experiments/driver/pictures/figure_rows.hpp"

#include <algorithm>

namespace nowsim {

AxisScale scale_of_key(const ResultTable& summary, const std::string& key) {
  std::vector<std::string> values;
  if (!key.empty())
    for (const auto& row : summary.rows) values.push_back(summary.value(row, key));
  return scale_of(values);
}

bool fits(const ResultTable& summary, const ResultRow& row, const std::vector<FigureCondition>& conditions) {
  return std::ranges::all_of(conditions, [&](const auto& c) { return summary.value(row, c.key) == c.value; });
}

void OffLogScale::add(double value) {
  ++points;
  below = below || value < 0;
}

std::string OffLogScale::text() const {
  if (points == 0) return "";
  return std::to_string(points) + (points == 1 ? " point at 0" : " points at 0") + (below ? " or below" : "") +
         " cannot be shown on a log scale";
}

}  // namespace nowsim
