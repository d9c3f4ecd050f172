// The metrics of Bazterra et al. (2004) of one point, for the table of metrics: speedup, efficiency, diversity, idle
// time.
#pragma once

#include <span>
#include <vector>

#include "sim/metrics/metrics.hpp"

/// C_n are the job's workers: where rank 0 is a server (ProgramDescription::first_worker), its speed, work and time have no
/// part; where there is one estimate per workstation its own is 0, and NaN of v_i and v_i/sum, as it is none of C_n.
/// T_n and T are of each run's own busiest worker and sum of times, and metrics of them ratios of their plain means;
/// control variates have a part in T_1,min and in s_tot's tau, and without them s_tot = s/(1 + d_id) exactly.
/// Without them, too, replications of the baseline and of the job are paired (PointStatistics::makespans_s gathered): they
/// share their random numbers, so that s_tot's interval is narrower than that of the metric speedup. On more
/// than 32 workers T_n is known where no run differs from another, and then without an interval; else what follows from
/// it is NaN.
namespace nowsim::bazterra {

using Estimates = std::vector<Estimate>;

/// v_i [flop/s], dedicated, and v_i/sum v: exact.
Estimates speeds(const MetricContext& c, const PointStatistics& s);
Estimates normalised_speeds(const MetricContext& c, const PointStatistics& s);
/// p_i: a worker's share of the work done, mean(work_i)/mean(sum work).
Estimates work_shares(const MetricContext& c, const PointStatistics& s);
/// T_busy_i = T_i (1) [s]: the time each worker computed, which owners lengthen.
Estimates busy_times(const MetricContext& c, const PointStatistics& s);
/// T_n (2) and T (3) [s].
Estimates elapsed_time(const MetricContext& c, const PointStatistics& s);
Estimates total_time(const MetricContext& c, const PointStatistics& s);

/// s = T_1,min/T_n (4), s_tot = T_1,min/tau (15), T_1,min the baseline's tau: the same work alone on the fastest worker
/// under its own owner. NaN without a baseline.
Estimates speedup(const MetricContext& c, const PointStatistics& s);
Estimates total_speedup(const MetricContext& c, const PointStatistics& s);
/// e = s/s_max (7), and s_tot/s_max.
Estimates efficiency(const MetricContext& c, const PointStatistics& s);
Estimates total_efficiency(const MetricContext& c, const PointStatistics& s);
/// n_eff = T/T_n (8).
Estimates effective_processors(const MetricContext& c, const PointStatistics& s);
/// T_id = tau - T_n (14) [s], d_id = T_id/T_n (16).
Estimates idle_time(const MetricContext& c, const PointStatistics& s);
Estimates idle_diversity(const MetricContext& c, const PointStatistics& s);

/// s_max (6), d_conf (10), n·min v/max v (17): exact.
Estimates greatest_speedup(const MetricContext& c, const PointStatistics& s);
Estimates diversity(const MetricContext& c, const PointStatistics& s);
Estimates equal_speedup(const MetricContext& c, const PointStatistics& s);

}  // namespace nowsim::bazterra

namespace nowsim {

/// The rows of the table of metrics.
std::span<const Metric> bazterra_metrics();

}  // namespace nowsim
