// What Zhang & Yan's (1995) metrics of one point and between points share: the work, its time on the fastest machine, and
// the latency.
#pragma once

#include "sim/metrics/metrics.hpp"

/// All metrics take S_j to be a workstation's speed, W_j its power weight (1), |A| = ProgramDescription::work_of() the
/// shares, and times as plain means over the replications: control variates have no part, so that the paper's identities
/// hold exactly. Each gives one estimate, or one per workstation; NaN where nothing is known, with NaN ends where means
/// alone are (time_breakdown.hpp).
namespace nowsim::zhang_yan {

/// |A| [flop]; and |A|/max S [s]: the job's time on the fastest machine, dedicated, without waiting for pages.
double work_flop(const Scenario& scenario);
double fastest_dedicated_s(const Scenario& scenario);

/// L (16) = L_ave/sum W_j [s].
Estimates unit_latency(const MetricContext& c, const PointStatistics& s);

}  // namespace nowsim::zhang_yan
