// A law's quantile function, computed once per law.
#pragma once

#include <functional>
#include <utility>

namespace nowsim {

/// The quantile function of one law.
class QuantileTable {
 public:
  explicit QuantileTable(std::function<double(double u)> quantile) : quantile_(std::move(quantile)) {}
  /// At u in [0, 1), or where mirrored at 1 - u - 2^-53.
  [[nodiscard]] double quantile(double u, bool mirrored) const { return quantile_(mirrored ? 1 - 0x1.0p-53 - u : u); }

 private:
  std::function<double(double)> quantile_;
};

}  // namespace nowsim
