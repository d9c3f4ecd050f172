// Sizes of messages that look drawn and are the same in every program: of an exchange's k-th.
#pragma once

#include <cmath>

namespace nowsim::bench {

/// Whole bytes between `bytes` and `1 + spread` times that.
inline double message_bytes(double bytes, double spread, double k) {
  constexpr double kGolden = 0.6180339887498949;
  const double place = kGolden * (k + 1);
  return std::floor(bytes * (1 + spread * (place - std::floor(place))));
}

}  // namespace nowsim::bench
