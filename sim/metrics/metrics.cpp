// The list of tables of metrics, joined, and looking up in it.
#include "sim/metrics/metrics.hpp"

#include <algorithm>

#include "sim/base/listed.hpp"
#include "sim/metrics/quantile_metrics.hpp"

namespace nowsim {

/// The rows of a file, which are there for ever.
using MetricTable = std::span<const Metric>();

// clang-format off
NOWSIM_LISTED(MetricTable, kMetricTables,
              huang_lee_metrics,
              time_share_metrics,
              theory_metrics,
              comparison_metrics,
              zhang_yan_metrics,
              bazterra_metrics,
              bosque_metrics);
// clang-format on

namespace {

std::vector<Metric> joined() {
  std::vector<Metric> all;
  for (const auto table : kMetricTables) all.insert(all.end(), table().begin(), table().end());
  return all;
}

}  // namespace

std::span<const Metric> metrics() {
  static const std::vector<Metric> all = joined();
  return all;
}

const Metric* find_metric(const std::string& name) {
  const auto found = std::ranges::find(metrics(), name, &Metric::name);
  return found == metrics().end() ? find_quantile_metric(name) : &*found;
}

Estimates behind_server(const Scenario& scenario, double of_server, const Estimates& workers) {
  Estimates out(first_worker(scenario), exactly(of_server));
  out.insert(out.end(), workers.begin(), workers.end());
  return out;
}

}  // namespace nowsim
