// A factor that random numbers of several workstations have in common: the one-factor Gaussian copula.
#pragma once

#include "sim/statistics/distribution.hpp"

namespace nowsim {

/// Makes uniforms of different workstations depend on one another and leaves each of them uniform: with independent
/// standard normals, Z_c common to all and Z_i a workstation's own, U_i = Phi(sqrt(w)·Z_c + sqrt(1-w)·Z_i) (the
/// one-factor Gaussian copula: Vasicek, Risk 15(12), 2002; McNeil, Frey & Embrechts, Quantitative Risk Management,
/// 2005, 8.3). The normals of two workstations with weights v and w then have the correlation sqrt(v·w), and U_i and
/// U_j themselves (6/pi)·asin(sqrt(v·w)/2) (Pearson 1907).
class CommonFactor {
 public:
  /// @throws InputError unless 0 <= weight <= 1.
  explicit CommonFactor(double weight);
  [[nodiscard]] double weight() const { return weight_; }
  /// The standard normal quantile of a draw of a stream, in [0, 1).
  [[nodiscard]] static double normal(double u);
  /// U_i, in [0, 1).
  [[nodiscard]] double uniform(double common, double own) const;

 private:
  double weight_, common_part_, own_part_;
};

}  // namespace nowsim
