// Metrics that are no paper's: shares of the machines' time, theory beside simulation, a point's tau beside others'.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/base/infinity.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/multiple_comparisons.hpp"

namespace nowsim {
namespace {

// ---- where the machines' time goes ---------------------------------------------------------------------------------

template <Share which>
Estimates share(const MetricContext& c, const PointStatistics& s) {
  const Estimate mean = mean_estimate(s.shares[which], c.confidence);
  return {which == kDedication ? mean : settled(mean, 1)};
}
/// Over all jobs of all replications. NaN where there were none.
Estimates owner_slowdown(const MetricContext& c, const PointStatistics& s) {
  if (!(s.totals[Quantity::owner_jobs].mean() > 0)) return {exactly(kNotKnown)};
  return {combined_ratio(s.slowdown_and_jobs, std::array{1.0, 0.0}, std::array{0.0, 1.0}, c.confidence)};
}

// ---- theory's values of one point, and theory against simulation ---------------------------------------------------

bool follows_shares(const ProgramDescription& program) { return program.uses_shares && !program.communicates; }

/// Expected maximum over the workstations of normals with these moments of T_i; NaN where a model gives none, for
/// programs that do not use shares, and for those that communicate: their phases are often shorter than an interval,
/// where these moments do not hold. With N_s phases each phase's maximum counts: N_s·E[max] of normals with t_i/N_s
/// and sd_i/sqrt(N_s).
template <class MomentsOf>
double expected_makespan(const Scenario& scenario, MomentsOf moments_of) {
  std::vector<double> means, sds;
  const auto phases = static_cast<double>(scenario.workload->program().phases);
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const auto [mean, sd] = moments_of(i);
    means.push_back(mean / phases);
    sds.push_back(sd / std::sqrt(phases));
  }
  bool known = std::all_of(sds.begin(), sds.end(), [](double x) { return std::isfinite(x); }) &&
               follows_shares(scenario.workload->program());
  for (const auto& owner : scenario.owners) known &= owner->dependence() == Dependence{} && owner->moments().are_exact;
  return known && scenario.workload->program().work_flop > 0 ? phases * expected_max_normals(means, sds) : kNotKnown;
}

/// HL (5), (6) with (2), (3) for T_i, as printed: the interval's E[L²]/E[L] counts as 1 s.
Estimates hl_tau_metric(const MetricContext& c, const PointStatistics&) {
  const Scenario& s = *c.scenario;
  return {exactly(expected_makespan(s, [&s](std::size_t i) {
    const double t = hl_mean_time(s.share_flop[i], s.platform->workstations[i].speed_flops, s.owners[i]->mean());
    return std::pair{t, hl_sd_time(t, s.owners[i]->temporal_heterogeneity())};
  }))};
}

/// The same with theory's moments of T_i, which know the interval's length.
Estimates renewal_tau_metric(const MetricContext& c, const PointStatistics&) {
  const Scenario& s = *c.scenario;
  return {exactly(expected_makespan(s, [&s](std::size_t i) {
    const auto time = theoretical_time(s, i, s.share_flop[i]);
    return time ? std::pair{time->mean_s, time->sd_s} : std::pair{kNotKnown, kNotKnown};
  }))};
}

/// How far simulation is above theory, which is exact: tau's interval with it.
Estimates tau_over_renewal(const MetricContext& c, const PointStatistics& s) {
  const Estimate simulated = mean_estimate(s.makespan_s, c.confidence);
  return {divided(simulated, renewal_tau_metric(c, s).front().value)};
}

Estimates renewal_times(const MetricContext& c, const PointStatistics&) {
  Estimates out;
  for (std::size_t i = 0; i < c.scenario->size(); ++i) {
    const auto time = theoretical_time(*c.scenario, i, c.scenario->share_flop[i]);
    const double t = time && follows_shares(c.scenario->workload->program()) ? time->mean_s : kNotKnown;
    out.push_back(exactly(t));
  }
  return out;
}

// ---- against the reference, and the best of all that share it ------------------------------------------------------

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

/// tau less the least of the others', with intervals of all rivals that hold together (multiple_comparisons.hpp).
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

std::span<const Metric> own_metrics() {
  static const Metric table[] = {
      {.name = "P_deg", .summary = "parallelism: sum of effective times / T, the mean of each run's (ZY 6)",
       .estimate = share<kDedication>, .gathers = {.shares = true}, .better = Better::higher},
      {.name = "owner", .summary = "share of the machines' time that owners used in [0, T], the mean of each run's",
       .estimate = share<kOwnerShare>, .gathers = {.shares = true}},
      {.name = "overhead",
       .summary = "share of the machines' time lost to waiting and messages, the mean of each run's",
       .estimate = share<kOverheadShare>, .gathers = {.shares = true}, .better = Better::lower},
      {.name = "owner_slowdown", .summary = "mean response time / demand of the owner jobs completed in [0, T]",
       .estimate = owner_slowdown, .better = Better::lower},
      {.name = "tau_HL", .unit = "s", .summary = "theory: HL (5), (6) as printed, E[L²]/E[L] taken as 1 s",
       .estimate = hl_tau_metric, .exact = true, .better = Better::lower},
      {.name = "tau_renewal", .unit = "s",
       .summary = "theory: maximum of normals with renewal-reward (or the workload's own) moments",
       .estimate = renewal_tau_metric, .exact = true, .better = Better::lower},
      {.name = "tau/tau_renewal", .summary = "tau over that theory: 1 where normals do", .estimate = tau_over_renewal},
      {.name = "T_i_renewal", .unit = "s", .summary = "theory: each workstation's mean time, renewal-reward",
       .per_workstation = true, .estimate = renewal_times, .exact = true, .better = Better::lower},
      {.name = "difference", .unit = "s", .summary = "tau - tau of the reference point, replications paired",
       .estimate = difference, .needs_reference = true, .better = Better::lower},
      {.name = "ratio", .summary = "tau of the reference point / tau, paired: measured power weights (ZY 2)",
       .estimate = ratio, .needs_reference = true, .better = Better::higher},
      {.name = "best", .unit = "s",
       .summary = "tau - the least of the others along the reference's key; all intervals hold together",
       .estimate = best, .needs_reference = true, .needs_rivals = true, .better = Better::lower},
  };
  return table;
}

}  // namespace nowsim
