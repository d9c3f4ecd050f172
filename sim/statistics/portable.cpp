// Logarithms, exponentials, powers and the cosine, from the parts in portable-inl.hpp.
#include "sim/statistics/portable.hpp"

#include <cmath>
#include <limits>

#include "sim/statistics/portable_scalar.hpp"

namespace nowsim::portable {
namespace {

using namespace scalar;
constexpr double kInfinite = std::numeric_limits<double>::infinity(), kLeastNormal = std::numeric_limits<double>::min();
constexpr double kLog2e = 1.4426950408889634;

bool is_normal(double x) { return x >= kLeastNormal && x < kInfinite; }

/// The logarithm of what has no parts: 0, infinity, negative numbers, NaN.
bool has_parts(double x) { return x > 0 && x < kInfinite; }
double log_without_parts(double x) {
  if (x == 0) return -kInfinite;
  return x > 0 ? x : std::numeric_limits<double>::quiet_NaN();
}
/// Subnormal or not.
Scaled scaled_positive(double x) {
  if (x >= kLeastNormal) return scaled(x);
  const Scaled parts = scaled(x * 0x1p54);
  return {parts.exponent - 54, parts.fraction};
}
double log_of(const Scaled& parts, double correction) {
  return add_log1p(parts.exponent * kLn2High, parts.exponent * kLn2Low + correction, parts.fraction);
}

/// log(1 + f) to some 2^-65: 2s·(1 + z/3 + z²·T(z)) with s = f/(2 + f) and z = s², all but the last term in two parts.
Pair log1p_pair(double f) {
  constexpr double t[] = {0.2000000000000113,  0.14285714285049203, 0.11111111260054936, 0.09090892176106424,
                          0.07693378982700813, 0.06628401985782481, 0.06598224476066462};
  const Pair d = sum(2, f);
  const double s = f / d.high;
  const Pair back = product(s, d.high);
  const Pair twice{2 * s, 2 * (((f - back.high) - back.low - s * d.low) / d.high)};
  const Pair half{s, 0.5 * twice.low}, z = product(half, half);
  const Pair series =
      sum(product(z, {0.3333333333333333, 1.850371707708594e-17}), {z.high * z.high * polynomial(t, z.high), 0});
  return sum(twice, product(twice, series));
}

Pair log_pair(double x) {
  const Scaled parts = scaled_positive(x);
  return sum({parts.exponent * kLn2High, parts.exponent * kLn2Low}, log1p_pair(parts.fraction));
}

/// sin and cos of 2 pi t, t in [0, 1/8].
double sine(double t) {
  constexpr double c[] = {-41.34170224039976, 81.60524927607496,  -76.70585975300453, 42.05869393000288,
                          -15.09464049054026, 3.8197917963018715, -0.7116988368579312};
  const Pair turns = product(t, 6.283185307179586);
  const double z = t * t;
  return turns.high + (turns.low + t * (2.4492935982947064e-16 + z * polynomial(c, z)));
}
double cosine(double t) {
  constexpr double c[] = {-19.739208802178716, 64.93939402266801, -85.45681720654004, 60.24464133161,
                          -26.426251140279625, 7.903101631283736, -1.697019960998748};
  const double z = t * t;
  return 1 + z * polynomial(c, z);
}

}  // namespace

double log(double x) {
  if (is_normal(x)) return natural_log(x);
  return has_parts(x) ? log_of(scaled_positive(x), 0) : log_without_parts(x);
}

double log1p(double x) {
  if (x > -0.29 && x < 0.41) return add_log1p(0, 0, x);
  if (x >= 0x1p54 || !(x > -1)) return log(1 + x);
  const Pair one_more = sum(1, x);
  return log_of(scaled(one_more.high), one_more.low / one_more.high);
}

double log2(double x) {
  if (!has_parts(x)) return log_without_parts(x);
  const Scaled parts = scaled_positive(x);
  return parts.exponent + kLog2e * add_log1p(0, 0, parts.fraction);
}

double exp(double x) { return natural_exp(x); }

double expm1(double x) {
  if (x < -40) return -1;
  if (x > 38) return exp(x);
  const Exponent parts = exponent(x);
  const double scale = number_of(shift_left<52>(parts.power - 1023));  // 2^k
  const Pair first = sum(scale - 1, scale * parts.high);
  return first.high + (first.low + scale * beyond_first_order(parts));
}

double pow(double x, double y) {
  if (y == 1 || x == 1) return y == 1 ? x : 1;
  if (!has_parts(x)) return exp(y * log_without_parts(x));
  const Pair log_x = log_pair(x);
  const double rough = y * log_x.high;
  if (!(std::abs(rough) < 800)) return exp(rough);
  const Pair p = product(y, log_x.high);
  Exponent parts = exponent(p.high);
  parts.low -= p.low + y * log_x.low;
  return exp_of(parts);
}

double hypot(double x, double y) {
  const double a = std::abs(x), b = std::abs(y), most = a > b ? a : b;
  if (!(a >= 0 && b >= 0)) return a + b;
  if (most == 0 || std::isinf(most)) return most;
  const int power = std::ilogb(most);
  const double p = std::scalbn(a, -power), q = std::scalbn(b, -power);
  return std::scalbn(std::sqrt(p * p + q * q), power);
}

double cos_of_turns(double turns) {
  const double t = std::abs(turns), part = t - std::floor(t), mirrored = part > 0.5 ? 1 - part : part;
  const double sign = mirrored > 0.25 ? -1 : 1, acute = mirrored > 0.25 ? 0.5 - mirrored : mirrored;
  return sign * (acute > 0.125 ? sine(0.25 - acute) : cosine(acute));
}

}  // namespace nowsim::portable
