// What the metrics of Bosque et al. (2011) are made of: how many processors a point has, and their power.
#pragma once

#include "sim/program/scenario.hpp"

/// Processors are the job's workers: where rank 0 is a server (ProgramDescription::first_worker), it counts for nothing,
/// and its P_i is NaN. W is ProgramDescription::work_of() the shares; a program without work has an efficiency of 0, and
/// NaN where it takes no time, or its machines have no power.
namespace nowsim::bosque {

/// Whether a machine's power is that of the machine alone, dedicated, or what its owner leaves of it on average:
/// P_i a_i, a_i = OwnerModel::mean(). The paper's machines are dedicated; the latter is this program's.
enum class Power { dedicated, left };

/// p_T [flop/s]: the sum of P_i = W/T_i over the workers, T_i = W/speed + ProgramDescription::paging_alone_s(): of their
/// speeds where nothing is paged.
double total_power_flops(const Scenario& scenario, Power which);
/// p: how many workers there are.
double processors(const Scenario& scenario);

}  // namespace nowsim::bosque
