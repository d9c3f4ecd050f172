// The table of metrics.
#include "sim/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/candidates.hpp"
#include "sim/control_variates.hpp"
#include "sim/equalize.hpp"
#include "sim/paired_ratio.hpp"
#include "sim/quantiles.hpp"
#include "sim/theory.hpp"
#include "sim/zhang_yan_metrics.hpp"
#include "sim/zhang_yan_scaling.hpp"

namespace nowsim {
namespace {

using Estimates = std::vector<Estimate>;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Estimates exact(double value) { return {{value, value, value}}; }

// ---- HL 3 ------------------------------------------------------------------------------------------------------

Estimates tau(const MetricContext& c, const PointStatistics& s) { return {mean_estimate(s.makespan_s, c.confidence)}; }
/// The engines' clocks resolve some 1e-12 of a makespan: a spread below this share of the mean is rounding, not a result.
constexpr double kResolution = 1e-10;
bool is_constant(const Moments& m) { return m.count() > 1 && m.sd() <= kResolution * m.mean(); }
Estimate spread(const Sample& m, const Confidence& confidence) {
  return is_constant(m) ? Estimate{0, 0, 0} : sd_estimate(m, confidence);
}
Estimates sigma_t(const MetricContext& c, const PointStatistics& s) { return {spread(s.makespan_s, c.confidence)}; }
Estimates normalised_sigma(const MetricContext& c, const PointStatistics& s) {
  if (is_constant(s.makespan_s)) return exact(0);
  return {cv_estimate(s.makespan_s, c.confidence)};
}
Estimates risk_factor(const MetricContext& c, const PointStatistics& s) {
  if (s.lateness.count() > 0) return {proportion_estimate(s.lateness, c.confidence)};
  return {proportion_estimate(s.late, s.makespan_s.count(), c.confidence.level)};
}
template <int Percent>
Estimates quantile(const MetricContext& c, const PointStatistics& s) {
  return {quantile_estimate(s.makespans_s, Percent / 100.0, c.confidence, s.makespan_s.sampling().unit)};
}
Estimates speedup(const MetricContext& c, const PointStatistics& s) {
  if (c.baseline_s == nullptr) return {{kNone, kNone, kNone}};
  return {ratio_estimate(*c.baseline_s, s.makespan_s, c.confidence)};
}
Estimates th(const MetricContext& c, const PointStatistics&) {
  return exact(temporal_heterogeneity(c.scenario->owners));
}
Estimates sh(const MetricContext& c, const PointStatistics&) {
  return exact(spatial_heterogeneity(c.scenario->owners));
}
Estimates th_comm(const MetricContext& c, const PointStatistics&) {
  return exact(temporal_heterogeneity(c.scenario->bandwidth));
}
Estimates sh_comm(const MetricContext& c, const PointStatistics&) {
  return exact(spatial_heterogeneity(c.scenario->bandwidth));
}

Estimates finish_times(const MetricContext& c, const PointStatistics& s) {
  Estimates out;
  for (const auto& m : s.finish_s) out.push_back(mean_estimate(m, c.confidence));
  return out;
}
Estimates finish_sds(const MetricContext& c, const PointStatistics& s) {
  Estimates out;
  for (const auto& m : s.finish_s) out.push_back(spread(m, c.confidence));
  return out;
}
Estimates shares(const MetricContext& c, const PointStatistics&) {
  Estimates out;
  for (double x : c.scenario->share_flop) out.push_back({x, x, x});
  return out;
}

// ---- HL 4, 5.3: a split beside step (1), the one in proportion to available speeds ------------------------------

/// X_i less the share of step (1); without work 0.
std::vector<double> moved_work(const Scenario& s) {
  std::vector<double> moved(s.size(), 0.0);
  const double work = s.workload->work_flop();
  if (work == 0) return moved;
  const std::vector<double> step1 = proportional_shares(work, candidates_of(s));
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = s.share_flop[i] - step1[i];
  return moved;
}
Estimates moved_to_each(const MetricContext& c, const PointStatistics&) {
  Estimates out;
  for (const double x : moved_work(*c.scenario)) out.push_back({x, x, x});
  return out;
}
Estimates moved_off_first(const MetricContext& c, const PointStatistics&) {
  return exact(0 - moved_work(*c.scenario)[0]);
}

/// HL (13)-(15): over N, with t_i and sigma_Ti as in (9), (10). NaN where an owner's sigma is not known.
Estimates spread_of_times(const MetricContext& c, const PointStatistics&) {
  const Scenario& s = *c.scenario;
  double sum = 0, squares = 0;
  const auto times = time_moments(s.workload->work_flop(), candidates_of(s), s.share_flop);
  for (const auto& t : times) sum += t.mean_s + t.sd_s;
  const double n = static_cast<double>(times.size()), mean = sum / n;
  for (const auto& t : times) squares += (t.mean_s + t.sd_s - mean) * (t.mean_s + t.sd_s - mean);
  return exact(100 * std::sqrt(squares / n) / mean);
}

/// At step (1), with work going off the first workstation to the others in proportion to their speeds.
Estimates slope_at_step1(const MetricContext& c, const PointStatistics&) {
  const double work = c.scenario->workload->work_flop();
  const std::vector<Candidate> candidates = candidates_of(*c.scenario);
  const bool known = std::ranges::none_of(candidates, [](const Candidate& k) { return std::isnan(k.sigma_s); });
  if (candidates.size() < 2 || work == 0 || !known) return exact(kNone);
  const std::vector<double> step1 = proportional_shares(work, candidates);
  if (!(work > step1[0])) return exact(kNone);  // nobody else could take any
  std::vector<double> direction(step1);
  for (double& x : direction) x /= work - step1[0];
  direction[0] = -1;
  return exact(normal_tau_slope(work, candidates, step1, direction));
}

Estimates step1_tau(const MetricContext& c, const PointStatistics&) {
  if (c.step1 == nullptr) return {{kNone, kNone, kNone}};
  return {mean_estimate(c.step1->makespan_s, c.confidence)};
}
/// Of plain means: replications are paired, control variates have no part.
Estimates reduction(const MetricContext& c, const PointStatistics& s) {
  if (c.step1 == nullptr) return {{kNone, kNone, kNone}};
  const Estimate ratio =
      paired_ratio_estimate(s.makespans_s, c.step1->makespans_s, s.makespan_s.sampling().unit, c.confidence);
  return {{100 * (1 - ratio.value), 100 * (1 - ratio.high), 100 * (1 - ratio.low)}};
}

// ---- where the time goes -----------------------------------------------------------------------------------------

Estimates dedication(const MetricContext& c, const PointStatistics& s) { return {mean_estimate(s.dedication, c.confidence)}; }
Estimates owner_share(const MetricContext& c, const PointStatistics& s) { return {mean_estimate(s.owner_share, c.confidence)}; }
Estimates overhead_share(const MetricContext& c, const PointStatistics& s) {
  return {mean_estimate(s.overhead_share, c.confidence)};
}
/// Over all jobs of all replications. NaN where there were none.
Estimates owner_slowdown(const MetricContext& c, const PointStatistics& s) {
  if (!(s.owner_jobs.mean() > 0)) return {{kNone, kNone, kNone}};
  const double value = s.owner_slowdown.mean() / s.owner_jobs.mean();
  const double h = ratio_half_width(s.slowdown_and_jobs, value, c.confidence);
  return {{value, value - h, value + h}};
}

// ---- theory ------------------------------------------------------------------------------------------------------

/// Expected maximum over the workstations of normals with these moments of T_i; NaN where a model gives none, and for
/// programs that communicate: their phases are often shorter than an interval, where these moments do not hold. With
/// N_s phases each phase's maximum counts: N_s·E[max] of normals with t_i/N_s and sd_i/sqrt(N_s).
template <class MomentsOf>
double expected_makespan(const Scenario& scenario, MomentsOf moments_of) {
  std::vector<double> means, sds;
  const auto phases = static_cast<double>(scenario.workload->phases());
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const auto [mean, sd] = moments_of(i);
    means.push_back(mean / phases);
    sds.push_back(sd / std::sqrt(phases));
  }
  bool known = std::all_of(sds.begin(), sds.end(), [](double x) { return std::isfinite(x); }) &&
               !scenario.workload->communicates();
  for (const auto& owner : scenario.owners) known &= owner->in_common().empty();
  return known && scenario.workload->work_flop() > 0 ? phases * expected_max_normals(means, sds) : kNone;
}

/// HL (5), (6) with (2), (3) for T_i, as printed: the interval's E[L²]/E[L] counts as 1 s.
Estimates hl_tau_metric(const MetricContext& c, const PointStatistics&) {
  const Scenario& s = *c.scenario;
  return exact(expected_makespan(s, [&s](std::size_t i) {
    const double t = hl_mean_time(s.share_flop[i], s.platform->workstations[i].speed_flops, s.owners[i]->mean());
    return std::pair{t, hl_sd_time(t, s.owners[i]->temporal_heterogeneity())};
  }));
}

/// The same with theory's moments of T_i, which know the interval's length.
Estimates renewal_tau_metric(const MetricContext& c, const PointStatistics&) {
  const Scenario& s = *c.scenario;
  return exact(expected_makespan(s, [&s](std::size_t i) {
    const auto time = theoretical_time(s, i, s.share_flop[i]);
    return time ? std::pair{time->mean_s, time->sd_s} : std::pair{kNone, kNone};
  }));
}

/// How far simulation is above theory, which is exact: tau's interval with it.
Estimates tau_over_renewal(const MetricContext& c, const PointStatistics& s) {
  const Estimate simulated = mean_estimate(s.makespan_s, c.confidence);
  const double theory = renewal_tau_metric(c, s).front().value;
  return {{simulated.value / theory, simulated.low / theory, simulated.high / theory}};
}

Estimates renewal_times(const MetricContext& c, const PointStatistics&) {
  Estimates out;
  for (std::size_t i = 0; i < c.scenario->size(); ++i) {
    const bool communicates = c.scenario->workload->communicates();
    const auto time = theoretical_time(*c.scenario, i, c.scenario->share_flop[i]);
    const double t = time && !communicates ? time->mean_s : kNone;
    out.push_back({t, t, t});
  }
  return out;
}

}  // namespace

double temporal_heterogeneity(const std::vector<OwnerPtr>& models) {
  double sum = 0;
  for (const auto& model : models) sum += model->temporal_heterogeneity();
  return models.empty() ? 0 : sum / static_cast<double>(models.size());
}

double spatial_heterogeneity(const std::vector<OwnerPtr>& models) {
  double most = 0;
  for (const auto& model : models) most = std::max(most, model->temporal_heterogeneity());
  return std::max(0.0, most - temporal_heterogeneity(models));
}

namespace {

namespace zy = zhang_yan;

constexpr Gathering kTimes{.times = true};

/// Zhang & Yan's, by the parts of their paper.
std::span<const Metric> zhang_yan_metrics() {
  static const Metric table[] = {
      {.name = "W_i", .unit = "", .summary = "power weight: speed / that of the fastest (ZY 1)",
       .per_workstation = true, .estimate = zy::weights, .exact = true},
      {.name = "H", .unit = "", .summary = "heterogeneity: mean of 1 - W_i (ZY 4)", .estimate = zy::heterogeneity,
       .exact = true},
      {.name = "power", .unit = "", .summary = "sum of the power weights W_i", .estimate = zy::power, .exact = true},
      {.name = "speedup_dedicated", .unit = "", .summary = "time on the fastest one of the machines, dedicated / tau",
       .estimate = zy::speedup_dedicated},
      {.name = "ratio", .unit = "", .summary = "tau of the reference point / tau: measured power weights (ZY 2)",
       .estimate = zy::time_ratio, .needs_reference = true},
      {.name = "T_eff_i", .unit = "s", .summary = "effective time of each: work done / speed (ZY 3.2)",
       .per_workstation = true, .estimate = zy::effective_times, .gathers = kTimes},
      {.name = "T_owner_i", .unit = "s", .summary = "owner's time of each in [0, T]", .per_workstation = true,
       .estimate = zy::owner_times, .gathers = kTimes},
      {.name = "overhead_i", .unit = "s", .summary = "overhead of each: T - T_owner_i - T_eff_i (ZY 3.2)",
       .per_workstation = true, .estimate = zy::overheads, .gathers = kTimes},
      {.name = "U_i", .unit = "", .summary = "owner's utilisation of each: T_owner_i / T (ZY 3.1.2)",
       .per_workstation = true, .estimate = zy::utilisations, .gathers = kTimes},
      {.name = "SP_Delta", .unit = "", .summary = "SP·Delta_A: |A| / (max S·tau), the left side of Property 1 (ZY 6)",
       .estimate = zy::speedup_delta, .gathers = kTimes},
      {.name = "P_deg(1-H)", .unit = "", .summary = "right side of Property 1 (ZY 6): (1 - H)·(sum of T_eff_i) / tau",
       .estimate = zy::parallelism_homogeneous, .gathers = kTimes},
      {.name = "covariance", .unit = "", .summary = "their difference: m·Cov(W, T_eff) / tau over the m machines",
       .estimate = zy::covariance, .gathers = kTimes},
      {.name = "E", .unit = "", .summary = "efficiency: effective time / time owners leave, weighted with W_i (ZY 10)",
       .estimate = zy::efficiency, .gathers = kTimes},
      {.name = "Delta_A", .unit = "", .summary = "owners' effect on one machine: |A| / (max S·baseline's tau) (ZY 11)",
       .needs_baseline = true, .estimate = zy::owner_effect},
      {.name = "E_P2", .unit = "", .summary = "right side of Property 2: SP·Delta_A / sum of (1 - U_i)·W_i (ZY 12)",
       .estimate = zy::property2, .gathers = kTimes},
      {.name = "L_ave", .unit = "s", .summary = "latency: sum of W_i·overhead_i (ZY 15)",
       .estimate = zy::average_latency, .gathers = kTimes},
      {.name = "L", .unit = "s", .summary = "latency per unit of power: L_ave / power (ZY 16)",
       .estimate = zy::unit_latency, .gathers = kTimes},
      {.name = "scale_e", .unit = "", .summary = "scalability: L of the reference point / L (ZY 17)",
       .estimate = zy::scalability, .gathers = kTimes, .needs_reference = true},
      {.name = "scale_work", .unit = "", .summary = "Property 3 with sigma = 1: |A_1|·W_2·S_2 / (|A_2|·W_1·S_1)",
       .estimate = zy::size_scaling, .needs_reference = true},
      {.name = "scale_P3", .unit = "", .summary = "Property 3 as printed, owners' operations in sigma (ZY 18-20)",
       .estimate = zy::property3, .gathers = kTimes, .needs_reference = true},
      {.name = "solved", .unit = "", .summary = "problem size that was solved for", .estimate = zy::solved_size,
       .needs_solved = true},
  };
  return table;
}

/// The other ones first, in their old order.
std::vector<Metric> joined(std::span<const Metric> first, std::span<const Metric> second) {
  std::vector<Metric> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

}  // namespace

std::span<const Metric> metrics() {
  static const Metric table[] = {
      {"tau", "s", "mean parallel execution time E[T] (HL 3.1)", false, false, false, tau},
      {"sigma_T", "s", "standard deviation of T (HL 3.1)", false, false, false, sigma_t},
      {"sigma_T/tau", "", "normalised standard deviation of T (HL 5.2)", false, false, false, normalised_sigma},
      {"RF", "", "risk factor P[T > deadline] (HL 3.4)", false, false, true, risk_factor},
      {"T_50", "s", "median of T", false, false, false, quantile<50>, false, {.makespans = true}},
      {"T_90", "s", "90 % quantile of T: nine in ten runs take no longer", false, false, false, quantile<90>, false,
       {.makespans = true}},
      {"T_99", "s", "99 % quantile of T", false, false, false, quantile<99>, false, {.makespans = true}},
      {"speedup", "", "tau on the fastest one of the workstations / tau", false, true, false, speedup},
      {"TH", "", "temporal heterogeneity, the mean of sigma_Ai/a_i (HL 7)", false, false, false, th, true},
      {"SH", "", "spatial heterogeneity, max TH_i - TH (HL 8)", false, false, false, sh, true},
      {"TH_comm", "", "the same of the workstations' own links (HL 5.2.5)", false, false, false, th_comm, true},
      {"SH_comm", "", "spatial heterogeneity of the workstations' own links", false, false, false, sh_comm, true},
      {"T_i", "s", "mean finish time of each workstation", true, false, false, finish_times,
       false, {.finish = true}},
      {"sigma_Ti", "s", "standard deviation of each workstation's finish time", true, false, false, finish_sds,
       false, {.finish = true}},
      {"X_i", "flop", "work given to each workstation", true, false, false, shares, true},
      {"delta_X", "flop", "Delta X_i: X_i beyond the share in proportion to available speed (HL 4)", true, false, false,
       moved_to_each, true},
      {"moved", "flop", "Delta X: work moved off the first workstation, beside that split (HL 9)", false, false, false,
       moved_off_first, true},
      {"spread", "%", "standard deviation of t_i + sigma_Ti over the workstations / their mean (HL 13)", false, false,
       false, spread_of_times, true},
      {"slope_step1", "s/flop", "theory: d tau/d Delta X at that split, for normals; below 0: moving shortens tau",
       false, false, false, slope_at_step1, true},
      {"tau_step1", "s", "tau of the split in proportion to available speeds (HL step 1)", false, false, false,
       step1_tau, false, {}, true},
      {"reduction", "%", "reduction in tau: (tau_step1 - tau)/tau_step1, replications paired (HL 5.3)", false, false,
       false, reduction, false, {.makespans = true}, true},
      {"P_deg", "", "parallelism: sum of effective times / T (ZY 6)", false, false, false, dedication,
       false, {.shares = true}},
      {"owner", "", "share of the machines' time that owners used in [0, T]", false, false, false, owner_share,
       false, {.shares = true}},
      {"overhead", "", "share of the machines' time lost to waiting and messages", false, false, false, overhead_share,
       false, {.shares = true}},
      {"owner_slowdown", "", "mean response time / demand of the owner jobs completed in [0, T]", false, false, false,
       owner_slowdown},
      {"tau_HL", "s", "theory: HL (5), (6) as printed, E[L²]/E[L] taken as 1 s", false, false, false, hl_tau_metric,
       true},
      {"tau_renewal", "s", "theory: maximum of normals with renewal-reward (or the workload's own) moments", false,
       false, false, renewal_tau_metric, true},
      {"tau/tau_renewal", "", "tau over that theory: 1 where normals do", false, false, false, tau_over_renewal},
      {"T_i_renewal", "s", "theory: each workstation's mean time, renewal-reward", true, false, false, renewal_times,
       true},
  };
  static const std::vector<Metric> all = joined(table, zhang_yan_metrics());
  return all;
}

const Metric* find_metric(const std::string& name) {
  for (const auto& metric : metrics())
    if (metric.name == name) return &metric;
  return nullptr;
}

}  // namespace nowsim
