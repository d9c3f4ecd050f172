// HL's estimators, and their rows of the table of metrics.
#include <algorithm>
#include <cmath>
#include <span>

#include "sim/metrics/metrics.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/splitting/equalize.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/statistics/influence.hpp"

namespace nowsim {
namespace {

// ---- HL 3 ------------------------------------------------------------------------------------------------------

Estimates tau(const MetricContext& c, const PointStatistics& s) { return {mean_estimate(s.makespan_s, c.confidence)}; }
/// A spread below that is rounding, not a result.
bool is_constant(const Moments& m) { return m.count() > 1 && m.sd() <= kRoundingShare * m.mean(); }
Estimate spread(const Sample& m, const Confidence& confidence) {
  return is_constant(m) ? exactly(0) : sd_estimate(m, confidence);
}
Estimates sigma_t(const MetricContext& c, const PointStatistics& s) { return {spread(s.makespan_s, c.confidence)}; }
Estimates normalised_sigma(const MetricContext& c, const PointStatistics& s) {
  if (is_constant(s.makespan_s)) return {exactly(0)};
  return {cv_estimate(s.makespan_s, c.confidence)};
}
Estimates risk_factor(const MetricContext& c, const PointStatistics& s) {
  if (s.lateness.count() > 0) return {proportion_estimate(s.lateness, c.confidence)};
  Estimate e = proportion_estimate(s.late, s.makespan_s.count(), c.confidence.level);
  if (!s.late_runs.is_kept()) return {e};
  const Influence influence{s.late_runs.column(0), s.late_runs.span(), s.late_runs.replications(), e.value, 1,
                            Influence::Of::proportion};
  return {with_influence(e, influence)};
}
/// TH = mean_i TH_i and SH = max_i TH_i - mean_i TH_i of a scenario's owners, or of its links (HL 7, 8). 0 without any.
double temporal_heterogeneity(const std::vector<OwnerPtr>& models) {
  double sum = 0;
  for (const auto& model : models) sum += model->temporal_heterogeneity();
  return models.empty() ? 0 : sum / static_cast<double>(models.size());
}

double spatial_heterogeneity(const std::vector<OwnerPtr>& models) {
  double most = 0;
  for (const auto& model : models) most = std::max(most, model->temporal_heterogeneity());
  const double beyond = most - temporal_heterogeneity(models);
  return beyond > kRoundingShare * most ? beyond : 0;
}

template <double (*Heterogeneity)(const std::vector<OwnerPtr>&), auto Models>
Estimates heterogeneity_of(const MetricContext& c, const PointStatistics&) {
  return {exactly(Heterogeneity((*c.scenario).*Models))};
}

template <Estimate (*Of)(const Sample&, const Confidence&)>
Estimates of_finish_times(const MetricContext& c, const PointStatistics& s) {
  Estimates out;
  for (const auto& m : s.finish_s) out.push_back(Of(m, c.confidence));
  return out;
}
/// What the policy gives out, where it is that which ranks do (else p_i tells).
Estimates shares(const MetricContext& c, const PointStatistics&) {
  if (!c.scenario->workload->program().uses_shares) return Estimates(c.scenario->size(), exactly(kNotKnown));
  return exactly_each(c.scenario->share_flop);
}

// ---- HL 4, 5.3: a split beside step (1), the one in proportion to available speeds ------------------------------

/// X_i less the share of step (1), 0 where that is nothing but rounding; without work 0. NaN where shares are not used.
std::vector<double> moved_work(const Scenario& s) {
  if (!s.workload->program().uses_shares) return std::vector<double>(s.size(), kNotKnown);
  std::vector<double> moved(s.size(), 0.0);
  const double work = s.workload->program().work_flop;
  if (work == 0) return moved;
  const std::vector<double> step1 = proportional_shares(work, machine_views(s));
  for (std::size_t i = 0; i < moved.size(); ++i)
    if (const double x = s.share_flop[i] - step1[i]; std::abs(x) > kRoundingShare * work) moved[i] = x;
  return moved;
}
Estimates moved_to_each(const MetricContext& c, const PointStatistics&) {
  return exactly_each(moved_work(*c.scenario));
}
Estimates moved_off_first(const MetricContext& c, const PointStatistics&) {
  return {exactly(0 - moved_work(*c.scenario)[first_worker(*c.scenario)])};
}

/// HL (13)-(15): over the N that take part, with t_i and sigma_Ti as in (9), (10). NaN where an owner's sigma is not
/// known, or shares are not used.
Estimates spread_of_times(const MetricContext& c, const PointStatistics&) {
  const Scenario& s = *c.scenario;
  if (!s.workload->program().uses_shares) return {exactly(kNotKnown)};
  double sum = 0, squares = 0;
  const std::vector<MachineView> machines = machine_views(s);
  const auto workers = [&s](const auto& all) { return std::span(all).subspan(first_worker(s)); };
  const auto times = time_moments(s.workload->program().work_flop, workers(machines), workers(s.share_flop));
  for (const auto& t : times) sum += t.mean_s + t.sd_s;
  const double n = static_cast<double>(times.size()), mean = sum / n;
  for (const auto& t : times) squares += (t.mean_s + t.sd_s - mean) * (t.mean_s + t.sd_s - mean);
  return {settled(exactly(100 * std::sqrt(squares / n) / mean), 100)};
}

/// At step (1), with work going off the first workstation to the others in proportion to their speeds. NaN where that
/// one is a server.
Estimates slope_at_step1(const MetricContext& c, const PointStatistics&) {
  const double work = c.scenario->workload->program().work_flop;
  const std::vector<MachineView> machines = machine_views(*c.scenario);
  const bool known = std::ranges::none_of(machines, [](const MachineView& k) { return std::isnan(k.sigma_s); });
  const bool is_split = machines.size() > 1 && machines[0].takes_part && c.scenario->workload->program().uses_shares;
  if (!is_split || work == 0 || !known) return {exactly(kNotKnown)};
  const std::vector<double> step1 = proportional_shares(work, machines);
  if (!(work > step1[0])) return {exactly(kNotKnown)};  // nobody else could take any
  std::vector<double> direction(step1);
  for (double& x : direction) x /= work - step1[0];
  direction[0] = -1;
  return {exactly(normal_tau_slope(work, machines, step1, direction))};
}

Estimates step1_tau(const MetricContext& c, const PointStatistics&) {
  if (c.step1 == nullptr) return {exactly(kNotKnown)};
  return {mean_estimate(c.step1->makespan_s, c.confidence)};
}
Estimates reduction(const MetricContext& c, const PointStatistics& s) {
  if (c.step1 == nullptr) return {exactly(kNotKnown)};
  return {settled(minus(divided(ratio_estimate(s.makespan_s, c.step1->makespan_s, c.confidence), -0.01), -100), 100)};
}

}  // namespace

std::span<const Metric> huang_lee_metrics() {
  static const Metric table[] = {
      {.name = "tau", .unit = "s", .summary = "mean parallel execution time E[T] (HL 3.1)", .estimate = tau,
       .better = Better::lower},
      {.name = "sigma_T", .unit = "s", .summary = "standard deviation of T (HL 3.1)", .estimate = sigma_t,
       .better = Better::lower, .of_spread = true},
      {.name = "sigma_T/tau", .summary = "normalised standard deviation of T (HL 5.2)", .estimate = normalised_sigma,
       .better = Better::lower, .of_spread = true},
      {.name = "RF", .summary = "risk factor P[T > deadline] (HL 3.4)", .needs_deadline = true, .estimate = risk_factor,
       .better = Better::lower},
      quantile_metric("T_50", "median of T"),
      quantile_metric("T_90", "90 % quantile of T: nine in ten runs take no longer"),
      quantile_metric("T_99", "99 % quantile of T; likewise T_q for any 0 < q < 100, such as T_95 or T_99.9"),
      {.name = "speedup", .summary = "tau on the fastest one of the workstations / tau", .needs_baseline = true,
       .estimate = total_speedup, .better = Better::higher},
      {.name = "TH", .summary = "temporal heterogeneity, the mean of sigma_Ai/a_i (HL 7)",
       .estimate = heterogeneity_of<temporal_heterogeneity, &Scenario::owners>, .exact = true},
      {.name = "SH", .summary = "spatial heterogeneity, max TH_i - TH (HL 8)",
       .estimate = heterogeneity_of<spatial_heterogeneity, &Scenario::owners>, .exact = true},
      {.name = "TH_comm", .summary = "the same of the workstations' own links (HL 5.2.5)",
       .estimate = heterogeneity_of<temporal_heterogeneity, &Scenario::bandwidth>, .exact = true},
      {.name = "SH_comm", .summary = "spatial heterogeneity of the workstations' own links",
       .estimate = heterogeneity_of<spatial_heterogeneity, &Scenario::bandwidth>, .exact = true},
      {.name = "T_i", .unit = "s", .summary = "mean finish time of each workstation", .per_workstation = true,
       .estimate = of_finish_times<mean_estimate>, .gathers = {.finish = true}, .better = Better::lower},
      {.name = "sigma_Ti", .unit = "s", .summary = "standard deviation of each workstation's finish time",
       .per_workstation = true, .estimate = of_finish_times<spread>, .gathers = {.finish = true},
       .better = Better::lower, .of_spread = true},
      {.name = "X_i", .unit = "flop", .summary = "work given to each workstation", .per_workstation = true,
       .estimate = shares, .exact = true},
      {.name = "delta_X", .unit = "flop",
       .summary = "Delta X_i: X_i beyond the share in proportion to available speed (HL 4)", .per_workstation = true,
       .estimate = moved_to_each, .exact = true},
      {.name = "moved", .unit = "flop",
       .summary = "Delta X: work moved off the first workstation (behind a server), beside that split (HL 9)",
       .estimate = moved_off_first, .exact = true},
      {.name = "spread", .unit = "%",
       .summary = "standard deviation of t_i + sigma_Ti over the workstations / their mean (HL 13)",
       .estimate = spread_of_times, .exact = true, .better = Better::lower},
      {.name = "slope_step1", .unit = "s/flop",
       .summary = "theory: d tau/d Delta X at that split, for normals; below 0: moving shortens tau",
       .estimate = slope_at_step1, .exact = true},
      {.name = "tau_step1", .unit = "s", .summary = "tau of the split in proportion to available speeds (HL step 1)",
       .estimate = step1_tau, .needs_step1 = true, .better = Better::lower},
      {.name = "reduction", .unit = "%",
       .summary = "reduction in tau: (tau_step1 - tau)/tau_step1, replications paired (HL 5.3)", .estimate = reduction,
       .needs_step1 = true, .better = Better::higher},
  };
  return table;
}

}  // namespace nowsim
