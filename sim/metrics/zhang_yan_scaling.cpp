// Ratios between two points, and how far each end of their intervals is.
#include "sim/metrics/paper_models.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "sim/base/infinity.hpp"
#include "sim/platform/platform.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim::zhang_yan {
namespace {

using Times = TimeBreakdown;
using SumFactors = std::array<double, Times::kSums>;

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

}  // namespace

double work_per_power_s(const Scenario& scenario) {
  return fastest_dedicated_s(scenario) / total_power(*scenario.platform);
}

Estimates scalability(const MetricContext& c, const PointStatistics& s) {
  if (auto known = settled_by_reference(c, s)) return *known;
  const auto latency = [&](const MetricContext& of, const PointStatistics& statistics) {
    return [&statistics, of](const Confidence& level) {
      MetricContext at = of;
      at.confidence = level;
      return unit_latency(at, statistics).front();
    };
  };
  const Estimate ratio = ratio_estimate(latency(MetricContext{c.reference->scenario}, *c.reference->statistics),
                                        latency(c, s), c.confidence);
  return {are_sizes_solved_by_efficiency(c) ? between_latencies(c, ratio.value) : ratio};
}

Estimates size_scaling(const MetricContext& c, const PointStatistics& s) {
  if (auto known = settled_by_reference(c, s)) return *known;
  return {around(scaling(c), reach_of_sizes(c))};
}

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

Estimates solved_size(const MetricContext& c, const PointStatistics&) {
  return {c.solved != nullptr ? c.solved->size : exactly(kNotKnown)};
}

}  // namespace nowsim::zhang_yan
