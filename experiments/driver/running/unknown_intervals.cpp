// Looking for what rows lack.
#include "experiments/driver/running/unknown_intervals.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/engines/batch_record.hpp"

namespace nowsim {
namespace {

bool lacks_some(const std::vector<Estimate>& estimates) { return std::ranges::any_of(estimates, lacks_interval); }

/// Metrics that lack intervals in some row of those that a condition holds for.
Words metrics_without(const ResultTable& s, const auto& is_meant) {
  Words names;
  for (std::size_t m = 0; m < s.metrics.size(); ++m) {
    const bool lacks = std::ranges::any_of(s.rows, [&](const ResultRow& row) {
      return row.has_results() && row.observations() > 1 && is_meant(row) && lacks_some(row.estimates[m]);
    });
    if (lacks) names.push_back(s.metrics[m]->name);
  }
  return names;
}

std::string has_none(const Words& names) { return joined(names) + (names.size() == 1 ? " has" : " have"); }

}  // namespace

bool lacks_interval(const Estimate& estimate) {
  return !std::isnan(estimate.value) && std::isnan(estimate.half_width());
}

bool is_single(const ResultRow& row) {
  return row.has_results() && row.observations() < 2 && std::ranges::any_of(row.estimates, lacks_some);
}

std::vector<std::string> unknown_interval_reasons(const ResultTable& summary) {
  std::vector<std::string> reasons;
  const auto is_large = [](const ResultRow& row) { return row.workstations.size() > kMostWithValues; };
  const auto is_small = [&](const ResultRow& row) { return !is_large(row); };
  if (const Words names = metrics_without(summary, is_large); !names.empty())
    reasons.push_back("± ?: on more than " + std::to_string(kMostWithValues) + " workstations " + has_none(names) +
                      " no intervals");
  if (const Words names = metrics_without(summary, is_small); !names.empty())
    reasons.push_back("± ?: " + has_none(names) + " no interval here, since none is known of what " +
                      (names.size() == 1 ? "it is" : "they are") + " computed from");
  return reasons;
}

}  // namespace nowsim
