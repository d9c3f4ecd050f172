// Draws of which random networks and programs are made.
#pragma once

#include <cmath>
#include <cstddef>

#include "sim/statistics/random.hpp"

namespace nowsim {

/// Numbers of one style: anywhere, or on a coarse grid, so that much happens at the same moment.
class RandomDraws {
 public:
  RandomDraws(const Stream& stream, bool on_grid) : stream_(stream), on_grid_(on_grid) {}
  /// 0 .. n - 1.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(stream_.uniform() * static_cast<double>(n)); }
  int rank(std::size_t n) { return static_cast<int>(below(n)); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  /// Between `least` and a hundred times as much: on the grid once, twice or four times `least`.
  double amount(double least) {
    const double u = stream_.uniform();
    return on_grid_ ? least * std::exp2(std::floor(3 * u)) : least * std::pow(100, u);
  }

 private:
  Stream stream_;
  bool on_grid_;
};

}  // namespace nowsim
