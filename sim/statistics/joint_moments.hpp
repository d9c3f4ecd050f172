// Means and co-moments of several variables, gathered one observation at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/statistics/observations.hpp"

namespace nowsim {

/// Count, means and centred sums of products, in memory that does not grow with the observations (Pébay 2008,
/// SAND2008-6212).
class JointMoments {
 public:
  explicit JointMoments(std::size_t variables = 0) : mean_(variables, 0.0), products_(variables * variables, 0.0) {}
  /// From now on observations are kept as well, each of `unit` replications.
  void keep(std::uint64_t unit) {
    unit_ = unit;
    observed_ = Observations(variables(), unit);
  }
  /// Observations of which the means alone are known: all products are NaN, here and of what they are merged into.
  static JointMoments of_means(std::uint64_t count, std::span<const double> means);
  void add(std::span<const double> values);
  /// Adds the other's observations of the same variables; where observations are kept, their means as one.
  void merge(const JointMoments& other);
  [[nodiscard]] std::uint64_t count() const { return n_; }
  [[nodiscard]] std::size_t variables() const { return mean_.size(); }
  [[nodiscard]] double mean(std::size_t i) const { return mean_[i]; }
  /// sum (x_i - mean_i)(x_j - mean_j).
  [[nodiscard]] double products(std::size_t i, std::size_t j) const {
    return products_[std::max(i, j) * mean_.size() + std::min(i, j)];
  }
  /// Unbiased (divisor n - 1); NaN for n < 2.
  [[nodiscard]] double covariance(std::size_t i, std::size_t j) const;
  /// What was kept; less than all where observations came by merging others that had kept none.
  [[nodiscard]] const Observations& observed() const { return observed_; }
  void set_stepped(std::shared_ptr<const Observations::Stepped> stepped) { observed_.set_stepped(std::move(stepped)); }
  [[nodiscard]] bool has_all_observed() const { return n_ > 0 && observed_.replications() == n_ * unit_; }

 private:
  std::uint64_t n_ = 0, unit_ = 1;
  Observations observed_;
  std::vector<double> mean_, products_;  ///< of products those with i >= j
};

/// The mean of variable 0 corrected by others whose means are known to be 0.
struct ControlledMean {
  double value = 0;
  double variance = 0;  ///< of the value; NaN for fewer than two observations
  std::uint64_t degrees_of_freedom = 0;  ///< of Student's quantile that goes with it
  std::vector<std::vector<double>> residuals = {};  ///< per fold, the variables' factors in x_0 - b·c; none: a plain mean
  double used = 0;                                  ///< q: so many controls have a part
};
/// With fewer observations than controls and this many a regression would cost more than it gains, or be nonsense.
inline constexpr std::uint64_t kLeastBesideControls = 12;

/// The mean of x_0 - b·c, c the controls, where each fold's b are the coefficients of least squares of all other folds'
/// observations. These are independent of the fold's, so the value is unbiased whatever the joint law is (splitting:
/// Nelson, Oper. Res. 38, 1990; Avramidis & Wilson, Oper. Res. 41, 1993); one regression for all is biased by
/// -Cov(b, mean c): at 100 replications of a task on two machines a sixth of its standard error, of pairs a quarter.
/// @param folds not empty, of the same variables; observations dealt out to them in turn.
/// @param first, count the controls among the variables. One that does not vary, or varies with those before it alone,
/// has no part.
/// variance is SS/((n - 1)(n - 2q)), q the number of controls with a part, SS the sum of squares of x_0 - b·c about the
/// value: since b never saw the observation, SS holds the loss by estimating b also where residuals are unequally
/// spread; n - 2q in place of n stands for what the b of the folds have in common. Degrees of freedom are
/// Satterthwaite's, from how much the folds' sums of squares differ, at most n - q - 1: residuals have long tails. Both
/// were chosen by their coverage (variance-reduction.md). The plain mean, with its plain variance, below
/// count + kLeastBesideControls observations.
ControlledMean controlled_mean(std::span<const JointMoments> folds, std::size_t first, std::size_t count);

}  // namespace nowsim
