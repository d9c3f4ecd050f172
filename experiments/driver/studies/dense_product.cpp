// Rows of B are added to a row of C, so that the inner loop walks along both.
#include "experiments/driver/studies/machine_measurement.hpp"

namespace nowsim {

/// A(i, k) = i + 1, B(k, j) = 1/(k + 1)/(j + 1): sums that a test can tell, and that stay finite.
DenseProduct::DenseProduct() : a_(kOrder * kOrder), b_(a_.size()), c_(a_.size()) {
  for (std::size_t i = 0; i < kOrder; ++i)
    for (std::size_t k = 0; k < kOrder; ++k) {
      a_[i * kOrder + k] = static_cast<double>(i + 1);
      b_[i * kOrder + k] = 1 / static_cast<double>((i + 1) * (k + 1));
    }
}

double DenseProduct::run() {
  for (std::size_t i = 0; i < kOrder; ++i) {
    double* const row = &c_[i * kOrder];
    for (std::size_t k = 0; k < kOrder; ++k) {
      const double factor = a_[i * kOrder + k];
      const double* const other = &b_[k * kOrder];
      for (std::size_t j = 0; j < kOrder; ++j) row[j] += factor * other[j];
    }
  }
  return kFlop;
}

}  // namespace nowsim
