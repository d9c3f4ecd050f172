// What an estimate's interval owes to parameters that were measured, beside what it owes to its replications.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// The two parts of an estimate's variance, from replications of which each so many successive ones see one draw of the
/// parameters (measured_owner.hpp): a one-way analysis of variance of what they contribute.
struct FitVariance {
  double of_replications = 0;  ///< of the mean over draws and replications
  double of_fit = 0;           ///< between draws: where the truth may lie, however many replications there are

  [[nodiscard]] double all() const { return of_replications + of_fit; }
  /// The fit's share of it.
  [[nodiscard]] double share_of_fit() const { return all() > 0 ? of_fit / all() : 0; }
};

/// Of an estimate whose contributions are known. Nothing where there are fewer than two draws, it is a quantile, or
/// parameters are known (Influence::per_fit()). Where entries are as long as draws, all is taken to be between draws.
std::optional<FitVariance> fit_variance(const Estimate& e);

/// Where an estimate has the fit's part: a mean's interval is to hold for the parameters' true values; what is of the law
/// of a quantity as far as that is known (its spread, its quantiles, the chance to exceed something) has the draws in its
/// value, so that its interval is of the replications alone.
enum class FitPart { in_interval, in_value };

/// The estimate, its replications in draws of so many. Its interval is as many times as wide as the standard error is
/// longer, on the scale of logarithms for what is positive. A proportion and a quantile have the fit's part in their
/// values; their intervals are as of the number of independent replications that would have their variance. Exact
/// estimates, and those whose contributions are not known, stay as they are.
/// @param makespans of the same draws, whose correlation within a draw tells how little a proportion of zeros says
/// where the draws differ much; may be unknown.
Estimate with_fits(const Estimate& e, std::uint64_t per_fit, FitPart part, const Estimate& makespans,
                   const Confidence& confidence);

/// A difference, which may have either sign, of estimates that are with_fits(), with an interval that holds for the
/// parameters' true values; as it is where parameters are known.
Estimate difference_with_fits(const Estimate& difference);

}  // namespace nowsim
