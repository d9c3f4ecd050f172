// What is kept of replications: values one by one, or as means of as many as there is room for; means and co-moments of
// several variables; a quantity's replications as the independent observations that they make up, themselves or pairs,
// and its estimates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/statistics/parameter_steps.hpp"
#include "sim/statistics/statistics.hpp"

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

/// How replications are to be read.
struct Sampling {
  std::size_t unit = 1;      ///< successive replications that make up an independent observation
  std::size_t controls = 0;  ///< control variates that come with each replication
  std::uint64_t span = 0;    ///< the most replications per entry of what is kept of their values, for influences; 0: nothing is
  [[nodiscard]] bool is_plain() const { return unit == 1 && controls == 0; }
};

/// Moments of all replications; and, where they are not plain, of the means over each unit, from which intervals come.
class Sample : public Moments {
 public:
  Sample() = default;
  explicit Sample(const Sampling& sampling)
      : sampling_(sampling),
        folds_(sampling.is_plain() ? 0 : sampling.controls > 0 ? kFolds : 1, JointMoments(2 + sampling.controls)) {
    if (sampling.span > 0)
      observed_ = Observations(sampling.is_plain() && sampling.span == 1 ? 1 : 2 + sampling.controls, sampling.unit);
  }
  /// Adds a batch: values in the order of replications, whole units; and per control variate its values.
  void add_batch(std::span<const double> values, std::span<const std::vector<double>> controls);
  /// Adds a batch of a plain sample, of which the moments are known already, and the values where they are kept.
  void add_batch(const Moments& batch, std::span<const double> values);
  /// The same where the values are not known: their means stand for them, in entries of more than one replication.
  void add_batch(const Moments& batch);

  [[nodiscard]] const Sampling& sampling() const { return sampling_; }
  /// Per unit: the mean of its values, the mean of their squares from origin(), the means of the controls.
  [[nodiscard]] JointMoments units() const;
  [[nodiscard]] std::uint64_t number_of_units() const { return number_of_units_; }
  /// From units; 0 where there are fewer than two.
  [[nodiscard]] double variance_of_mean() const;
  /// The same, dealt out in turn by the units' indices, wherever batches end; one without controls, none of plain
  /// samples.
  [[nodiscard]] const std::vector<JointMoments>& folds() const { return folds_; }
  /// A number near the values, so that their squares say something of the spread.
  [[nodiscard]] double origin() const { return origin_; }
  /// Whether all values came in units. Those that came as moments alone did not, and no interval is known.
  [[nodiscard]] bool has_units() const { return number_of_units_ * sampling_.unit == count(); }
  /// Entry by entry: the value; unless values of a plain sample are kept one by one, the mean square from origin(), and
  /// the controls.
  [[nodiscard]] const Observations& observed() const { return observed_; }
  void set_stepped(std::shared_ptr<const Observations::Stepped> stepped) { observed_.set_stepped(std::move(stepped)); }
  [[nodiscard]] bool has_all_observed() const { return count() > 0 && observed_.replications() == count(); }
  static constexpr std::size_t kFolds = 10;

 private:
  Sampling sampling_;
  double origin_ = 0;
  std::uint64_t number_of_units_ = 0;
  std::vector<JointMoments> folds_;
  Observations observed_;
};

// The estimates of statistics.hpp: of plain samples to the bit; of others with standard errors from units. They have
// their influences where values were kept.

/// The mean, with control variates the regression estimate (sample.cpp), Student's interval.
Estimate mean_estimate(const Sample& s, const Confidence& confidence);
/// The standard deviation of a replication. Of pairs: s² = sum (x - mean)²/n + the variance of the mean, unbiased
/// whatever their correlation; the interval by the delta method on log s with the variance of the pairs' mean squares.
/// Control variates have no part.
Estimate sd_estimate(const Sample& s, const Confidence& confidence);
/// sd/mean, both without control variates.
Estimate cv_estimate(const Sample& s, const Confidence& confidence);
/// The proportion of ones among zeros and ones. Of pairs: Clopper-Pearson with the number of independent replications
/// that would have the pairs' standard error (Korn & Graubard, Survey Methodology 24, 1998), but never more than there
/// are.
Estimate proportion_estimate(const Sample& s, const Confidence& confidence);

}  // namespace nowsim
