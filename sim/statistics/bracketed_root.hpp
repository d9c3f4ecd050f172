// The zero of a function between two points, and the end of a condition, found in the same steps everywhere.
#pragma once

#include <algorithm>
#include <cmath>

namespace nowsim {

/// The zero of a decreasing function on low..high, to 2^-bits of itself (high > low; either may be 0 or negative); the
/// nearer end where rounding hides the change of sign. Chandrupatla (Advances in Engineering Software 28(3), 1997):
/// inverse quadratic interpolation where it is safe, bisection elsewhere.
template <class F>
double falling_root(F f, double low, double high, int bits = 51) {
  double a = high, b = low, at_a = f(high), at_b = f(low);
  if (!(at_b > 0)) return low;
  if (!(at_a < 0)) return high;
  double part = 0.5;
  for (int i = 0; i < 200; ++i) {
    const double x = a + part * (b - a), at_x = f(x);
    const bool like_a = (at_x < 0) == (at_a < 0);
    const double c = like_a ? a : b, at_c = like_a ? at_a : at_b;  // what is replaced
    if (!like_a) b = a, at_b = at_a;
    a = x, at_a = at_x;
    const double nearest = std::abs(at_a) < std::abs(at_b) ? a : b;
    const double least = std::ldexp(std::abs(nearest), -bits) / std::abs(b - a);
    if (!(least < 0.5) || at_a == 0) return nearest;
    const double place = (a - b) / (c - b), height = (at_a - at_b) / (at_c - at_b);
    const bool is_safe = height * height < place && (1 - height) * (1 - height) < 1 - place;
    part = is_safe ? at_a / (at_b - at_a) * (at_c / (at_b - at_c)) +
                         (c - a) / (b - a) * (at_a / (at_c - at_a)) * (at_b / (at_c - at_b))
                   : 0.5;
    part = std::clamp(part, least, 1 - least);
  }
  return std::abs(at_a) < std::abs(at_b) ? a : b;
}

/// Where a condition that holds at `low` and not at `high` ceases to hold: halved until both are close enough, or no
/// number is between them.
template <class Condition, class Closeness>
double bisected(double low, double high, Condition holds, Closeness are_close) {
  double middle = 0.5 * (low + high);
  for (; !are_close(low, high) && middle > low && middle < high; middle = 0.5 * (low + high))
    (holds(middle) ? low : high) = middle;
  return middle;
}

}  // namespace nowsim
