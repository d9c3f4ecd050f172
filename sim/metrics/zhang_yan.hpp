// What Zhang & Yan's (1995) metrics of one point and between points share: the work, its time on the fastest machine,
// the latency; and those that compare a point with a reference point: scalability, and Property 3.
#pragma once

#include "sim/metrics/metrics.hpp"

/// All metrics take S_j to be a workstation's speed, W_j its power weight (1), |A| = ProgramDescription::work_of() the
/// shares, and times as plain means over the replications: control variates have no part, so that the paper's identities
/// hold exactly. Each gives one estimate, or one per workstation; NaN where nothing is known, with NaN ends where means
/// alone are (time_breakdown.hpp).
/// Index 1 of the paper is the reference, 2 the point. NaN without a reference; of a point that is its own reference
/// exactly 1.
namespace nowsim::zhang_yan {

/// |A| [flop]; and |A|/max S [s]: the job's time on the fastest machine, dedicated, without waiting for pages.
double work_flop(const Scenario& scenario);
double fastest_dedicated_s(const Scenario& scenario);

/// L (16) = L_ave/sum W_j [s].
Estimates unit_latency(const MetricContext& c, const PointStatistics& s);

/// |A|/(max S·sum W_j) [s].
double work_per_power_s(const Scenario& scenario);

/// scale_e (17) = L_1/L_2. Where both sizes were solved for so that E = e, its interval is what they say of
/// L = (1/e - 1)·|A|/(max S·sum W_j), which holds at E = e: so L has the error of the size, which comes from the same
/// replications as that of L at the fixed size and would else be counted twice. Both sizes' errors are added as squares
/// of logarithms, as in size_scaling(). In all other cases the interval is that of the samples of both L, whatever the
/// correlation of these.
Estimates scalability(const MetricContext& c, const PointStatistics& s);

/// |A_1| W_2 S_2/(|A_2| W_1 S_1), W the sums of power weights and S the fastest speeds: Property 3 with sigma = 1,
/// which is what (10) gives. Exact but for the sizes' intervals where both were solved for: their logarithms' errors
/// are added as squares, as of independent ones; where replications share random numbers both sizes err the same way,
/// and the interval is too wide rather than too narrow.
Estimates size_scaling(const MetricContext& c, const PointStatistics& s);

/// Property 3 as printed: the same times sigma = 1 + (O_2 - O_1·|A_2|/|A_1|)/(L_ave,2·S_2), where the owners'
/// operations O = max S·sum W_j T_owner_j stand in the denominators of E (18), (19), though (10) has none there.
Estimates property3(const MetricContext& c, const PointStatistics& s);

/// The size that was solved for. NaN where none was.
Estimates solved_size(const MetricContext& c, const PointStatistics& s);

}  // namespace nowsim::zhang_yan
