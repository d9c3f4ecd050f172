// Estimates of one point out of its machines' times.
#include "sim/metrics/zhang_yan_metrics.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "sim/platform/power_weights.hpp"
#include "sim/statistics/estimate_arithmetic.hpp"

namespace nowsim::zhang_yan {
namespace {

using Times = TimeBreakdown;

/// Factors of TimeBreakdown' variables: all 0 but one.
template <std::size_t Size>
std::array<double, Size> only(std::size_t variable, double factor = 1) {
  std::array<double, Size> out{};
  out[variable] = factor;
  return out;
}
std::array<double, Times::kSums> sum(Times::Sum which, double factor = 1) { return only<Times::kSums>(which, factor); }
std::array<double, Times::kParts> part(Times::Part which) { return only<Times::kParts>(which); }

/// The mean of one of each workstation's times.
Estimates means_of(Times::Part which, const MetricContext& c, const PointStatistics& s) {
  Estimates out;
  for (const JointMoments& machine : s.times.each()) out.push_back(combined_mean(machine, part(which), c.confidence));
  return out;
}

/// (|A|/max S) over the mean of a sum of times.
Estimates fastest_over(Times::Sum which, const MetricContext& c, const PointStatistics& s) {
  return {over_mean(fastest_dedicated_s(*c.scenario), combined_mean(s.times.sums(), sum(which), c.confidence))};
}

}  // namespace

double work_flop(const Scenario& scenario) { return scenario.workload->program().work_of(scenario.share_flop); }

double fastest_dedicated_s(const Scenario& scenario) { return work_flop(scenario) / fastest_flops(*scenario.platform); }

Estimates weights(const MetricContext& c, const PointStatistics&) {
  Estimates out;
  for (const double w : power_weights(*c.scenario->platform)) out.push_back(exactly(w));
  return out;
}

Estimates heterogeneity(const MetricContext& c, const PointStatistics&) {
  return {exactly(nowsim::heterogeneity(*c.scenario->platform))};
}

Estimates power(const MetricContext& c, const PointStatistics&) {
  return {exactly(total_power(*c.scenario->platform))};
}

Estimates efficiency(const MetricContext& c, const PointStatistics& s) {
  return {combined_ratio(s.times.sums(), sum(Times::kWeightedEffective), sum(Times::kWeightedAvailable), c.confidence)};
}

Estimates owner_effect(const MetricContext& c, const PointStatistics&) {
  if (c.baseline_s == nullptr) return {exactly(kNotKnown)};
  return {over_mean(fastest_dedicated_s(*c.scenario), mean_estimate(*c.baseline_s, c.confidence))};
}

Estimates speedup_dedicated(const MetricContext& c, const PointStatistics& s) {
  double least_s = std::numeric_limits<double>::infinity();
  for (const auto& w : c.scenario->platform->workstations)
    least_s = std::min(least_s, work_flop(*c.scenario) / w.speed_flops + c.scenario->workload->program().paging_alone_s(w));
  return {over_mean(least_s, mean_estimate(s.makespan_s, c.confidence))};
}

Estimates property2(const MetricContext& c, const PointStatistics& s) {
  return fastest_over(Times::kWeightedAvailable, c, s);
}

Estimates speedup_delta(const MetricContext& c, const PointStatistics& s) {
  return fastest_over(Times::kMakespan, c, s);
}

Estimates parallelism_homogeneous(const MetricContext& c, const PointStatistics& s) {
  const auto effective = sum(Times::kSumEffective, 1 - nowsim::heterogeneity(*c.scenario->platform));
  return {combined_ratio(s.times.sums(), effective, sum(Times::kMakespan), c.confidence)};
}

/// m·Cov(W, T_eff) = sum W_j T_eff_j - mean(W)·sum T_eff_j, and mean(W) = 1 - H.
Estimates covariance(const MetricContext& c, const PointStatistics& s) {
  auto products = sum(Times::kWeightedEffective);
  products[Times::kSumEffective] = nowsim::heterogeneity(*c.scenario->platform) - 1;
  const Estimate e = combined_ratio(s.times.sums(), products, sum(Times::kMakespan), c.confidence);
  return {settled(e, 1)};
}

Estimates effective_times(const MetricContext& c, const PointStatistics& s) {
  return means_of(Times::kEffective, c, s);
}

Estimates owner_times(const MetricContext& c, const PointStatistics& s) { return means_of(Times::kOwner, c, s); }

Estimates overheads(const MetricContext& c, const PointStatistics& s) {
  Estimates out = means_of(Times::kOverhead, c, s);
  for (Estimate& e : out) e = settled(e, s.makespan_s.mean());
  return out;
}

Estimates utilisations(const MetricContext& c, const PointStatistics& s) {
  Estimates out;
  for (const JointMoments& machine : s.times.each())
    out.push_back(combined_ratio(machine, part(Times::kOwner), part(Times::kTotal), c.confidence));
  return out;
}

Estimates average_latency(const MetricContext& c, const PointStatistics& s) {
  const Estimate e = combined_mean(s.times.sums(), sum(Times::kWeightedOverhead), c.confidence);
  return {settled(e, s.makespan_s.mean())};
}

Estimates unit_latency(const MetricContext& c, const PointStatistics& s) {
  return {divided(average_latency(c, s).front(), total_power(*c.scenario->platform))};
}

}  // namespace nowsim::zhang_yan
