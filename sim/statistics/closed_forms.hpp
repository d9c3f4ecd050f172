// Closed forms to set beside simulated values: Huang & Lee 2007 as printed, and renewal-reward asymptotics.
#pragma once

#include <span>
#include <vector>

#include "sim/base/infinity.hpp"

namespace nowsim {

/// The expected maximum of independent normals with these means and standard deviations (sd 0 allowed), by quadrature
/// of z dF by parts, F the product of the distribution functions; equal ones are counted, not repeated. Same length, at
/// least one, no sd below 0: else std::invalid_argument. Of N standard ones it is K(N) (HL 5; David 1970), HL (5) then
/// tau = t + K(N)·sqrt(t)·TH and (6) tau = t + K(N)·sqrt(t·N_s)·TH with N_s synchronisation points.
double expected_max_normals(std::span<const double> mean, std::span<const double> sd);
/// How the expected maximum of such normals depends on one's mean: the first derivative, which is the probability that
/// this one is the greatest, and the second, the density of the others' maximum less this one at 0; both 0 for those of
/// sd 0. Relative error about 1e-6, by Gauss's rule on panels as fine as the normals that vary there.
struct MaxSlopes {
  double first = 0, second = 0;
};
std::vector<MaxSlopes> slopes_of_expected_max(std::span<const double> mean, std::span<const double> sd);

/// HL (2): t_i = X_i/(alpha_i a_i) [s].
double hl_mean_time(double work_flop, double speed_flops, double mean_availability);
/// HL (3): sigma_Ti = sqrt(t_i)·TH_i, which takes the interval's E[L^2]/E[L] as 1 s.
double hl_sd_time(double mean_time_s, double th);

/// How a path of independent intervals (length L, value A, first one starting at 0) does work at unit speed.
struct IntervalModel {
  double mean_availability;   ///< a = E[A]
  double th;                  ///< sd(A)/a
  double mean_length_s;       ///< E[L]
  double mean_square_length;  ///< E[L^2] [s^2]
  double moment_limit = kInfinity;  ///< E[L^k] is finite for k below this
};
/// E[T_i] = X_i/(alpha a) + TH^2·E[L^2]/(2 E[L]), for T_i much longer than an interval (model.md section 5) [s].
double renewal_mean_time(const IntervalModel& m, double work_flop, double speed_flops);
/// Var T_i ~ t_i·TH^2·E[L^2]/E[L] [s^2].
double renewal_var_time(const IntervalModel& m, double work_flop, double speed_flops);

}  // namespace nowsim
