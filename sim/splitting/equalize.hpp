// Huang & Lee's second step: how much work to move off a split in proportion to speed, so that t_i + sigma_Ti is the
// same on all workstations; and which way normal theory would move it.
#pragma once

#include <span>
#include <vector>

#include "sim/program/workload.hpp"
#include "sim/splitting/policies.hpp"

namespace nowsim {

/// HL (9), (10) for each workstation and its share [flop]: t_i = X_i/s_i, and sigma_Ti in proportion to sqrt(X_i), from
/// the machines' sigma_s, which is that of an equal share of work_flop. Without work both are 0.
std::vector<TimeMoments> time_moments(double work_flop, std::span<const MachineView>, std::span<const double> share_flop);

// Shares X_i [flop] that sum to work_flop. Workstations without available speed get none.
// @throws InputError where no workstation has any available speed, or times are beyond what doubles hold.

/// HL step (1), BZ Proposition 1: in proportion to s_i.
std::vector<double> proportional_shares(double work_flop, std::span<const MachineView>);
/// HL step (2), (9)-(11): t_i' + sigma_Ti' is the same for all, to rounding. There is always exactly one such split:
/// each t_i' + sigma_Ti' grows with X_i from 0 on. Whether tau is shorter is another question (normal_tau_slope()).
std::vector<double> equalized_shares(double work_flop, std::span<const MachineView>);
/// The same by (12), in which sigma_Ti' is linear in X_i near step (1). A workstation that (12) would give less than no
/// work, which takes sigma_Ti > 2 t_i, gets none, and the others are equalised among themselves.
std::vector<double> linearly_equalized_shares(double work_flop, std::span<const MachineView>);

/// The derivative of tau = E[max T_i] of independent normals with time_moments(), along a direction Delta X_i [flop] at
/// these shares: what moving lambda·Delta X does to tau, per lambda [s]. Negative: a little of it shortens tau.
/// dE[max]/dvar_i is half of d²E[max]/dt_i² (the heat equation).
double normal_tau_slope(double work_flop, std::span<const MachineView>, std::span<const double> share_flop,
                        std::span<const double> direction_flop);

}  // namespace nowsim
