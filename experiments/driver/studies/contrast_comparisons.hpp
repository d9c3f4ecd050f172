// The values of one cell compared: each with one of them, or with whichever is best, all holding together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiments/driver/claims/contrast.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// Of each value, what it is more than another, with intervals that hold together.
struct Differences {
  std::vector<Estimate> of;       ///< in the metric's unit
  std::vector<Estimate> percent;  ///< of the other; not known where that is not above 0. They hold together likewise
};

/// From one of the values, which itself differs by exactly 0. The level of each is what all of them need whatever their
/// correlation is (multiple_comparisons.hpp), or Bonferroni's where contributions are not known.
Differences differences_from(std::span<const MeasuredPoint> values, std::size_t from, double confidence);

/// From the best, which nobody knows: the intervals are those that differences_from() each value give that is not
/// surely worse than another, joined, and cut at 0, beyond which nothing can be better than the best (Edwards & Hsu,
/// JASA 78, 1983). They hold together since those from the true best do. So an interval at 0 alone is the best's; one
/// off 0 is of a worse value; the others' may be best. `better` is not unknown; values are in any order.
Differences differences_from_best(std::span<const MeasuredPoint> values, Better better, double confidence);

}  // namespace nowsim
