// A quantity's replications as the independent observations that they make up: themselves, or pairs; and its estimates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/statistics/observations.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

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

/// The mean, with control variates the regression estimate (observations.hpp), Student's interval.
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
