// Joint moments of both, unit by unit.
#include "sim/statistics/paired_ratio.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "sim/statistics/sample.hpp"

namespace nowsim {

Estimate paired_ratio_estimate(std::span<const double> numerator, std::span<const double> denominator, std::size_t unit,
                               const Confidence& confidence) {
  const auto mean = [unit](std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(unit);
  };
  JointMoments both(2);
  for (std::size_t k = 0; k + unit <= std::min(numerator.size(), denominator.size()); k += unit)
    both.add(std::array{mean(numerator.subspan(k, unit)), mean(denominator.subspan(k, unit))});
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (both.count() == 0) return {kNaN, kNaN, kNaN};
  const double ratio = both.mean(0) / both.mean(1), h = ratio_half_width(both, ratio, confidence);
  return {ratio, ratio - h, ratio + h};
}

}  // namespace nowsim
