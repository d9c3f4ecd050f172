// Values of successive replications, kept one by one, or as means of as many as there is room for; means and co-moments
// of several variables, gathered one observation at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/statistics/parameter_steps.hpp"

namespace nowsim {

/// So many entries a column may have, at most; of more replications successive ones are one entry. Even.
inline constexpr std::uint64_t kMostEntries = 16384;

/// One entry per span() successive replications, from the first on; the last may be of fewer. The span doubles when there
/// are too many entries. Columns are variables that are observed together. A column that somebody else holds is never
/// changed: whoever adds gets a copy.
class Observations {
 public:
  /// Of the first replications: their values, and those of the ones that were run again a step of measured parameters
  /// away (parameter_steps.hpp).
  struct Stepped;
  using Column = std::shared_ptr<const std::vector<double>>;

  Observations() = default;
  /// @param span replications per entry to begin with, at least 1.
  Observations(std::size_t columns, std::uint64_t span) : span_(span), columns_(columns) {
    for (auto& column : columns_) column = std::make_shared<std::vector<double>>();
  }
  /// Adds the means over the next so many replications, one per column: always of as many, but for the last. Entries are
  /// of whole such numbers.
  void add(std::span<const double> means, std::uint64_t replications = 1);

  [[nodiscard]] bool is_kept() const { return !columns_.empty(); }
  [[nodiscard]] std::uint64_t span() const { return span_; }
  [[nodiscard]] std::uint64_t replications() const { return replications_; }
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }
  [[nodiscard]] Column column(std::size_t i) const { return columns_[i]; }
  /// The columns' sum with these factors (missing ones are 0), entry by entry.
  [[nodiscard]] Column combined(std::span<const double> factors) const;
  void set_stepped(std::shared_ptr<const Stepped> stepped) { stepped_ = std::move(stepped); }
  /// What the mean of the columns' sum with these factors is moved by; nothing where nothing was run again.
  [[nodiscard]] std::shared_ptr<const FitSteps> steps(std::span<const double> factors) const;

 private:
  void double_span();

  std::uint64_t span_ = 1, replications_ = 0;
  std::vector<std::shared_ptr<std::vector<double>>> columns_;
  std::shared_ptr<const Stepped> stepped_;
};

struct Observations::Stepped {
  std::shared_ptr<const std::vector<Measurement>> measurements;
  std::shared_ptr<const Observations> values, stepped;
};

template <class Owner, class Part>
std::shared_ptr<const Observations::Stepped> stepped_observations(
    const std::shared_ptr<const std::vector<Measurement>>& measurements, const std::shared_ptr<Owner>& first,
    const Part& of_first, const std::shared_ptr<Owner>& stepped, const Part& of_stepped) {
  return std::make_shared<const Observations::Stepped>(
      Observations::Stepped{measurements, {first, &of_first.observed()}, {stepped, &of_stepped.observed()}});
}

/// Replications per entry once so many were added one by one, or in units (pairs).
inline std::uint64_t span_of(std::uint64_t replications, std::uint64_t unit) {
  std::uint64_t span = std::max<std::uint64_t>(1, unit);
  while (replications / span > kMostEntries) span *= 2;
  return span;
}

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
