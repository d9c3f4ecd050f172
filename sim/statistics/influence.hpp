// What each replication contributes to an estimate, so that estimates made of the same replications can be compared;
// the intervals of such contrasts; estimates made of others, by arithmetic with known numbers and of means observed
// together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/statistics/sample.hpp"

namespace nowsim {

/// The interval of an estimate to which independent entries contribute: estimate - truth is about the sum of the
/// contributions, which themselves add up to 0. Any linear contrast of estimates has such contributions, those of its
/// parts added entry by entry. Student's, its two halves lengthened or shortened by the contributions' skewness and
/// kurtosis, so that it holds for standard deviations as for means. NaN ends for less than one degree of freedom.
/// @param freedom degrees of freedom of the sum of squares: entries less 1, or of those of the least observed part.
Estimate contrast_interval(double value, std::span<const double> contributions, double freedom,
                           const Confidence& confidence);

/// The interval of a ratio, or of anything else that is not 0, from what entries contribute to its logarithm: of a/b what
/// they contribute to a, over a, less what they contribute to b, over b. Its ends have the value's sign.
Estimate ratio_interval(double value, std::span<const double> of_logarithm, double freedom,
                        const Confidence& confidence);

/// Two estimates, their variances and their covariance.
struct RatioParts {
  double numerator = 0, denominator = 0;
  double of_numerator = 0, of_denominator = 0, covariance = 0;
};

/// numerator/denominator and all ratios r for which numerator - r·denominator is at most `t` standard errors from 0:
/// Fieller (J. Roy. Stat. Soc. B 16, 1954). Both ends are infinite where the denominator is not apart from 0: then these
/// ratios are no interval. NaN ends where a variance is not known.
Estimate fieller_interval(const RatioParts& parts, double t);

/// Where an estimate has what is not known of measured parameters (input_uncertainty.hpp): a mean's interval is to hold
/// for their true values; what is of the law of a quantity as far as that is known (its spread, its quantiles, the chance to
/// exceed something) has it in its value, so that its interval is of the replications alone.
enum class FitPart { in_interval, in_value };

/// An estimate is off by nearly sum_k d_k, d_k the contribution of the replications of entry k: of a mean (x_k - mean)/n;
/// of a function of means the same of its linear part there, which is the delta method's (the infinitesimal jackknife:
/// Efron, The Jackknife, the Bootstrap and Other Resampling Plans, 1982, ch. 6). Whatever is linear in estimates, near
/// their values, has the sum of their contributions; its variance is sum d_k².
struct Influence {
  /// What the values are of: a proportion's are zeros and ones; a quantile's have no linear part that is known without
  /// a density, so that contributions of it cannot be asked for.
  enum class Of { linear, proportion, quantile };

  /// As they were observed, one per entry; zeros and ones of a proportion where entries are single replications.
  Observations::Column values;
  std::uint64_t span, replications;  ///< of an entry, of all
  /// d_k = factor·(value_k - centre)·(replications of entry k)/(all replications). Of a quantile the share is the factor.
  double centre, factor = 1;
  Of of = Of::linear;
  double most_freedom = -1;  ///< below 0: as many as entries give
  /// So many successive replications see the same draw of parameters that were measured (measured_owner.hpp), the next
  /// ones another; 0: parameters are known.
  std::uint64_t per_fit = 0;
  FitPart fit_part = FitPart::in_interval;
  std::shared_ptr<const FitSteps> steps = nullptr;  ///< of measured parameters; null where that was not looked at

  [[nodiscard]] bool is_linear() const { return of != Of::quantile; }
  /// The contributions with entries of so many replications, a multiple of the span. Linear ones only.
  [[nodiscard]] std::vector<double> contributions(std::uint64_t in_entry) const;
  /// Degrees of freedom of the variance: entries less 1, or fewer.
  [[nodiscard]] double freedom() const;
  /// Linear ones only.
  [[nodiscard]] Influence times(double by) const;
  [[nodiscard]] Influence with_freedom(double most) const;
  [[nodiscard]] Influence seeing(std::uint64_t replications_per_fit, FitPart part) const;
};
Influence of_contributions(const std::vector<double>& contributions, std::uint64_t span, std::uint64_t replications,
                           double freedom);

/// Of a proportion the zeros and ones of the replications; of those in one entry the ones come first.
std::vector<double> zeros_and_ones(const Influence& proportion);

Estimate with_influence(Estimate e, Influence influence);

/// Whether its value has no error: an interval of width 0, and no replications that could move it.
inline bool is_exact(const Estimate& e) { return !e.influence && e.low == e.high; }
/// Whether its contributions are known, or it is exact: it can be combined with others of the same replications.
inline bool can_be_paired(const Estimate& e) { return is_exact(e) || (e.influence && e.influence->is_linear()); }

/// sum a_k·b_k over the entries that both have.
double common_products(std::span<const double> a, std::span<const double> b);

struct JointContributions {
  std::uint64_t span = 1;
  std::vector<std::vector<double>> of_each;  ///< empty for exact ones; shorter for estimates of fewer replications
  double freedom = 0;                        ///< the least of any estimate's that varies; infinite where none does
  /// Unbiased, of the estimates i and j: whatever their correlation is.
  [[nodiscard]] double covariance(std::size_t i, std::size_t j) const;
};
/// All of which can_be_paired().
JointContributions joint_contributions(std::span<const Estimate* const> estimates);

struct LinearTerm {
  double coefficient;
  const Estimate* estimate;
};
/// constant + sum of coefficient·estimate, all of which can_be_paired(), with contrast_interval() of the contributions'
/// sum: whatever the estimates' correlation is. Of estimates with unequal numbers of replications the common ones pair,
/// and the rest counts as far as it narrows the interval: the value may then be another than that of the values.
Estimate linear_combination(std::span<const LinearTerm> terms, double constant, const Confidence& confidence);
Estimate paired_difference(const Estimate& a, const Estimate& b, const Confidence& confidence);

/// a/b, both of which can_be_paired(), with an interval that counts their correlation: ratio_interval(), or where one of
/// them is near 0 beside its own interval fieller_interval() (influence.hpp).
Estimate paired_ratio(const Estimate& a, const Estimate& b, const Confidence& confidence);

Estimate over_mean(double amount, const Estimate& mean);
Estimate divided(const Estimate& e, double by);
Estimate minus(const Estimate& e, double amount);

/// A difference of quantities of this size that is nothing but rounding is 0; its ends stay where they are not known.
Estimate settled(const Estimate& difference, double size);

/// The mean of sum_i factor[i]·x_i over the variables of `m` (missing factors are 0), Student's interval. NaN without
/// observations; where only means are known (JointMoments::of_means) the interval's ends are NaN.
Estimate combined_mean(const JointMoments& m, std::span<const double> factor, const Confidence& confidence);

/// The ratio of two such means by the delta method: with the variance of numerator - value·denominator, and Student's t
/// (Cochran, Sampling Techniques, 1977, 6.3).
Estimate combined_ratio(const JointMoments& m, std::span<const double> numerator, std::span<const double> denominator,
                        const Confidence& confidence);

/// numerator/denominator of two estimates, each made at any confidence: paired_ratio() (influence.hpp) where both can be,
/// else from both intervals at a confidence at which they hold together, for any correlation.
using EstimateAt = std::function<Estimate(const Confidence&)>;
Estimate ratio_estimate(const EstimateAt& numerator, const EstimateAt& denominator, const Confidence& confidence);
Estimate ratio_estimate(const Sample& numerator, const Sample& denominator, const Confidence& confidence);

}  // namespace nowsim
