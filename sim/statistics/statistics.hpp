// Estimates from replications: moments gathered one value at a time, intervals, and the rule that says when to stop.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <utility>

namespace nowsim {

struct Influence;

/// An estimate with a two-sided confidence interval at the stated level; `low`/`high` are NaN where no interval can be
/// had (fewer than two replications). A confidence outside (0, 1) is an InputError in all that follows.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  /// What each replication contributes to it (influence.hpp); null where that is not known, or there is nothing random.
  std::shared_ptr<const Influence> influence = nullptr;
  /// Half the interval's width: what is printed behind ±.
  [[nodiscard]] double half_width() const { return 0.5 * (high - low); }
};

inline constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
/// Of a value without any error: the interval has width 0. Of kNotKnown the estimate that is not known.
inline Estimate exactly(double value) { return {value, value, value}; }
inline const Estimate kUnknownEstimate{kNotKnown, kNotKnown, kNotKnown};

/// The engines' clocks resolve some 1e-12 of a makespan: what differs by less than this share of one is rounding.
inline constexpr double kRoundingShare = 1e-10;

/// Count, mean and central moments up to the fourth, updated one value at a time in constant memory (Pébay 2008,
/// SAND2008-6212), and mergeable; the order of additions is part of the result's bits, so merge in index order.
class Moments {
 public:
  static Moments of(std::span<const double> values) {
    Moments out;
    for (const double x : values) out.add(x);
    return out;
  }
  void add(double x);
  void merge(const Moments& other);
  [[nodiscard]] std::uint64_t count() const { return n_; }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double min() const { return min_; }
  [[nodiscard]] double max() const { return max_; }
  /// Unbiased sample variance (divisor n - 1); NaN for n < 2.
  [[nodiscard]] double variance() const;
  [[nodiscard]] double sd() const;
  /// Central moments sum (x - mean)^k / n for k = 2, 3, 4; std::invalid_argument for another k.
  [[nodiscard]] double central(int k) const;

 private:
  std::uint64_t n_ = 0;
  double mean_ = 0, m2_ = 0, m3_ = 0, m4_ = 0;
  double min_ = 0, max_ = 0;
};

/// Their sum over their number, added up in their order.
double mean_of_values(std::span<const double> values);

/// Student's quantiles by n and confidence that were asked for before: each costs as much as hundreds of additions to
/// moments.
using QuantileMemo = std::map<std::pair<std::uint64_t, double>, double>;

/// The level of an interval, such as 0.95; with a memo, many intervals cost less, and are the same.
struct Confidence {
  Confidence(double level_, QuantileMemo* memo_ = nullptr) : level(level_), memo(memo_) {}  // NOLINT: a level alone will do
  double level;
  QuantileMemo* memo;
};

/// The mean, Student's t interval. A sample without any spread gives an interval of width 0.
Estimate mean_estimate(const Moments& m, const Confidence& confidence);
/// The standard deviation; the interval comes from the variance of s^2, (m4 - (n-3)/(n-1) s^4)/n, by the delta method on
/// log s (so it never falls below 0), with Student's t and spread_interval(): at 95 % it holds in 94 to 96 % of samples
/// from n = 50 on, for any law whose kurtosis a sample can tell (coverage.md).
Estimate sd_estimate(const Moments& m, const Confidence& confidence);
/// sd/mean, by the delta method on log(s/m) with the covariance m3/n of mean and variance. NaN where the mean is 0;
/// of little meaning where the mean is not clearly apart from 0. Coverage as for the sd.
Estimate cv_estimate(const Moments& m, const Confidence& confidence);
/// A proportion k/n, Clopper-Pearson (exact, conservative), from n = 1 on. std::invalid_argument for k > n.
Estimate proportion_estimate(std::uint64_t k, std::uint64_t n, double confidence);
/// The confidence that each of two intervals needs, so that both hold at once whatever their correlation (Bonferroni);
/// numerator/denominator of two such, positive ones: the ratios of values in both. The upper end is infinite where the
/// denominator's interval reaches 0.
Confidence confidence_of_each_of_two(const Confidence& confidence);
Estimate ratio_of_intervals(const Estimate& numerator, const Estimate& denominator);
/// Clopper-Pearson for a share of a number of trials that need not be whole.
Estimate proportion_interval(double share, double trials, double confidence);
/// From value·exp(-down) to value·exp(up), ends in order for either sign of the value; or symmetric on the scale of
/// logarithms.
Estimate log_interval(double value, double down, double up);
inline Estimate log_interval(double value, double h) { return log_interval(value, h, h); }
/// The interval of a standard deviation, or of one over a mean, whose logarithm has Student's half-width `h`: longer
/// upwards and shorter downwards by the skewness and the kurtosis of the values, since a small standard deviation comes
/// with a small standard error. Of as many independent observations. Ends in order for either sign of the value.
Estimate spread_interval(double value, double h, const Moments& m, double observations, double confidence);
/// Student's two-sided quantile t for n - 1 degrees of freedom (n >= 2, else NaN), from the memo if there is one.
double student_quantile(std::uint64_t n, const Confidence& confidence);
double normal_quantile(double confidence);

/// Stop once the interval's half-width is at most `relative_half_width` of the value (looked at only between batches).
struct StoppingRule {
  double relative_half_width = 0;  ///< 0: never satisfied, a fixed number of replications
  std::uint64_t min_replications = 2;
  std::uint64_t max_replications = 1000;
  /// True when n replications with this estimate suffice; max_replications is the caller's to keep.
  [[nodiscard]] bool satisfied(const Estimate& e, std::uint64_t n) const;
};

}  // namespace nowsim
