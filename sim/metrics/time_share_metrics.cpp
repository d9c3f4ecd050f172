// Where the machines' time goes: metrics of the job's, the owners' and overhead's shares, and of owners' slowdown.
#include <array>

#include "sim/metrics/metrics.hpp"
#include "sim/statistics/estimate_arithmetic.hpp"

namespace nowsim {
namespace {

Estimates dedication(const MetricContext& c, const PointStatistics& s) {
  return {mean_estimate(s.dedication, c.confidence)};
}
Estimates owner_share(const MetricContext& c, const PointStatistics& s) {
  return {settled(mean_estimate(s.owner_share, c.confidence), 1)};
}
Estimates overhead_share(const MetricContext& c, const PointStatistics& s) {
  return {settled(mean_estimate(s.overhead_share, c.confidence), 1)};
}
/// Over all jobs of all replications. NaN where there were none.
Estimates owner_slowdown(const MetricContext& c, const PointStatistics& s) {
  if (!(s.totals[Quantity::owner_jobs].mean() > 0)) return {exactly(kNotKnown)};
  return {combined_ratio(s.slowdown_and_jobs, std::array{1.0, 0.0}, std::array{0.0, 1.0}, c.confidence)};
}

}  // namespace

std::span<const Metric> time_share_metrics() {
  static const Metric table[] = {
      {.name = "P_deg", .unit = "", .summary = "parallelism: sum of effective times / T, the mean of each run's (ZY 6)", .estimate = dedication,
       .gathers = {.shares = true}, .better = Better::higher},
      {.name = "owner", .unit = "",
       .summary = "share of the machines' time that owners used in [0, T], the mean of each run's",
       .estimate = owner_share, .gathers = {.shares = true}},
      {.name = "overhead", .unit = "",
       .summary = "share of the machines' time lost to waiting and messages, the mean of each run's",
       .estimate = overhead_share, .gathers = {.shares = true}, .better = Better::lower},
      {.name = "owner_slowdown", .unit = "",
       .summary = "mean response time / demand of the owner jobs completed in [0, T]", .estimate = owner_slowdown,
       .better = Better::lower},
  };
  return table;
}

}  // namespace nowsim
