// Counts in closed form, and list scheduling from the matrix's right edge.
#include "workloads/matrices/block_columns.hpp"

#include <algorithm>

#include "sim/base/infinity.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

double BlockColumns::rows(std::size_t block) const {
  return static_cast<double>(order_ - static_cast<std::int64_t>(block) * width_);
}

double BlockColumns::width(std::size_t block) const { return std::min(static_cast<double>(width_), rows(block)); }

double BlockColumns::elements() const {
  const auto n = static_cast<double>(order_);
  return n * (n + 1) / 2;
}

double BlockColumns::elements(std::size_t block) const {
  const double m = rows(block), b = width(block);
  return b * m - b * (b - 1) / 2;
}

double BlockColumns::panel_flop(std::size_t block) const {
  const double m = rows(block), b = width(block);  // the sum of (2l - 1)(m - l + 1) for l = 1 .. b
  return (m + 1) * b * b - b * (b + 1) * (4 * b - 1) / 6;
}

double BlockColumns::update_flop(std::size_t block, double elements_right) const {
  return 2 * width(block) * elements_right;
}

double BlockColumns::flop() const {
  const auto n = static_cast<double>(order_);
  return n * (n + 1) * (2 * n + 1) / 6;
}

std::vector<int> deal_blocks(const BlockColumns& matrix, std::span<const double> shares) {
  std::vector<int> owner(matrix.count(), 0);
  std::vector<double> elements(shares.size(), 0);
  for (std::size_t k = matrix.count(); k-- > 0;) {
    double soonest = kInfinity;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double through = (elements[i] + matrix.elements(k)) / shares[i];
      if (!(shares[i] > 0) || through >= soonest) continue;
      soonest = through;
      owner[k] = static_cast<int>(i);
    }
    elements[index_of(owner[k])] += matrix.elements(k);
  }
  return owner;
}

}  // namespace nowsim
