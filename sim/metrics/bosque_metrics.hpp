// The metrics of Bosque et al. (2011) of one point, for the table of metrics: power, efficiency, overhead, theory.
#pragma once

#include <span>
#include <vector>

#include "sim/metrics/metrics.hpp"

/// Processors are the job's workers: where rank 0 is a server (ProgramDescription::first_worker), it counts for nothing, and
/// its P_i is NaN. W is ProgramDescription::work_of() the shares; a program without work has an efficiency of 0, and NaN where it
/// takes no time, or its machines have no power.
namespace nowsim::bosque {

using Estimates = std::vector<Estimate>;

/// Whether a machine's power is that of the machine alone, dedicated, or what its owner leaves of it on average:
/// P_i a_i, a_i = OwnerModel::mean(). The paper's machines are dedicated; the latter is this program's.
enum class Power { dedicated, left };

/// P_i = W/T_i [flop/s], one per worker, T_i = W/speed + ProgramDescription::paging_alone_s(): its speed where nothing is paged.
std::vector<double> powers_flops(const Scenario& scenario, Power which);
/// p_T [flop/s]: their sum.
double total_power_flops(const Scenario& scenario, Power which);
/// p: how many they are.
double processors(const Scenario& scenario);

Estimates powers(const MetricContext& c, const PointStatistics& s);
Estimates total_power(const MetricContext& c, const PointStatistics& s);
Estimates total_power_left(const MetricContext& c, const PointStatistics& s);

/// eps = W/(tau p_T) (1), and with what owners leave; tau's interval.
Estimates efficiency(const MetricContext& c, const PointStatistics& s);
Estimates efficiency_of_left(const MetricContext& c, const PointStatistics& s);
/// T_o = tau - W/p_T [s], and with what owners leave; tau's interval.
Estimates overhead(const MetricContext& c, const PointStatistics& s);
Estimates overhead_of_left(const MetricContext& c, const PointStatistics& s);

// Closed forms, of a program that has an OverheadModel, on a uniform network (Scenario::network) or one machine; else
// NaN. Sizes and W are the model's, p_T the point's at its own size; p is the number of ranks.

/// T_o [s].
Estimates theoretical_overhead(const MetricContext& c, const PointStatistics& s);
/// W/(W + T_o p_T).
Estimates theoretical_efficiency(const MetricContext& c, const PointStatistics& s);
/// The size that has the efficiency eps (or eps_a: then of what owners leave) that was solved for: isoefficient_size().
/// NaN where something else was solved for.
Estimates theoretical_size(const MetricContext& c, const PointStatistics& s);
/// The same by the classic isoefficiency function, to which all processors are alike: with p times the mean power of
/// the reference point's in place of p_T. NaN without a reference.
Estimates classic_size(const MetricContext& c, const PointStatistics& s);

}  // namespace nowsim::bosque

namespace nowsim {

/// The rows of the table of metrics.
std::span<const Metric> bosque_metrics();

}  // namespace nowsim
