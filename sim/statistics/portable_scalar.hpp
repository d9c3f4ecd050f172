// What portable's functions are made of: those of portable-inl.hpp for one number, and sums and products in two parts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace nowsim::portable::scalar {

using Number = double;
using Word = std::uint64_t;
inline Number number(double x) { return x; }
inline Word word(std::uint64_t x) { return x; }
inline Word bits_of(Number x) { return std::bit_cast<Word>(x); }
inline Number number_of(Word bits) { return std::bit_cast<Number>(bits); }
template <int n>
Word shift_left(Word x) {
  return x << n;
}
template <int n>
Word shift_right(Word x) {
  return x >> n;
}
inline Number select_if_less(Number a, Number b, Number x, Number y) { return a < b ? x : y; }

#include "sim/statistics/portable-inl.hpp"

/// The sum c[k]·x^k.
template <std::size_t n>
double polynomial(const double (&c)[n], double x) {
  double sum = c[n - 1];
  for (std::size_t k = n - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

/// A number as the exact sum of two (Dekker, Numerische Mathematik 18, 1971; Knuth, TAOCP 2, 4.2.2).
struct Pair {
  double high, low;
};
inline Pair sum(double a, double b) {
  const double s = a + b, of_b = s - a;
  return {s, (a - (s - of_b)) + (b - of_b)};
}
inline Pair split(double a) {
  const double wide = a * (0x1p27 + 1), high = wide - (wide - a);
  return {high, a - high};
}
/// Factors below 2^990.
inline Pair product(double a, double b) {
  const double p = a * b;
  const Pair x = split(a), y = split(b);
  return {p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}
/// Of such pairs, to some 2^-100 of the greater.
inline Pair product(const Pair& a, const Pair& b) {
  const Pair p = product(a.high, b.high);
  return {p.high, p.low + (a.high * b.low + a.low * b.high)};
}
inline Pair sum(const Pair& a, const Pair& b) {
  const Pair s = sum(a.high, b.high);
  return sum(s.high, s.low + (a.low + b.low));
}

}  // namespace nowsim::portable::scalar
