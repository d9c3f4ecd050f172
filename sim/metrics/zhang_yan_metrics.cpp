// Zhang & Yan's (1995) metrics: heterogeneity, efficiency, Properties 1 and 2, out of a point's machines' times; and
// the rows of the table of metrics, by the parts of their paper.
#include "sim/metrics/paper_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/infinity.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/platform/platform.hpp"
#include "sim/statistics/influence.hpp"

namespace nowsim::zhang_yan {
namespace {

using Times = TimeBreakdown;

/// The mean of one of each machine's times; and where it is nothing but rounding beside tau 0.
template <Times::Part which>
Estimates means_of(const MetricContext& c, const PointStatistics& s) {
  Estimates out;
  for (const JointMoments& machine : s.times.each())
    out.push_back(combined_mean(machine, Times::only(which), c.confidence));
  return out;
}
template <Times::Part which>
Estimates settled_means_of(const MetricContext& c, const PointStatistics& s) {
  Estimates out = means_of<which>(c, s);
  for (Estimate& e : out) e = settled(e, s.makespan_s.mean());
  return out;
}

/// |A|/max S over the mean of a sum. Of T it is SP·Delta_A, the left side of Property 1; of what owners leave,
/// weighted, Property 2 (12): SP·Delta_A/sum (1 - U_j) W_j, where U_j = mean T_owner_j/mean T, equal to E given sum |A_j| = |A|.
template <Times::Sum which>
Estimates fastest_over(const MetricContext& c, const PointStatistics& s) {
  return {over_mean(fastest_dedicated_s(*c.scenario), combined_mean(s.times.sums(), Times::only(which), c.confidence))};
}

}  // namespace

double work_flop(const Scenario& scenario) { return scenario.workload->program().work_of(scenario.share_flop); }

double fastest_dedicated_s(const Scenario& scenario) { return work_flop(scenario) / fastest_flops(*scenario.platform); }

namespace {

/// W_i (1), H (4) and sum W_j: exact.
Estimates weights(const MetricContext& c, const PointStatistics&) {
  return exactly_each(power_weights(*c.scenario->platform));
}

Estimates heterogeneity(const MetricContext& c, const PointStatistics&) {
  return {exactly(nowsim::heterogeneity(*c.scenario->platform))};
}

/// The mean over the weights of a function of their distance from their mean.
template <class Function>
double mean_of_distances(const Platform& platform, Function of_distance) {
  const double mean = 1 - nowsim::heterogeneity(platform);
  const std::vector<double> weight = power_weights(platform);
  double sum = 0;
  for (const double w : weight) sum += of_distance(w - mean);
  return sum / static_cast<double>(weight.size());
}

/// V_stand (2) and V_mean (3) of the weights, which the paper finds unfit to tell heterogeneity: exact.
Estimates standard_deviation(const MetricContext& c, const PointStatistics&) {
  return {exactly(std::sqrt(mean_of_distances(*c.scenario->platform, [](double d) { return d * d; })))};
}

Estimates absolute_deviation(const MetricContext& c, const PointStatistics&) {
  return {exactly(mean_of_distances(*c.scenario->platform, [](double d) { return std::abs(d); }))};
}

Estimates power(const MetricContext& c, const PointStatistics&) {
  return {exactly(total_power(*c.scenario->platform))};
}

/// E (10): mean(sum W_j T_eff_j)/mean(sum W_j (T - T_owner_j)).
Estimates efficiency(const MetricContext& c, const PointStatistics& s) {
  return {combined_ratio(s.times.sums(), Times::only(Times::kWeightedEffective),
                         Times::only(Times::kWeightedAvailable), c.confidence)};
}

/// Delta_A (11): |A|/max S over the baseline's mean time. NaN without a baseline.
Estimates owner_effect(const MetricContext& c, const PointStatistics&) {
  if (c.baseline_s == nullptr) return {exactly(kNotKnown)};
  return {over_mean(fastest_dedicated_s(*c.scenario), mean_estimate(*c.baseline_s, c.confidence))};
}

/// min_j (|A|/S_j + its waiting for pages)/tau: Definition 1 against the fastest machine, dedicated.
Estimates speedup_dedicated(const MetricContext& c, const PointStatistics& s) {
  double least_s = kInfinity;
  for (const auto& w : c.scenario->platform->workstations)
    least_s = std::min(least_s, work_flop(*c.scenario) / w.speed_flops + c.scenario->workload->program().paging_alone_s(w));
  return {over_mean(least_s, mean_estimate(s.makespan_s, c.confidence))};
}

// Property 1 (6) says SP = P_deg (1 - H). What holds, exactly and with owners, is
// SP·Delta_A - P_deg (1 - H) = m·Cov(W, T_eff)/T, given sum |A_j| = |A|.

/// P_deg (1 - H) with P_deg = mean(sum T_eff_j)/mean(T); the metric P_deg is the mean of each run's ratio.
Estimates parallelism_homogeneous(const MetricContext& c, const PointStatistics& s) {
  const auto effective = Times::only(Times::kSumEffective, 1 - nowsim::heterogeneity(*c.scenario->platform));
  return {combined_ratio(s.times.sums(), effective, Times::only(Times::kMakespan), c.confidence)};
}

/// m·Cov(W, T_eff)/mean(T), the population's covariance over the m machines: m·Cov(W, T_eff) = sum W_j T_eff_j - mean(W)·sum T_eff_j, and mean(W) = 1 - H.
Estimates covariance(const MetricContext& c, const PointStatistics& s) {
  auto products = Times::only(Times::kWeightedEffective);
  products[Times::kSumEffective] = nowsim::heterogeneity(*c.scenario->platform) - 1;
  const Estimate e = combined_ratio(s.times.sums(), products, Times::only(Times::kMakespan), c.confidence);
  return {settled(e, 1)};
}

// T_eff_i, T_owner_i and overhead_i add up to mean(T).

Estimates utilisations(const MetricContext& c, const PointStatistics& s) {
  Estimates out;
  const auto owner = Times::only(Times::kOwner), total = Times::only(Times::kTotal);
  for (const JointMoments& machine : s.times.each())
    out.push_back(settled(combined_ratio(machine, owner, total, c.confidence), 1));
  return out;
}

/// L_ave (15) = sum W_j overhead_j [s].
Estimates average_latency(const MetricContext& c, const PointStatistics& s) {
  const Estimate e = combined_mean(s.times.sums(), Times::only(Times::kWeightedOverhead), c.confidence);
  return {settled(e, s.makespan_s.mean())};
}

}  // namespace

Estimates unit_latency(const MetricContext& c, const PointStatistics& s) {
  return {divided(average_latency(c, s).front(), total_power(*c.scenario->platform))};
}

}  // namespace nowsim::zhang_yan

namespace nowsim {
namespace {

namespace zy = zhang_yan;

constexpr Gathering kGathersTimes{.times = true};

}  // namespace

std::span<const Metric> zhang_yan_metrics() {
  static const Metric table[] = {
      {.name = "W_i", .unit = "", .summary = "power weight: speed / that of the fastest (ZY 1)",
       .per_workstation = true, .estimate = zy::weights, .exact = true},
      {.name = "H", .unit = "", .summary = "heterogeneity: mean of 1 - W_i (ZY 4)", .estimate = zy::heterogeneity,
       .exact = true},
      {.name = "V_stand", .unit = "", .summary = "standard deviation of the power weights (ZY 3.1.1, 2)",
       .estimate = zy::standard_deviation, .exact = true},
      {.name = "V_mean", .unit = "", .summary = "mean absolute deviation of the power weights (ZY 3.1.1, 3)",
       .estimate = zy::absolute_deviation, .exact = true},
      {.name = "power", .unit = "", .summary = "sum of the power weights W_i", .estimate = zy::power, .exact = true},
      {.name = "speedup_dedicated", .unit = "", .summary = "time on the fastest one of the machines, dedicated / tau",
       .estimate = zy::speedup_dedicated, .better = Better::higher},
      {.name = "T_eff_i", .unit = "s", .summary = "effective time of each: work done / speed (ZY 3.2)",
       .per_workstation = true, .estimate = zy::means_of<TimeBreakdown::kEffective>, .gathers = kGathersTimes},
      {.name = "T_owner_i", .unit = "s", .summary = "owner's time of each in [0, T]", .per_workstation = true,
       .estimate = zy::settled_means_of<TimeBreakdown::kOwner>, .gathers = kGathersTimes},
      {.name = "overhead_i", .unit = "s", .summary = "overhead of each: T - T_owner_i - T_eff_i (ZY 3.2)",
       .per_workstation = true, .estimate = zy::settled_means_of<TimeBreakdown::kOverhead>, .gathers = kGathersTimes,
       .better = Better::lower},
      {.name = "U_i", .unit = "", .summary = "owner's utilisation of each: T_owner_i / tau, a ratio of means (ZY 3.1.2)",
       .per_workstation = true, .estimate = zy::utilisations, .gathers = kGathersTimes},
      {.name = "SP_Delta", .unit = "", .summary = "SP·Delta_A: |A| / (max S·tau), the left side of Property 1 (ZY 6)",
       .estimate = zy::fastest_over<TimeBreakdown::kMakespan>, .gathers = kGathersTimes},
      {.name = "P_deg(1-H)", .unit = "", .summary = "right side of Property 1 (ZY 6): (1 - H)·(sum of T_eff_i) / tau, of means",
       .estimate = zy::parallelism_homogeneous, .gathers = kGathersTimes},
      {.name = "covariance", .unit = "", .summary = "their difference: m·Cov(W, T_eff) / tau over the m machines",
       .estimate = zy::covariance, .gathers = kGathersTimes},
      {.name = "E", .unit = "", .summary = "efficiency: effective time / time owners leave, weighted with W_i (ZY 10)",
       .estimate = zy::efficiency, .gathers = kGathersTimes, .efficiency = Efficiency::E, .better = Better::higher},
      {.name = "Delta_A", .unit = "", .summary = "owners' effect on one machine: |A| / (max S·baseline's tau) (ZY 11)",
       .needs_baseline = true, .estimate = zy::owner_effect},
      {.name = "E_P2", .unit = "", .summary = "right side of Property 2: SP·Delta_A / sum of (1 - U_i)·W_i (ZY 12)",
       .estimate = zy::fastest_over<TimeBreakdown::kWeightedAvailable>, .gathers = kGathersTimes},
      {.name = "L_ave", .unit = "s", .summary = "latency: sum of W_i·overhead_i (ZY 15)",
       .estimate = zy::average_latency, .gathers = kGathersTimes, .better = Better::lower},
      {.name = "L", .unit = "s", .summary = "latency per unit of power: L_ave / power (ZY 16)",
       .estimate = zy::unit_latency, .gathers = kGathersTimes, .better = Better::lower},
      {.name = "scale_e", .unit = "", .summary = "scalability: L of the reference point / L (ZY 17)",
       .estimate = zy::scalability, .gathers = kGathersTimes, .needs_reference = true, .better = Better::higher},
      {.name = "scale_work", .unit = "", .summary = "Property 3 with sigma = 1: |A_1|·W_2·S_2 / (|A_2|·W_1·S_1)",
       .estimate = zy::size_scaling, .needs_reference = true, .better = Better::higher},
      {.name = "scale_P3", .unit = "", .summary = "Property 3 as printed, owners' operations in sigma (ZY 18-20)",
       .estimate = zy::property3, .gathers = kGathersTimes, .needs_reference = true},
      {.name = "solved", .unit = "", .summary = "problem size that was solved for", .estimate = zy::solved_size,
       .needs_solved = true},
  };
  return table;
}

}  // namespace nowsim
