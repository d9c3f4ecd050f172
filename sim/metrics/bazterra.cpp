// The formulas of Bazterra et al. (2004) as printed, and the metrics of one point: speedup, efficiency, diversity, idle
// time.
//
// C_n are the job's workers: where rank 0 is a server (ProgramDescription::first_worker), its speed, work and time have
// no part; where there is one estimate per workstation its own is 0, and NaN of v_i and v_i/sum, as it is none of C_n.
// T_n and T are of each run's own busiest worker and sum of times, and metrics of them ratios of their plain means;
// control variates have a part in T_1,min and in s_tot's tau, and without them s_tot = s/(1 + d_id) exactly.
// Replications of the baseline and of the job are paired, as they met the same program, drawn costs and all. On more
// than 32 workers T_n is known where no run differs from another, and then without an interval; else what follows from
// it is NaN.
#include "sim/metrics/paper_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/metrics/metrics.hpp"
#include "sim/statistics/influence.hpp"

namespace nowsim::bazterra {
namespace {

using Times = TimeBreakdown;

constexpr Gathering kTimes{.times = true};

double sum(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// tau - T_n.
std::array<double, Times::kSums> idle() {
  auto out = Times::only(Times::kMakespan);
  out[Times::kBusiest] = -1;
  return out;
}

std::vector<double> worker_speeds(const Scenario& scenario) {
  std::vector<double> out;
  for (std::size_t i = first_worker(scenario); i < scenario.size(); ++i)
    out.push_back(scenario.platform->workstations[i].speed_flops);
  return out;
}

/// A part of a whole, exact where its interval is nothing but rounding: the variance of what varies with the whole is a
/// difference of variances, whose digits leave some 1e-8 of their standard deviations.
Estimate settled_part(const Estimate& part, const Estimate& whole) {
  constexpr double kRoundingOfSd = 1e-7;
  const auto width = [](const Estimate& e) { return (e.high - e.low) / 2; };
  const double least = kRoundingShare + kRoundingOfSd * width(whole) / whole.value;
  if (!(width(part) <= least * part.value)) return part;
  return exactly(std::abs(part.value - 1) <= kRoundingShare ? 1 : part.value);
}

/// v_i [flop/s], dedicated, and v_i/sum v: exact.
Estimates speeds(const MetricContext& c, const PointStatistics&) {
  return behind_server(*c.scenario, kNotKnown, exactly_each(worker_speeds(*c.scenario)));
}

Estimates normalised_speeds(const MetricContext& c, const PointStatistics&) {
  const Estimates shares = exactly_each(proportional_probabilities(worker_speeds(*c.scenario)));
  return behind_server(*c.scenario, kNotKnown, shares);
}

/// p_i: a worker's share of the work done, mean(work_i)/mean(sum work).
Estimates work_shares(const MetricContext& c, const PointStatistics& s) {
  Estimates out;
  for (std::size_t i = first_worker(*c.scenario); i < c.scenario->size(); ++i) {
    const double speed_flops = c.scenario->platform->workstations[i].speed_flops;  // times T_eff_i: work
    const auto own = Times::only(Times::kEffective, speed_flops), all = Times::only(Times::kAllWork);
    const auto& times = s.times.each()[i];
    out.push_back(settled_part(combined_ratio(times, own, all, c.confidence), combined_mean(times, all, c.confidence)));
  }
  return behind_server(*c.scenario, 0, out);
}

/// T_busy_i = T_i (1) [s]: the time each worker computed, which owners lengthen.
Estimates busy_times(const MetricContext& c, const PointStatistics& s) {
  Estimates out;
  for (std::size_t i = first_worker(*c.scenario); i < c.scenario->size(); ++i)
    out.push_back(combined_mean(s.times.each()[i], Times::only(Times::kBusy), c.confidence));
  return behind_server(*c.scenario, 0, out);
}

/// T_n (2) and T (3) [s].
template <Times::Sum which>
Estimates mean_of_sum(const MetricContext& c, const PointStatistics& s) {
  return {combined_mean(s.times.sums(), Times::only(which), c.confidence)};
}

/// s = T_1,min/T_n (4), T_1,min the baseline's tau: the same work alone on the fastest worker under its own owner. NaN
/// without a baseline. s_tot = T_1,min/tau (15) is the metric `speedup`.
Estimates speedup(const MetricContext& c, const PointStatistics& s) {
  if (c.baseline_s == nullptr) return {exactly(kNotKnown)};
  return {ratio_estimate(
      [&](const Confidence& level) { return mean_estimate(*c.baseline_s, level); },
      [&](const Confidence& level) { return combined_mean(s.times.sums(), Times::only(Times::kBusiest), level); },
      c.confidence)};
}

/// e = s/s_max (7), and s_tot/s_max.
template <Estimates (*Speedup)(const MetricContext&, const PointStatistics&)>
Estimates over_greatest(const MetricContext& c, const PointStatistics& s) {
  return {divided(Speedup(c, s).front(), greatest_speedup(worker_speeds(*c.scenario)))};
}

/// n_eff = T/T_n (8).
Estimates effective_processors(const MetricContext& c, const PointStatistics& s) {
  return {combined_ratio(s.times.sums(), Times::only(Times::kSumBusy), Times::only(Times::kBusiest), c.confidence)};
}

/// T_id = tau - T_n (14) [s], d_id = T_id/T_n (16).
Estimates idle_time(const MetricContext& c, const PointStatistics& s) {
  return {settled(combined_mean(s.times.sums(), idle(), c.confidence), s.makespan_s.mean())};
}

Estimates d_id(const MetricContext& c, const PointStatistics& s) {
  return {settled(combined_ratio(s.times.sums(), idle(), Times::only(Times::kBusiest), c.confidence), 1)};
}

/// s_max (6), d_conf (10), n·min v/max v (17): exact.
template <double (*Of)(std::span<const double> speed)>
Estimates of_speeds(const MetricContext& c, const PointStatistics&) {
  return {exactly(Of(worker_speeds(*c.scenario)))};
}

}  // namespace

std::vector<double> proportional_probabilities(std::span<const double> speed) {
  std::vector<double> shares(speed.begin(), speed.end());
  for (double& share : shares) share /= sum(speed);
  return shares;
}

double greatest_speedup(std::span<const double> speed) { return sum(speed) / std::ranges::max(speed); }

double equal_speedup(std::span<const double> speed) {
  return static_cast<double>(speed.size()) * (std::ranges::min(speed) / std::ranges::max(speed));
}

double diversity(std::span<const double> speed) {
  const double mean = sum(speed) / static_cast<double>(speed.size());
  return (std::ranges::max(speed) - mean) / mean;
}

}  // namespace nowsim::bazterra

namespace nowsim {
namespace bz = bazterra;

std::span<const Metric> bazterra_metrics() {
  static const Metric table[] = {
      {.name = "v_i", .unit = "flop/s", .summary = "speed of each worker, dedicated (BZ 1)", .per_workstation = true,
       .estimate = bz::speeds, .exact = true},
      {.name = "v_i/sum", .summary = "speed of each worker / sum of theirs: BZ's best p_i (Proposition 1)",
       .per_workstation = true, .estimate = bz::normalised_speeds, .exact = true},
      {.name = "p_i", .summary = "share of the work that each worker did (BZ 1)", .per_workstation = true,
       .estimate = bz::work_shares, .gathers = bz::kTimes},
      {.name = "T_busy_i", .unit = "s", .summary = "time that each worker computed, lengthened by its owner (BZ 1)",
       .per_workstation = true, .estimate = bz::busy_times, .gathers = bz::kTimes},
      {.name = "T_n", .unit = "s", .summary = "greatest T_busy_i of a run: parallel time without idle time (BZ 2)",
       .estimate = bz::mean_of_sum<TimeBreakdown::kBusiest>, .gathers = bz::kTimes, .better = Better::lower},
      {.name = "T_busy", .unit = "s", .summary = "sum of T_busy_i (BZ 3)",
       .estimate = bz::mean_of_sum<TimeBreakdown::kSumBusy>, .gathers = bz::kTimes},
      {.name = "s", .summary = "tau on the fastest worker alone / T_n (BZ 4)", .needs_baseline = true,
       .estimate = bz::speedup, .gathers = bz::kTimes, .better = Better::higher},
      {.name = "s_max", .summary = "greatest speedup of these speeds: sum v / max v (BZ 6)",
       .estimate = bz::of_speeds<bz::greatest_speedup>, .exact = true, .better = Better::higher},
      {.name = "e", .summary = "efficiency: s / s_max (BZ 7)", .needs_baseline = true,
       .estimate = bz::over_greatest<bz::speedup>, .gathers = bz::kTimes, .better = Better::higher},
      {.name = "n_eff", .summary = "effective number of processors: T_busy / T_n (BZ 8)",
       .estimate = bz::effective_processors, .gathers = bz::kTimes, .better = Better::higher},
      {.name = "d_conf", .summary = "diversity of the workers' speeds: (max v - mean v) / mean v (BZ 10)",
       .estimate = bz::of_speeds<bz::diversity>, .exact = true},
      {.name = "T_id", .unit = "s", .summary = "idle time: tau - T_n (BZ 14)", .estimate = bz::idle_time,
       .gathers = bz::kTimes, .better = Better::lower},
      {.name = "d_id", .summary = "idle time's part in the diversity: T_id / T_n (BZ 16)", .estimate = bz::d_id,
       .gathers = bz::kTimes, .better = Better::lower},
      {.name = "s_tot", .summary = "tau on the fastest worker alone / tau (BZ 15)", .needs_baseline = true,
       .estimate = total_speedup, .better = Better::higher},
      {.name = "e_tot", .summary = "efficiency with idle time: s_tot / s_max", .needs_baseline = true,
       .estimate = bz::over_greatest<total_speedup>, .better = Better::higher},
      {.name = "s_equal", .summary = "speedup with equal parts: n·min v / max v (BZ 17)",
       .estimate = bz::of_speeds<bz::equal_speedup>, .exact = true, .better = Better::higher},
  };
  return table;
}

}  // namespace nowsim
