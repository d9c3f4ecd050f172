// The normal truncated at 0: standard normals Z > alpha, as sigma (Z - alpha).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/bracketed_root.hpp"
#include "sim/statistics/distribution.hpp"
#include "sim/statistics/law_requirements.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/tilted_normal.hpp"

namespace nowsim {
namespace {

/// E[Z - alpha] where Z > alpha.
double mean_excess(double alpha) {
  if (alpha > 10) {  // the hazard rate less alpha cancels; Laplace's continued fraction of it does not
    double fraction = 0;
    for (int k = 30; k >= 1; --k) fraction = k / (alpha + fraction);
    return fraction;
  }
  const double density = portable::exp(-0.5 * alpha * alpha) * (0.5 * std::numbers::inv_sqrtpi * std::numbers::sqrt2);
  return density / (0.5 * portable::erfc(alpha / std::numbers::sqrt2)) - alpha;
}

/// sd/mean of Z - alpha: from 0 far below to 1 far above. Var Z = 1 - h (h - alpha) with the hazard h.
double spread_of_excess(double alpha) {
  const double excess = mean_excess(alpha), variance = 1 - (alpha + excess) * excess;
  return std::sqrt(std::max(0.0, variance)) / excess;
}

/// The alpha of this sd/mean. Below, Z - alpha is normal with mean -alpha; above, sd/mean is about 1 - 1/alpha².
double truncation_for(double spread) {
  return falling_root([spread](double alpha) { return spread - spread_of_excess(alpha); }, -1 / spread - 1,
                      2 / std::sqrt(1 - spread), 48);
}

/// Closer than this (relatively) to the exponential, this stands for the normal.
constexpr double kMargin = 1e-10;

}  // namespace

DistributionPtr normal_above_zero(double mean, double sd) {
  require_positive(mean, "the mean of a normal truncated at 0");
  require_sd(sd, "the sd of a normal truncated at 0");
  const double spread = sd / mean;
  if (!(spread < 1))
    throw InfeasibleError("a normal truncated at 0 cannot have the standard deviation " + short_number(sd) +
                          " at the mean " + short_number(mean) + ": it must be below the mean");
  const LawFacts facts{mean, sd * sd, 0, kInfinity};
  if (spread > 1 - kMargin) return exponential(mean);
  if (spread <= kHardlyTruncated) return law_with(facts, normal(mean, sd)->transform());
  const auto exact = [spread] {  // in units of the mean
    const double alpha = truncation_for(spread), excess = mean_excess(alpha);
    return log_concave_quantiles(density({alpha * excess, excess * excess}, kInfinity), [](double x) { return x; });
  };
  return tabulated(facts, exact, spread, 0, mean);
}

}  // namespace nowsim
