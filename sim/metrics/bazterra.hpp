// The performance model of Bazterra et al. (2004): what a division of the work among machines of given speeds yields.
#pragma once

#include <span>
#include <vector>

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
