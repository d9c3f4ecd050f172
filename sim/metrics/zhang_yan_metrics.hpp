// Zhang & Yan's (1995) metrics of one point, for the table of metrics: heterogeneity, efficiency, Properties 1 and 2.
#pragma once

#include <span>
#include <vector>

#include "sim/metrics/metrics.hpp"

/// All take S_j to be a workstation's speed, W_j its power weight (1), |A| = ProgramDescription::work_of() the shares, and times
/// as plain means over the replications: control variates have no part, so that the paper's identities hold exactly.
/// Each gives one estimate, or one per workstation; NaN where nothing is known, with NaN ends where means alone are
/// (time_breakdown.hpp).
namespace nowsim::zhang_yan {

using Estimates = std::vector<Estimate>;

/// |A| [flop]; and |A|/max S [s]: the job's time on the fastest machine, dedicated, without waiting for pages.
double work_flop(const Scenario& scenario);
double fastest_dedicated_s(const Scenario& scenario);

/// W_i (1), H (4) and sum W_j: exact.
Estimates weights(const MetricContext& c, const PointStatistics& s);
Estimates heterogeneity(const MetricContext& c, const PointStatistics& s);
Estimates power(const MetricContext& c, const PointStatistics& s);

/// E (10): mean(sum W_j T_eff_j)/mean(sum W_j (T - T_owner_j)).
Estimates efficiency(const MetricContext& c, const PointStatistics& s);
/// Delta_A (11): |A|/max S over the baseline's mean time. NaN without a baseline.
Estimates owner_effect(const MetricContext& c, const PointStatistics& s);
/// min_j (|A|/S_j + its waiting for pages)/tau: Definition 1 against the fastest machine, dedicated.
Estimates speedup_dedicated(const MetricContext& c, const PointStatistics& s);
/// Property 2 (12): SP·Delta_A/sum (1 - U_j) W_j, where SP·Delta_A = (|A|/max S)/T and U_j = mean T_owner_j/mean T.
/// Equal to E given sum |A_j| = |A|.
Estimates property2(const MetricContext& c, const PointStatistics& s);

// Property 1 (6) says SP = P_deg (1 - H). What holds, exactly and with owners, is
// SP·Delta_A - P_deg (1 - H) = m·Cov(W, T_eff)/T, given sum |A_j| = |A|.

/// SP·Delta_A = (|A|/max S)/mean(T).
Estimates speedup_delta(const MetricContext& c, const PointStatistics& s);
/// P_deg (1 - H) with P_deg = mean(sum T_eff_j)/mean(T); the metric P_deg is the mean of each run's ratio.
Estimates parallelism_homogeneous(const MetricContext& c, const PointStatistics& s);
/// m·Cov(W, T_eff)/mean(T), the population's covariance over the m machines.
Estimates covariance(const MetricContext& c, const PointStatistics& s);

/// Per workstation: T_eff_i, T_owner_i and overhead_i [s], which add up to mean(T); and U_i.
Estimates effective_times(const MetricContext& c, const PointStatistics& s);
Estimates owner_times(const MetricContext& c, const PointStatistics& s);
Estimates overheads(const MetricContext& c, const PointStatistics& s);
Estimates utilisations(const MetricContext& c, const PointStatistics& s);

/// L_ave (15) = sum W_j overhead_j, and L (16) = L_ave/sum W_j [s].
Estimates average_latency(const MetricContext& c, const PointStatistics& s);
Estimates unit_latency(const MetricContext& c, const PointStatistics& s);

}  // namespace nowsim::zhang_yan

namespace nowsim {

/// The rows of the table of metrics, with those of zhang_yan_scaling.hpp.
std::span<const Metric> zhang_yan_metrics();

}  // namespace nowsim
