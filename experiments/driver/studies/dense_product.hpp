// What a machine's speed is measured by: products of dense matrices in double precision.
#pragma once

#include <cstddef>
#include <vector>

namespace nowsim {

/// C += A·B for matrices of 128 x 128, whose rows a core's second-level cache holds: for each element of C 128 products
/// and as many sums. The loops are plain C++, which the compiler turns into vector operations of its least common
/// processor (of x86-64: SSE2, two numbers at once; no fused multiply-add).
class DenseProduct {
 public:
  static constexpr std::size_t kOrder = 128;
  static constexpr double kFlop = 2.0 * kOrder * kOrder * kOrder;  ///< of one product: sums and products alike

  DenseProduct();
  /// Computes one more. @returns kFlop.
  double run();
  /// An element's sum of all products so far.
  [[nodiscard]] double element(std::size_t row, std::size_t column) const { return c_[row * kOrder + column]; }

 private:
  std::vector<double> a_, b_, c_;
};

}  // namespace nowsim
