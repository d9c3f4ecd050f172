// Means and co-moments of several variables, gathered one observation at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace nowsim {

/// Count, means and centred sums of products, in memory that does not grow with the observations (Pébay 2008,
/// SAND2008-6212).
class JointMoments {
 public:
  explicit JointMoments(std::size_t variables = 0) : mean_(variables, 0.0), products_(variables * variables, 0.0) {}
  /// One value per variable.
  void add(std::span<const double> values);
  [[nodiscard]] std::uint64_t count() const { return n_; }
  [[nodiscard]] std::size_t variables() const { return mean_.size(); }
  [[nodiscard]] double mean(std::size_t i) const { return mean_[i]; }
  /// sum (x_i - mean_i)(x_j - mean_j).
  [[nodiscard]] double products(std::size_t i, std::size_t j) const {
    return products_[std::max(i, j) * mean_.size() + std::min(i, j)];
  }
  /// Unbiased (divisor n - 1); NaN for n < 2.
  [[nodiscard]] double covariance(std::size_t i, std::size_t j) const;

 private:
  std::uint64_t n_ = 0;
  std::vector<double> mean_, products_;  ///< of products those with i >= j
};

/// The mean of variable 0 regressed on others whose means are known to be 0.
struct ControlledMean {
  double value = 0;     ///< mean_0 - b·(their means), b the coefficients of least squares
  double variance = 0;  ///< of the value
  std::uint64_t degrees_of_freedom = 0;
};
/// @param first, count the controls among the variables. One that does not vary, or varies with those before it alone,
/// has no part. variance is that of Lavenberg & Welch (Management Science 27, 1981): the residuals' with n - q - 1 degrees
/// of freedom, times 1/n + c'S^-1 c, c the controls' means and S their sums of products, the loss by estimating b.
/// Student's interval is exact where all are jointly normal. The bias, -Cov(b, c), is of the order 1/n, that is of the
/// half-width over sqrt(n), which is left as it is (remedies such as splitting: Nelson, Oper. Res. 38, 1990; Glynn &
/// Szechtman 2002). Zero degrees of freedom where there are too few observations.
ControlledMean controlled_mean(const JointMoments& m, std::size_t first, std::size_t count);

}  // namespace nowsim
