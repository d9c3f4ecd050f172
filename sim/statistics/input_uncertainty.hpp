// Input uncertainty: what an estimate's interval owes to parameters that were measured, beside what it owes to its
// replications.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/statistics/influence.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// The two parts of an estimate's variance, from replications of which each so many successive ones see one draw of the
/// parameters (measured_owner.hpp): a one-way analysis of variance of what they contribute.
struct FitVariance {
  double of_replications = 0;  ///< of the mean over draws and replications
  double of_fit = 0;           ///< between draws: where the truth may lie, however many replications there are
  double lean = 0;  ///< how much too high errors make the estimate at least, which its interval allows for; where known

  [[nodiscard]] double all() const { return of_replications + of_fit; }
  [[nodiscard]] double share_of_fit() const { return all() > 0 ? of_fit / all() : 0; }
};

/// Of an estimate whose contributions are known; the fit's part by steps, where there are any. Nothing where there are
/// fewer than two draws, nothing but rounding varies, it is a quantile, or parameters are known (Influence::per_fit).
/// Where entries are as long as draws, or there are few of these, all is taken to be between draws.
std::optional<FitVariance> fit_variance(const Estimate& e);

/// The estimate, its replications in draws of so many. FitPart::in_interval: what replications that were run again a
/// step of the parameters away say of the fit's part (FitSteps::pull()), with Student's quantile, and the replications'
/// part beside it; about the value without its lean, of positive ones on the scale of logarithms. Where none were run
/// again (metrics of one's own, fewer than 64 replications), and where that is more than half of a positive estimate,
/// each end is as far away as the quantiles of what the draws make of the estimate, brought together by what varies
/// within a draw: that is known to little more than its order where a draw varies more within than between.
/// FitPart::in_value, proportions and quantiles: an interval of the replications alone, with draws as units. Never
/// narrower than it was. With a single draw the ends are not known. Exact estimates, and those whose contributions are
/// not known, stay as they are.
/// @param is_positive whatever the replications were: then the lower end is above 0.
/// @param makespans of the same draws, whose correlation within a draw tells how little a proportion of zeros says
/// where the draws differ much; may be unknown.
Estimate with_fits(const Estimate& e, std::uint64_t per_fit, FitPart part, bool is_positive, const Estimate& makespans,
                   const Confidence& confidence);

/// The same of what was combined from estimates that are with_fits(), differences and ratios; as it is where parameters
/// are known.
Estimate combined_with_fits(const Estimate& e, const Confidence& confidence);

}  // namespace nowsim
