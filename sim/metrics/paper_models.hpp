// What the metrics of three papers are made of: Bazterra et al. (2004), what a division of the work among machines of
// given speeds yields; Bosque et al. (2011), efficiency of machines of different power, and the problem size that keeps
// it constant; Zhang & Yan (1995), the work, and its time on the fastest machine.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/metrics/metrics.hpp"
#include "sim/platform/network_shape.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/workload.hpp"

namespace nowsim::bazterra {

// Speeds are those of C_n's processors, at least one, all above 0, in any unit of operations per second; that is not
// checked.

/// p_i = v_i/sum v: of all divisions that with the least T_n (Proposition 1).
std::vector<double> proportional_probabilities(std::span<const double> speed);
/// s_max = sum v/max v (6) = n/(1 + d_conf) (9): the speedup of the former, and the greatest (Proposition 3).
double greatest_speedup(std::span<const double> speed);
/// n·min v/max v (17): the speedup where each gets as many operations.
double equal_speedup(std::span<const double> speed);
/// d_conf = (max v - mean v)/mean v (10): the configuration's diversity.
double diversity(std::span<const double> speed);

}  // namespace nowsim::bazterra

/// Processors are the job's workers: where rank 0 is a server (ProgramDescription::first_worker), it counts for nothing,
/// and its P_i is NaN. W is ProgramDescription::work_of() the shares; a program without work has an efficiency of 0, and
/// NaN where it takes no time, or its machines have no power.
namespace nowsim::bosque {

// W is the work [flop], p_T the sum of all processors' powers p_i = W/T_i, T_i the time of the whole job on processor i
// alone [flop/s]; T_R the parallel response time and T_o the overhead, T_R = W/p_T + T_o [s].

/// eps = W/(T_R p_T) (1), of T_R = W/p_T + T_o: W/(W + T_o p_T).
double efficiency_with_overhead(double work_flop, double overhead_s, double power_flops);
/// K = eps/(1 - eps), of 0 < eps < 1: how often the overhead's work T_o p_T goes into W.
double constant_of(double efficiency);

struct System {
  double ranks = 1;        ///< p
  double power_flops = 1;  ///< p_T
  UniformNetwork network;
};

/// The H-isoefficiency function W = K T_o p_T (2) solved for the size: the n at which W(n) = K p_T T_o(n), to 1e-12 of it.
/// W(n)/T_o(n) must not fall with n. Of Gaussian elimination, W = n^3, it grows in the end like p_T p if messages go
/// point to point (3), T_o = n (p - 1)(lambda + n/beta), and like p_T log p by broadcast (4), T_o =
/// n ceil(log2 p)(lambda + n/beta); as long as lambda is most of the messages' time, only like the square roots of
/// these.
/// Nothing where no n from 1e-12 to 1e18 has the efficiency: without overhead, as on one processor; where W grows no
/// faster than T_o; and for an efficiency that is not between 0 and 1.
std::optional<double> isoefficient_size(const OverheadModel& model, double efficiency, const System& system);

/// Whether a machine's power is that of the machine alone, dedicated, or what its owner leaves of it on average:
/// P_i a_i, a_i = Owner::mean(). The paper's machines are dedicated; the latter is this program's.
enum class Power { dedicated, left };

/// p_T [flop/s]: the sum of P_i = W/T_i over the workers, T_i = W/speed + ProgramDescription::paging_alone_s(): of their
/// speeds where nothing is paged.
double total_power_flops(const Scenario& scenario, Power which);
/// p: how many workers there are.
double processors(const Scenario& scenario);

}  // namespace nowsim::bosque

/// S_j is a workstation's speed, W_j its power weight (1), |A| = ProgramDescription::work_of() the shares.
namespace nowsim::zhang_yan {

/// |A| [flop]; and |A|/max S [s]: the job's time on the fastest machine, dedicated, without waiting for pages.
double work_flop(const Scenario& scenario);
double fastest_dedicated_s(const Scenario& scenario);
/// |A|/(max S·sum W_j) [s].
double work_per_power_s(const Scenario& scenario);

}  // namespace nowsim::zhang_yan
