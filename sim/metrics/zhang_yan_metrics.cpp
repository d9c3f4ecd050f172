// Zhang & Yan's (1995) metrics: heterogeneity, efficiency, Properties 1 and 2, out of a point's machines' times; ratios
// between two points, and how far each end of their intervals is; and the rows of the table of metrics, by the parts of
// their paper.
#include "sim/metrics/paper_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sim/base/infinity.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/platform/platform.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim::zhang_yan {

double work_flop(const Scenario& scenario) { return scenario.workload->program().work_of(scenario.share_flop); }

double fastest_dedicated_s(const Scenario& scenario) { return work_flop(scenario) / fastest_flops(*scenario.platform); }

double work_per_power_s(const Scenario& scenario) {
  return fastest_dedicated_s(scenario) / total_power(*scenario.platform);
}

namespace {

using Times = TimeBreakdown;
using SumFactors = std::array<double, Times::kSums>;

constexpr Gathering kTimes{.times = true};

// Times are plain means over the replications: control variates have no part, so that the paper's identities hold
// exactly. Each metric gives one estimate, or one per workstation; NaN where nothing is known, with NaN ends where means
// alone are (point_statistics.hpp).

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

/// W_i (1), H (4) and sum W_j: exact.
Estimates weights(const MetricContext& c, const PointStatistics&) {
  return exactly_each(power_weights(*c.scenario->platform));
}

template <double (*Of)(const Platform&)>
Estimates of_platform(const MetricContext& c, const PointStatistics&) {
  return {exactly(Of(*c.scenario->platform))};
}

/// The mean over the weights of a function of their distance from their mean.
template <class Function>
double mean_of_distances(const Platform& platform, Function of_distance) {
  const double mean = 1 - heterogeneity(platform);
  const std::vector<double> weight = power_weights(platform);
  double sum = 0;
  for (const double w : weight) sum += of_distance(w - mean);
  return sum / static_cast<double>(weight.size());
}

/// V_stand (2) and V_mean (3) of the weights, which the paper finds unfit to tell heterogeneity: exact.
double standard_deviation(const Platform& platform) {
  return std::sqrt(mean_of_distances(platform, [](double d) { return d * d; }));
}

double absolute_deviation(const Platform& platform) {
  return mean_of_distances(platform, [](double d) { return std::abs(d); });
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
  const auto effective = Times::only(Times::kSumEffective, 1 - heterogeneity(*c.scenario->platform));
  return {combined_ratio(s.times.sums(), effective, Times::only(Times::kMakespan), c.confidence)};
}

/// m·Cov(W, T_eff)/mean(T), the population's covariance over the m machines: m·Cov(W, T_eff) = sum W_j T_eff_j - mean(W)·sum T_eff_j, and mean(W) = 1 - H.
Estimates covariance(const MetricContext& c, const PointStatistics& s) {
  auto products = Times::only(Times::kWeightedEffective);
  products[Times::kSumEffective] = heterogeneity(*c.scenario->platform) - 1;
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

/// L_ave (15) = sum W_j overhead_j [s], and L (16) = L_ave/sum W_j [s].
Estimate average_latency(const PointStatistics& s, const Confidence& confidence) {
  return settled(combined_mean(s.times.sums(), Times::only(Times::kWeightedOverhead), confidence), s.makespan_s.mean());
}

Estimate unit_latency(const Scenario& scenario, const PointStatistics& s, const Confidence& confidence) {
  return divided(average_latency(s, confidence), total_power(*scenario.platform));
}

Estimates latency(const MetricContext& c, const PointStatistics& s) { return {average_latency(s, c.confidence)}; }

Estimates latency_per_power(const MetricContext& c, const PointStatistics& s) {
  return {unit_latency(*c.scenario, s, c.confidence)};
}

// ---- between two points: index 1 of the paper is the reference, 2 the point. NaN without a reference; of a point
// that is its own reference exactly 1.

/// What a metric gives without looking: NaN without a reference, 1 for the reference itself.
std::optional<Estimates> settled_by_reference(const MetricContext& c, const PointStatistics& s) {
  if (!c.reference) return Estimates{exactly(kNotKnown)};
  if (c.reference->statistics == &s) return Estimates{exactly(1)};
  return std::nullopt;
}

bool are_sizes_solved(const MetricContext& c) { return c.solved != nullptr && c.reference->solved != nullptr; }

double size_ratio(const MetricContext& c) { return work_flop(*c.scenario) / work_flop(*c.reference->scenario); }

bool are_sizes_solved_by_efficiency(const MetricContext& c) {
  return are_sizes_solved(c) && c.solved->value_of(Efficiency::E) && c.reference->solved->value_of(Efficiency::E);
}

/// W_2 S_2/(W_1 S_1)·|A_1|/|A_2|.
double scaling(const MetricContext& c) {
  return work_per_power_s(*c.reference->scenario) / work_per_power_s(*c.scenario);
}

/// How far an interval's ends are from its value, as logarithms; infinite where it reaches 0.
struct Reach {
  double down = 0, up = 0;
};
Reach reach(const Estimate& e) {
  const double down = e.low <= 0 ? kInfinity : portable::log(e.value / e.low);
  return {down, portable::log(e.high / e.value)};
}
Reach inverse(const Reach& r) { return {r.up, r.down}; }
Reach together(const Reach& a, const Reach& b) { return {portable::hypot(a.down, b.down), portable::hypot(a.up, b.up)}; }
Estimate around(double value, const Reach& r) { return {value, value * portable::exp(-r.down), value * portable::exp(r.up)}; }

Reach reach_of_sizes(const MetricContext& c) {
  if (!are_sizes_solved(c)) return {};
  return together(reach(c.reference->solved->work_per_power_s), inverse(reach(c.solved->work_per_power_s)));
}

/// L_1/L_2 at exactly the efficiencies that were asked for; with the one that was measured, which may be off by the
/// tolerance.
Estimate between_latencies(const MetricContext& c, double measured) {
  const auto factor = [](const SolvedSize& size) { return 1 / *size.value_of(Efficiency::E) - 1; };
  const double at_sizes = scaling(c) * factor(*c.reference->solved) / factor(*c.solved);
  const Estimate exact = around(at_sizes, reach_of_sizes(c));
  if (std::isnan(exact.low) || std::isnan(exact.high)) return {measured, kNotKnown, kNotKnown};
  return {measured, std::min(measured, exact.low), std::max(measured, exact.high)};
}

/// O = S·sum W_j T_owner_j = S·(W·T - sum W_j (T - T_owner_j)) [flop], as factors of the sums.
SumFactors owner_flop(const Scenario& scenario, double factor = 1) {
  const double s = factor * fastest_flops(*scenario.platform);
  SumFactors out = Times::only(Times::kMakespan, s * total_power(*scenario.platform));
  out[Times::kWeightedAvailable] = -s;
  return out;
}

/// sigma of Property 3: 1 + (O_2 - O_1·|A_2|/|A_1|)/(L_2 S_2).
Estimate sigma(const MetricContext& c, const PointStatistics& s) {
  const SumFactors owners_1 = owner_flop(*c.reference->scenario, size_ratio(c));
  const SumFactors overhead = Times::only(Times::kWeightedOverhead, fastest_flops(*c.scenario->platform));
  const Estimate own = combined_mean(s.times.sums(), owner_flop(*c.scenario), c.confidence),
                 scaled = combined_mean(c.reference->statistics->times.sums(), owners_1, c.confidence),
                 lost = combined_mean(s.times.sums(), overhead, c.confidence);
  if (!can_be_paired(own) || !can_be_paired(scaled) || !can_be_paired(lost))
    return {1 + (own.value - scaled.value) / lost.value, kNotKnown, kNotKnown};
  return minus(paired_ratio(paired_difference(own, scaled, c.confidence), lost, c.confidence), -1);
}

/// scale_e (17) = L_1/L_2. Where both sizes were solved for so that E = e, its interval is what they say of
/// L = (1/e - 1)·|A|/(max S·sum W_j), which holds at E = e: so L has the error of the size, which comes from the same
/// replications as that of L at the fixed size and would else be counted twice. Both sizes' errors are added as squares
/// of logarithms, as in size_scaling(). In all other cases the interval is that of the samples of both L, whatever the
/// correlation of these.
Estimates scalability(const MetricContext& c, const PointStatistics& s) {
  if (auto known = settled_by_reference(c, s)) return *known;
  const ReferencePoint& first = *c.reference;
  const Estimate ratio = ratio_estimate(
      [&](const Confidence& level) { return unit_latency(*first.scenario, *first.statistics, level); },
      [&](const Confidence& level) { return unit_latency(*c.scenario, s, level); }, c.confidence);
  return {are_sizes_solved_by_efficiency(c) ? between_latencies(c, ratio.value) : ratio};
}

/// |A_1| W_2 S_2/(|A_2| W_1 S_1), W the sums of power weights and S the fastest speeds: Property 3 with sigma = 1,
/// which is what (10) gives. Exact but for the sizes' intervals where both were solved for: their logarithms' errors
/// are added as squares, as of independent ones; where replications share random numbers both sizes err the same way,
/// and the interval is too wide rather than too narrow.
Estimates size_scaling(const MetricContext& c, const PointStatistics& s) {
  if (auto known = settled_by_reference(c, s)) return *known;
  return {around(scaling(c), reach_of_sizes(c))};
}

/// Property 3 as printed: the same times sigma = 1 + (O_2 - O_1·|A_2|/|A_1|)/(L_ave,2·S_2), where the owners'
/// operations O = max S·sum W_j T_owner_j stand in the denominators of E (18), (19), though (10) has none there.
Estimates property3(const MetricContext& c, const PointStatistics& s) {
  if (auto known = settled_by_reference(c, s)) return *known;
  const Estimate factor = sigma(c, s);
  const double value = scaling(c);
  const Estimate printed{value * factor.value, value * factor.low, value * factor.high};
  if (!are_sizes_solved(c)) return {printed};
  const Estimate sized = around(value, reach_of_sizes(c));
  const double by_size_down = factor.value * (value - sized.low), by_size_up = factor.value * (sized.high - value);
  return {{printed.value, printed.value - portable::hypot(printed.value - printed.low, by_size_down),
           printed.value + portable::hypot(printed.high - printed.value, by_size_up)}};
}

/// The size that was solved for. NaN where none was.
Estimates solved_size(const MetricContext& c, const PointStatistics&) {
  return {c.solved != nullptr ? c.solved->size : exactly(kNotKnown)};
}

}  // namespace

}  // namespace nowsim::zhang_yan

namespace nowsim {
namespace zy = zhang_yan;

std::span<const Metric> zhang_yan_metrics() {
  static const Metric table[] = {
      {.name = "W_i", .summary = "power weight: speed / that of the fastest (ZY 1)", .per_workstation = true,
       .estimate = zy::weights, .exact = true},
      {.name = "H", .summary = "heterogeneity: mean of 1 - W_i (ZY 4)", .estimate = zy::of_platform<heterogeneity>,
       .exact = true},
      {.name = "V_stand", .summary = "standard deviation of the power weights (ZY 3.1.1, 2)",
       .estimate = zy::of_platform<zy::standard_deviation>, .exact = true},
      {.name = "V_mean", .summary = "mean absolute deviation of the power weights (ZY 3.1.1, 3)",
       .estimate = zy::of_platform<zy::absolute_deviation>, .exact = true},
      {.name = "power", .summary = "sum of the power weights W_i", .estimate = zy::of_platform<total_power>,
       .exact = true},
      {.name = "speedup_dedicated", .summary = "time on the fastest one of the machines, dedicated / tau",
       .estimate = zy::speedup_dedicated, .better = Better::higher},
      {.name = "T_eff_i", .unit = "s", .summary = "effective time of each: work done / speed (ZY 3.2)",
       .per_workstation = true, .estimate = zy::means_of<TimeBreakdown::kEffective>, .gathers = zy::kTimes},
      {.name = "T_owner_i", .unit = "s", .summary = "owner's time of each in [0, T]", .per_workstation = true,
       .estimate = zy::settled_means_of<TimeBreakdown::kOwner>, .gathers = zy::kTimes},
      {.name = "overhead_i", .unit = "s", .summary = "overhead of each: T - T_owner_i - T_eff_i (ZY 3.2)",
       .per_workstation = true, .estimate = zy::settled_means_of<TimeBreakdown::kOverhead>, .gathers = zy::kTimes,
       .better = Better::lower},
      {.name = "U_i", .summary = "owner's utilisation of each: T_owner_i / tau, a ratio of means (ZY 3.1.2)",
       .per_workstation = true, .estimate = zy::utilisations, .gathers = zy::kTimes},
      {.name = "SP_Delta", .summary = "SP·Delta_A: |A| / (max S·tau), the left side of Property 1 (ZY 6)",
       .estimate = zy::fastest_over<TimeBreakdown::kMakespan>, .gathers = zy::kTimes},
      {.name = "P_deg(1-H)", .summary = "right side of Property 1 (ZY 6): (1 - H)·(sum of T_eff_i) / tau, of means",
       .estimate = zy::parallelism_homogeneous, .gathers = zy::kTimes},
      {.name = "covariance", .summary = "their difference: m·Cov(W, T_eff) / tau over the m machines",
       .estimate = zy::covariance, .gathers = zy::kTimes},
      {.name = "E", .summary = "efficiency: effective time / time owners leave, weighted with W_i (ZY 10)",
       .estimate = zy::efficiency, .gathers = zy::kTimes, .efficiency = Efficiency::E, .better = Better::higher},
      {.name = "Delta_A", .summary = "owners' effect on one machine: |A| / (max S·baseline's tau) (ZY 11)",
       .needs_baseline = true, .estimate = zy::owner_effect},
      {.name = "E_P2", .summary = "right side of Property 2: SP·Delta_A / sum of (1 - U_i)·W_i (ZY 12)",
       .estimate = zy::fastest_over<TimeBreakdown::kWeightedAvailable>, .gathers = zy::kTimes},
      {.name = "L_ave", .unit = "s", .summary = "latency: sum of W_i·overhead_i (ZY 15)", .estimate = zy::latency,
       .gathers = zy::kTimes, .better = Better::lower},
      {.name = "L", .unit = "s", .summary = "latency per unit of power: L_ave / power (ZY 16)",
       .estimate = zy::latency_per_power, .gathers = zy::kTimes, .better = Better::lower},
      {.name = "scale_e", .summary = "scalability: L of the reference point / L (ZY 17)", .estimate = zy::scalability,
       .gathers = zy::kTimes, .needs_reference = true, .better = Better::higher},
      {.name = "scale_work", .summary = "Property 3 with sigma = 1: |A_1|·W_2·S_2 / (|A_2|·W_1·S_1)",
       .estimate = zy::size_scaling, .needs_reference = true, .better = Better::higher},
      {.name = "scale_P3", .summary = "Property 3 as printed, owners' operations in sigma (ZY 18-20)",
       .estimate = zy::property3, .gathers = zy::kTimes, .needs_reference = true},
      {.name = "solved", .summary = "problem size that was solved for", .estimate = zy::solved_size,
       .needs_solved = true},
  };
  return table;
}

}  // namespace nowsim
