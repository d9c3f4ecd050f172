// The quantiles come from the density itself.
#include "sim/statistics/standard_normal.hpp"

#include "sim/base/infinity.hpp"
#include "sim/statistics/log_concave_quantile.hpp"

namespace nowsim {

TailQuantiles standard_normal_quantiles() {
  return log_concave_quantiles({[](double z) { return -0.5 * z * z; }, -kInfinity, kInfinity, 0, 1},
                               [](double z) { return z; });
}

const std::shared_ptr<const QuantileTable>& standard_normal_table() {
  static const auto table = std::make_shared<const QuantileTable>(standard_normal_quantiles, 1);
  return table;
}

}  // namespace nowsim
