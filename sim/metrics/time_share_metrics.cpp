// Where the machines' time goes: metrics of the job's, the owners' and overhead's shares, and of owners' slowdown.
#include "sim/metrics/metrics.hpp"

namespace nowsim {
namespace {

Estimates dedication(const MetricContext& c, const PointStatistics& s) {
  return {mean_estimate(s.dedication, c.confidence)};
}
Estimates owner_share(const MetricContext& c, const PointStatistics& s) {
  return {mean_estimate(s.owner_share, c.confidence)};
}
Estimates overhead_share(const MetricContext& c, const PointStatistics& s) {
  return {mean_estimate(s.overhead_share, c.confidence)};
}
/// Over all jobs of all replications. NaN where there were none.
Estimates owner_slowdown(const MetricContext& c, const PointStatistics& s) {
  const double jobs = s.totals[Quantity::owner_jobs].mean();
  if (!(jobs > 0)) return {exactly(kNotKnown)};
  const double value = s.totals[Quantity::owner_slowdown].mean() / jobs;
  const double h = ratio_half_width(s.slowdown_and_jobs, value, c.confidence);
  return {{value, value - h, value + h}};
}

}  // namespace

std::span<const Metric> time_share_metrics() {
  static const Metric table[] = {
      {.name = "P_deg", .unit = "", .summary = "parallelism: sum of effective times / T (ZY 6)", .estimate = dedication,
       .gathers = {.shares = true}},
      {.name = "owner", .unit = "", .summary = "share of the machines' time that owners used in [0, T]",
       .estimate = owner_share, .gathers = {.shares = true}},
      {.name = "overhead", .unit = "", .summary = "share of the machines' time lost to waiting and messages",
       .estimate = overhead_share, .gathers = {.shares = true}},
      {.name = "owner_slowdown", .unit = "",
       .summary = "mean response time / demand of the owner jobs completed in [0, T]", .estimate = owner_slowdown},
  };
  return table;
}

}  // namespace nowsim
