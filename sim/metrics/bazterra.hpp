// The performance model of Bazterra et al. (2004): what a division of the work among machines of given speeds yields.
#pragma once

#include <span>
#include <vector>

namespace nowsim::bazterra {

// Speeds are those of C_n's processors, at least one, all above 0, in any unit of operations per second; probabilities
// say which share of the operations each gets: one per speed, not below 0, of sum 1. Neither is checked.

/// Gamma_n = {C_n; A_n(K)}: processors, and an algorithm of K operations on them.
struct ParallelSystem {
  std::vector<double> speed;        ///< v_i
  std::vector<double> probability;  ///< p_i
  double operations = 1;            ///< K

  /// T_i = K p_i/v_i (1) [s], one per processor.
  [[nodiscard]] std::vector<double> times_s() const;
  /// T_n = max T_i (2) and T = sum T_i (3) [s].
  [[nodiscard]] double elapsed_s() const;
  [[nodiscard]] double total_s() const;
  /// T_1,min = K/max v [s]: all on the fastest processor.
  [[nodiscard]] double serial_s() const;
  /// s = T_1,min/T_n (4), (5).
  [[nodiscard]] double speedup() const;
  /// e = s/s_max (7).
  [[nodiscard]] double efficiency() const;
  /// n_eff = T/T_n (8): how many processors are used to the end.
  [[nodiscard]] double effective_processors() const;
};

/// p_i = v_i/sum v: of all divisions that with the least T_n (Proposition 1).
std::vector<double> proportional_probabilities(std::span<const double> speed);
/// s_max = sum v/max v (6) = n/(1 + d_conf) (9): the speedup of the former, and the greatest (Proposition 3).
double greatest_speedup(std::span<const double> speed);
/// min v/max v: the speedup with all work on the slowest processor, and the least (Proposition 3).
double least_speedup(std::span<const double> speed);
/// n·min v/max v (17): the speedup where each gets as many operations.
double equal_speedup(std::span<const double> speed);
/// d_conf = (max v - mean v)/mean v (10): the configuration's diversity.
double diversity(std::span<const double> speed);

/// Processors of speeds v and h·v, h >= 1, of which the slower one gets the share p of the work (BZ 3.4).
struct TwoProcessors {
  double h = 1;
  double p = 0.5;

  [[nodiscard]] double diversity() const;             ///< (11)
  [[nodiscard]] double speedup() const;               ///< (12)
  [[nodiscard]] double effective_processors() const;  ///< (13)
  /// The same as a system of speeds 1 and h.
  [[nodiscard]] ParallelSystem system() const;
};

/// T_id = T_tot - T_n (14) [s], of the measured elapsed time T_tot.
double idle_s(double total_elapsed_s, double elapsed_s);
/// d_id = T_id/T_n (16): what waiting adds to the diversity.
double idle_diversity(double idle_s, double elapsed_s);
/// s_tot = s/(1 + d_id) (15).
double total_speedup(double speedup, double idle_diversity);

}  // namespace nowsim::bazterra
