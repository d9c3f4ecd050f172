// Theory's values of one point, and theory against simulation.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/metrics/metrics.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "sim/statistics/estimate_arithmetic.hpp"

namespace nowsim {
namespace {

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
  for (const auto& owner : scenario.owners) known &= owner->in_common().empty() && owner->has_exact_moments();
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

}  // namespace

std::span<const Metric> theory_metrics() {
  static const Metric table[] = {
      {.name = "tau_HL", .unit = "s", .summary = "theory: HL (5), (6) as printed, E[L²]/E[L] taken as 1 s",
       .estimate = hl_tau_metric, .exact = true, .better = Better::lower},
      {.name = "tau_renewal", .unit = "s",
       .summary = "theory: maximum of normals with renewal-reward (or the workload's own) moments",
       .estimate = renewal_tau_metric, .exact = true, .better = Better::lower},
      {.name = "tau/tau_renewal", .unit = "", .summary = "tau over that theory: 1 where normals do",
       .estimate = tau_over_renewal},
      {.name = "T_i_renewal", .unit = "s", .summary = "theory: each workstation's mean time, renewal-reward",
       .per_workstation = true, .estimate = renewal_times, .exact = true, .better = Better::lower},
  };
  return table;
}

}  // namespace nowsim
