// Logarithms, exponentials, powers and the cosine, from the parts in portable-inl.hpp; the complementary error function
// and its inverse, by rational functions.
#include "sim/statistics/portable.hpp"

#include <cmath>
#include <limits>

#include "sim/base/infinity.hpp"
#include "sim/statistics/portable_scalar.hpp"

namespace nowsim::portable {
namespace {

using namespace scalar;
constexpr double kLeastNormal = std::numeric_limits<double>::min();
constexpr double kLog2e = 1.4426950408889634;

bool is_normal(double x) { return x >= kLeastNormal && x < kInfinity; }

/// The logarithm of what has no parts: 0, infinity, negative numbers, NaN.
bool has_parts(double x) { return x > 0 && x < kInfinity; }
double log_without_parts(double x) {
  if (x == 0) return -kInfinity;
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

// ---- the complementary error function ------------------------------------------------------------------------------

namespace {

/// A rational function around a number that it stays near, so that rounding inside it hardly counts.
template <std::size_t n>
struct Ratio {
  double centre, above[n], below[n];
  [[nodiscard]] double operator()(double x) const { return centre + polynomial(above, x) / polynomial(below, x); }
};

// Interpolated at Chebyshev's nodes; all relative errors are below 1.3e-17.

/// erf(x)/x - 1 of x², |x| <= 1/2.
constexpr double kErf[] = {0.1283791670955126,     -0.3761263890318375,     0.11283791670954871,
                           -0.02686617064500042,   0.005223977622031297,    -0.0008548326512383844,
                           0.00012055286314598364, -1.4923007821630206e-05, 1.6371329419560208e-06,
                           -1.462175769096743e-07};
/// (1 + 2x)·exp(x²)·erfc(x), x in [1/2, 3].
constexpr Ratio<9> kMiddle{
    1.25,
    {-0.2499999999542688, 0.1557194675054109, 0.3070606583230662, 0.1752131269264535, 0.03739252562822399,
     -0.005809102803842827, -0.005505997548087591, -0.0013545205470756865, -0.0001337262224422865},
    {1.0, 2.8636054585134403, 3.728636753941808, 2.8945260455221047, 1.4723666850201726, 0.5056879755107201,
     0.1154962125492785, 0.016237957249140414, 0.00109953230427186}};
/// x·exp(x²)·erfc(x) of 1/x², x in [3, 28].
constexpr Ratio<8> kFar{0.5625,
                        {0.0016895835477562847, -0.2229600520012168, -8.690323676189527, -108.56272904005185,
                         -586.6153883239981, -1397.4966136357345, -1284.621578490473, -299.1282952324818},
                        {1.0, 34.99959493047118, 449.6596698288512, 2682.3013269518956, 7753.323840190254,
                         10316.846682388756, 5370.074855641991, 708.0323792857592}};
constexpr double kVanishes = 28;  ///< erfc(28) = 6e-343

double scaled_erfc(double x) { return x < 3 ? kMiddle(x) / (1 + 2 * x) : kFar(1 / (x * x)) / x; }

/// exp(-x²), with what x² loses to rounding.
double gaussian(double x) {
  const Pair square = product(x, x);
  Exponent parts = exponent(-square.high);
  parts.low += square.low;
  return exp_of(parts);
}

double upper_erfc(double x) { return x > kVanishes ? 0 : gaussian(x) * scaled_erfc(x); }

double middle_erfc(double x) {
  const double rest = x * polynomial(kErf, x * x);
  return x < 0.25 ? 1 - (x + rest) : 0.5 - ((x - 0.5) + rest);
}

/// The inverse of erf at w over w, of 1/4 - w², |w| <= 1/2.
constexpr Ratio<6> kInverseMiddle{
    0.90625,
    {0.04762255240893975, -0.1617200144964666, -0.6280827815556549, -0.5764103719783451, -0.17651794156538733,
     -0.013303087826582575},
    {1.0, 3.2695542501061787, 3.806625013345038, 1.8833343173397874, 0.36430116413453295, 0.018363704168219377}};

/// erfc_inv(y)/s with s = sqrt(-log(y)), of s - from: s in [0.8325, 2], [2, 7] and [7, 27.4].
struct InverseTail {
  double up_to, from;
  Ratio<9> of;
};
constexpr InverseTail kInverseTails[] = {
    {2,
     0.75,
     {0.625,
      {-0.08913433087354122, 0.12879556988394059, 0.8933108511159267, 1.5750411642138065, 1.4132275671775496,
       0.7121524173136123, 0.18848747496445245, 0.02126618576252565, 0.0006445257662864442},
      {1.0, 3.855618897542854, 7.002098332272885, 7.510181030978346, 5.074183496030183, 2.1329962701759655,
       0.5142088136286356, 0.05673091971361375, 0.0017189851757818226}}},
    {7,
     0,
     {0.9375,
      {-0.2078787557884882, -0.36111286686496424, -0.525016850241442, -0.40374855733406323, -0.09694764167035069,
       0.016437682579854965, 0.007802391620316644, 0.0007032099712575167, 1.5263754200401946e-05},
      {0.2223657016898542, 0.5897358347247893, 1.1406574016106352, 1.348603215333986, 1.1788262714983746,
       0.5919017528511105, 0.13524486735114713, 0.011271695071164623, 0.000244140625}}},
    {28,
     0,
     {1.0,
      {-0.5654280700062556, -0.8048697037350336, -0.25903581957825633, -0.02740449742447364, -0.0010022053092243158,
       -1.0596011280864274e-05, -8.657627527001264e-09, 1.4893383190981548e-11, -2.5973725701764357e-14},
      {0.6331660440437138, 1.0964118907135416, 1.671109317599927, 0.9537636245861508, 0.19522366029113616,
       0.01514432217596591, 0.0004261619091943998, 3.3846399062636956e-06, 4.656612873077393e-10}}},
};

/// y in (0, 1/2].
double inverse_tail(double y) {
  const double s = std::sqrt(-log(y));
  const InverseTail* tail = kInverseTails;
  while (s > tail->up_to) ++tail;
  return s * tail->of(s - tail->from);
}

}  // namespace

double erfc(double x) {
  if (std::abs(x) < 0.5) return middle_erfc(x);
  return x < 0 ? 2 - upper_erfc(-x) : upper_erfc(x);
}

double erfc_inv(double y) {
  using Limits = std::numeric_limits<double>;
  if (!(y > 0 && y < 2)) return y == 0 || y == 2 ? (1 - y) * Limits::infinity() : Limits::quiet_NaN();
  const double w = 1 - y;  // exact where y >= 1/2
  if (std::abs(w) <= 0.5) return w * kInverseMiddle(0.25 - w * w);
  return w > 0 ? inverse_tail(y) : -inverse_tail(2 - y);
}

}  // namespace nowsim::portable
