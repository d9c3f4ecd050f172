// Looking up columns by name.
#include "experiments/driver/pictures/figure_rows.hpp"

#include <algorithm>

namespace nowsim {

const std::string& value_of_key(const Summary& summary, const SummaryRow& row, const std::string& key) {
  return row.values.at(static_cast<std::size_t>(std::ranges::find(summary.axes, key) - summary.axes.begin()));
}

AxisScale scale_of_key(const Summary& summary, const std::string& key) {
  std::vector<std::string> values;
  if (!key.empty())
    for (const auto& row : summary.rows) values.push_back(value_of_key(summary, row, key));
  return scale_of(values);
}

const Metric& metric_in(const Summary& summary, const std::string& metric) {
  return **std::ranges::find(summary.metrics, metric, [](const Metric* known) { return known->name; });
}

const std::vector<Estimate>& estimates_in(const Summary& summary, const SummaryRow& row, const std::string& metric) {
  const auto m = std::ranges::find(summary.metrics, metric, [](const Metric* known) { return known->name; });
  return row.estimates.at(static_cast<std::size_t>(m - summary.metrics.begin()));
}

Estimate estimate_in(const Summary& summary, const SummaryRow& row, const std::string& metric) {
  return row.estimates.empty() ? exactly(kNotKnown) : estimates_in(summary, row, metric).front();
}

bool fits(const Summary& summary, const SummaryRow& row, const std::vector<FigureCondition>& conditions) {
  return std::ranges::all_of(conditions, [&](const auto& c) { return value_of_key(summary, row, c.key) == c.value; });
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
