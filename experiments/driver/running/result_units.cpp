// Metrics in seconds, each with the range of its estimates.
#include "experiments/driver/running/result_units.hpp"

#include "experiments/driver/text/told_times.hpp"

namespace nowsim {
namespace {

TimeRange range_of_metric(const ResultTable& summary, std::size_t m) {
  TimeRange times;
  for (const auto& row : summary.rows)
    if (row.has_results())
      for (const auto& e : row.estimates[m]) times.add(e.value);
  return times;
}

}  // namespace

std::vector<ColumnUnit> metric_units(const ResultTable& summary) {
  std::vector<ColumnUnit> units;
  std::vector<std::size_t> in_seconds;
  std::vector<TimeRange> ranges;
  for (std::size_t m = 0; m < summary.metrics.size(); ++m) {
    units.push_back({summary.metrics[m]->unit.c_str(), 1});
    if (summary.metrics[m]->unit != "s") continue;
    in_seconds.push_back(m);
    ranges.push_back(range_of_metric(summary, m));
  }
  const auto told = units_of_times(ranges);
  for (std::size_t i = 0; i < told.size(); ++i) units[in_seconds[i]] = told[i];
  return units;
}

}  // namespace nowsim
