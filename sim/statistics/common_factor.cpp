// Weighing a common normal against one's own.
#include "sim/statistics/common_factor.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {

CommonFactor::CommonFactor(double weight)
    : weight_(weight), common_part_(std::sqrt(weight)), own_part_(std::sqrt(1 - weight)) {
  if (!(weight >= 0 && weight <= 1))
    throw InputError("a correlation between workstations must be in [0, 1], not " + short_number(weight));
}

double CommonFactor::normal(double u) {
  static const DistributionPtr standard = nowsim::normal(0, 1);
  return standard->quantile(u);
}

double CommonFactor::uniform(double common, double own) const {
  const double z = common_part_ * common + own_part_ * own;
  return std::min(0.5 * portable::erfc(-z / std::numbers::sqrt2), 1 - 0x1p-53);
}

}  // namespace nowsim
