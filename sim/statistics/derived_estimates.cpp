// The same arithmetic for the value and both ends.
#include "sim/statistics/derived_estimates.hpp"

#include <cmath>

namespace nowsim {

Estimate over_mean(double amount, const Estimate& mean) { return ratio_of_intervals(exactly(amount), mean); }

Estimate divided(const Estimate& e, double by) { return {e.value / by, e.low / by, e.high / by}; }

Estimate minus(const Estimate& e, double amount) { return {e.value - amount, e.low - amount, e.high - amount}; }

Estimate settled(const Estimate& e, double size) {
  const double least = kRoundingShare * size;
  if (!(std::abs(e.value) <= least) || std::abs(e.low) > least || std::abs(e.high) > least) return e;
  return std::isnan(e.low) ? Estimate{0, e.low, e.high} : exactly(0);
}

}  // namespace nowsim
