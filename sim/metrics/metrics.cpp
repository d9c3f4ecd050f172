// The list of tables of metrics, joined, and looking up in it.
#include "sim/metrics/metrics.hpp"

#include "sim/base/listed.hpp"
#include "sim/metrics/independent_stretches.hpp"
#include "sim/metrics/quantile_metrics.hpp"
#include "sim/program/measured_scenario.hpp"
#include "sim/statistics/fit_uncertainty.hpp"
#include "sim/statistics/influence.hpp"

namespace nowsim {

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

/// A time that something takes, which is above 0: not the difference of two.
bool is_duration(const Metric& metric) {
  return metric.unit == "s" && !metric.needs_reference && !metric.needs_rivals && !metric.needs_step1;
}

}  // namespace

const Registry<Metric>& builtin_metrics() {
  static const Registry<Metric> all(joined());
  return all;
}

const Metric* find_metric(const std::string& name, const Registry<Metric>& known) {
  const Metric* found = known.find(name);
  return found == nullptr ? find_quantile_metric(name) : found;
}

Estimates metric_estimates(const Metric& metric, const MetricContext& context, const PointStatistics& statistics) {
  Estimates out = metric.estimate(context, statistics);
  const std::uint64_t replications = statistics.makespan_s.count();
  const double stretches =
      context.is_of_series ? kInfinity : independent_stretches(*context.scenario, statistics.makespan_s);
  for (Estimate& e : out) e = of_stretches(e, stretches, replications, is_duration(metric), context.confidence);
  const std::uint64_t per_draw = replications_per_draw(*context.scenario);
  if (per_draw == 0) return out;
  Estimate makespans = mean_estimate(statistics.makespan_s, context.confidence);
  if (makespans.influence) makespans = with_influence(makespans, makespans.influence->seeing(per_draw, FitPart::in_interval));
  const FitPart part = metric.of_spread ? FitPart::in_value : FitPart::in_interval;
  for (Estimate& e : out) e = with_fits(e, per_draw, part, is_duration(metric), makespans, context.confidence);
  return out;
}

Estimates behind_server(const Scenario& scenario, double of_server, const Estimates& workers) {
  Estimates out(first_worker(scenario), exactly(of_server));
  out.insert(out.end(), workers.begin(), workers.end());
  return out;
}

}  // namespace nowsim
