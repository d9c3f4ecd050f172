// Metrics that compare a point's tau with others': the reference's, and the best of all that share it.
#include <algorithm>
#include <array>

#include "sim/base/infinity.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/statistics/estimate_arithmetic.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/simultaneous.hpp"

namespace nowsim {
namespace {

Estimate tau_of(const PointStatistics& s, const Confidence& confidence) { return mean_estimate(s.makespan_s, confidence); }

Estimates difference(const MetricContext& c, const PointStatistics& s) {
  if (!c.reference) return {exactly(kNotKnown)};
  if (c.reference->statistics == &s) return {exactly(0)};
  return {paired_difference(tau_of(s, c.confidence), tau_of(*c.reference->statistics, c.confidence), c.confidence)};
}

/// Of one machine against another, ZY's power weight measured by times (2).
Estimates ratio(const MetricContext& c, const PointStatistics& s) {
  if (!c.reference) return {exactly(kNotKnown)};
  if (c.reference->statistics == &s) return {exactly(1)};
  return {ratio_estimate(c.reference->statistics->makespan_s, s.makespan_s, c.confidence)};
}

/// tau less the least of the others', with intervals of all rivals that hold together (simultaneous.hpp).
Estimates best(const MetricContext& c, const PointStatistics& s) {
  std::vector<Estimate> taus;
  std::vector<const Estimate*> each;
  std::vector<double> values;
  for (const auto& rival : c.rivals) taus.push_back(tau_of(*rival, c.confidence));
  for (const Estimate& tau : taus) {
    each.push_back(&tau);
    values.push_back(tau.value);
  }
  const auto own = std::ranges::find(c.rivals, &s, [](const auto& rival) { return rival.get(); });
  if (own == c.rivals.end() || c.rivals.size() < 2 || !std::ranges::all_of(taus, can_be_paired))
    return {exactly(kNotKnown)};
  const JointContributions joint = joint_contributions(each);
  const auto compared =
      comparisons_with_best(values, joint.of_each, joint.freedom, Best::smallest, c.confidence.level);
  return {compared[static_cast<std::size_t>(own - c.rivals.begin())]};
}

}  // namespace

std::span<const Metric> comparison_metrics() {
  static const Metric table[] = {
      {.name = "difference", .unit = "s", .summary = "tau - tau of the reference point, replications paired",
       .estimate = difference, .needs_reference = true, .better = Better::lower},
      {.name = "ratio", .unit = "", .summary = "tau of the reference point / tau, paired: measured power weights (ZY 2)",
       .estimate = ratio, .needs_reference = true, .better = Better::higher},
      {.name = "best", .unit = "s",
       .summary = "tau - the least of the others along the reference's key; all intervals hold together",
       .estimate = best, .needs_reference = true, .needs_rivals = true, .better = Better::lower},
  };
  return table;
}

}  // namespace nowsim
