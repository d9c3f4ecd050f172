// Widening ranges, linear or of logarithms.
#include "experiments/driver/pictures/y_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nowsim {
namespace {

constexpr double kMargin = 0.04;  // of the range

}  // namespace

YRange::YRange() : least(std::numeric_limits<double>::infinity()), most(-least) {}

void YRange::add(double y, bool log) {
  if (!std::isfinite(y) || (log && y <= 0)) return;
  least = std::min(least, y);
  most = std::max(most, y);
}

void YRange::add(const YRange& other) {
  least = std::min(least, other.least);
  most = std::max(most, other.most);
}

YRange YRange::with_margin(bool log) const {
  YRange out = *this;
  if (log) {
    const double factor = most > least ? std::pow(most / least, kMargin) : 2;
    out.least /= factor;
    out.most *= factor;
    return out;
  }
  const double size = std::abs(most), margin = kMargin * (most > least ? most - least : size > 0 ? size : 1);
  out.least -= margin;
  out.most += margin;
  return out;
}

int YRange::power_of_ten() const {
  const double size = std::max(std::abs(least), std::abs(most));
  if (!std::isfinite(size) || size == 0 || (size >= 1e-3 && size < 1e6)) return 0;
  return 3 * static_cast<int>(std::floor(std::log10(size) / 3));
}

bool YRange::needs_powers() const { return (least < 1e-3 || most > 1e5) && most >= 100 * least; }

}  // namespace nowsim
