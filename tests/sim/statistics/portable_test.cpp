// Elementary functions: their errors against long double over whole ranges, special values, and bits that may never
// change; beta's and Student's quantiles, and lengths, against Boost.Math in long double.
#include "sim/statistics/portable.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/statistics/random.hpp"

using namespace nowsim;
using boost::math::complement;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity(), kLeast = 0x1p-1074;
constexpr double kGreatest = std::numeric_limits<double>::max();

/// origin + x, with the bits of |x| even between those of two numbers of the same sign: as many in every binade.
struct Reach {
  double from, to, origin = 0;
  [[nodiscard]] double at(double u) const {
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(std::abs(x)); };
    const std::uint64_t low = bits(from), high = bits(to);
    const auto way = static_cast<std::uint64_t>(u * static_cast<double>(high - low));  // a little too far at times
    return origin + std::copysign(std::bit_cast<double>(std::min(low + way, high)), from);
  }
};

/// Calls f for 20000 points of every reach, the same on every machine.
template <class F>
void for_points(const std::vector<Reach>& reaches, F f) {
  for (const Reach& reach : reaches) {
    Stream random({19, 0, 0, Purpose::workload});
    for (int i = 0; i < 20000; ++i) f(reach.at(random.uniform()));
    f(reach.at(0));
    f(reach.at(1));
  }
}

/// The distance of a number from the truth in units of the latter's last place.
double ulps(double x, long double truth) {
  const double rounded = static_cast<double>(truth);
  if (x == rounded || !std::isfinite(rounded)) return x == rounded ? 0 : kInfinite;
  const int exponent = std::max(std::ilogb(rounded == 0 ? kLeast : rounded), -1022);
  return static_cast<double>(std::abs(x - truth) / std::ldexp(1.0L, exponent - 52));
}

long double inverse_of_erfc(long double y) {
  return std::abs(1 - y) < 0.5L ? boost::math::erf_inv(1 - y)
         : y < 1                ? boost::math::erfc_inv(y)
                                : -boost::math::erfc_inv(2 - y);
}

long double cos_of_turns(long double t) {
  constexpr long double two_pi = 6.283185307179586476925286766559005768L;
  t = std::abs(t) - std::floor(std::abs(t));
  if (t > 0.5L) t = 1 - t;
  return t < 0.125L   ? std::cos(two_pi * t)
         : t < 0.375L ? std::sin(two_pi * (0.25L - t))
                      : -std::cos(two_pi * (0.5L - t));
}

/// Of the bits of numbers, in turn.
constexpr std::uint64_t kNoBits = 0xcbf29ce484222325;
std::uint64_t hash_of(std::uint64_t hash, double x) { return (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3; }

/// One function: its error as portable.hpp states it, where it is tested, and a hash of what it gives there.
struct Function {
  const char* name;
  double (*ours)(double);
  long double (*exact)(long double);
  double ulps;
  std::uint64_t bits;
  std::vector<Reach> reaches;
};

const std::vector<Function>& functions() {
  static const std::vector<Function> all{
      {"log",
       portable::log,
       [](long double x) { return std::log(x); },
       0.9,
       0x6e72264cced823b6,
       {{kLeast, kGreatest}, {0.5, 2}, {1e-17, 1, 1}, {-1e-17, -0.99, 1}, {0x1p-53, 1}}},
      {"log1p",
       portable::log1p,
       [](long double x) { return std::log1p(x); },
       0.9,
       0x076f644fc3f02e88,
       {{kLeast, kGreatest}, {-kLeast, -0.99}, {0.01, 4}, {-0.01, -0.99}, {0x1p-53, 0.5, -1}}},
      {"log2",
       portable::log2,
       [](long double x) { return std::log2(x); },
       1.8,
       0x7d1848499f40dfa6,
       {{kLeast, kGreatest}, {0.5, 2}, {1e-17, 1, 1}, {-1e-17, -0.99, 1}}},
      {"exp",
       portable::exp,
       [](long double x) { return std::exp(x); },
       1,
       0xac6ea2dce2dd11ef,
       {{1e-20, 709.78}, {-1e-20, -745.2}, {0.1, 709.78}, {-0.1, -745.2}, {-708, -745.2}, {0.1, 2}, {-0.1, -2}}},
      {"expm1",
       portable::expm1,
       [](long double x) { return std::expm1(x); },
       1.3,
       0x78b7c9236b7f602f,
       {{kLeast, 709.78}, {-kLeast, -745}, {0.01, 60}, {-0.01, -60}, {0.1, 2}, {-0.1, -2}}},
      {"erfc, x < 1/2",
       portable::erfc,
       [](long double x) { return std::erfc(x); },
       1.2,
       0xa6f62ed69d73fb03,
       {{kLeast, 0.49}, {-kLeast, -40}, {0.01, 0.49}, {-0.01, -7}}},
      {"erfc, x > 1/2",
       portable::erfc,
       [](long double x) { return std::erfc(x); },
       3.8,
       0x2d0707b2e995b8de,
       {{0.5, 28}, {0.5, 3}, {26, 27.5}}},
      {"erfc_inv",
       portable::erfc_inv,
       inverse_of_erfc,
       3,
       0xf828a0a939a53284,
       {{kLeast, 0.5}, {0.001, 1}, {-0x1p-52, -0.5, 2}, {-0.5, -1, 2}, {1e-17, 0.5, 1}, {-1e-17, -0.5, 1}}},
      {"cos_of_turns",
       portable::cos_of_turns,
       cos_of_turns,
       1.3,
       0x2aeb719aa81ae4e4,
       {{kLeast, kGreatest}, {-0.01, -10}, {0.01, 1}, {100, 0x1p53}, {1e-17, 0.1, 0.25}, {-1e-17, -0.1, 0.75}}},
  };
  return all;
}

using Beta = boost::math::beta_distribution<long double>;
using Student = boost::math::students_t_distribution<long double>;

bool is_near(double x, long double truth) { return std::abs(x - truth) <= 5e-13L * std::abs(truth); }

}  // namespace

TEST_CASE("elementary functions err no more than they state, and never change", "[computes][portable]") {
  for (const Function& f : functions()) {
    double worst = 0, at = 0;
    std::uint64_t hash = kNoBits;
    for_points(f.reaches, [&](double x) {
      const double value = f.ours(x), error = ulps(value, f.exact(x));
      hash = hash_of(hash, value);
      if (!(error <= worst)) worst = error, at = x;
    });
    INFO(f.name << " at " << at);
    CHECK(worst <= f.ulps);
    CHECK(worst > 0.5);  // or nothing was measured
    CHECK(hash == f.bits);
  }
}

TEST_CASE("powers err no more than they state, and never change", "[portable]") {
  double worst = 0, worst_x = 0, worst_y = 0;
  std::uint64_t hash = kNoBits;
  const auto check = [&](double x, double y) {
    const double power = portable::pow(x, y);
    hash = hash_of(hash, power);
    const double error = std::abs(power) < 0x1p-1022 ? 0 : ulps(power, std::pow(static_cast<long double>(x), y));
    if (!(error <= worst)) worst = error, worst_x = x, worst_y = y;
  };
  for (const double sign : {-1, 1}) {
    for (const double y : {1e-5, 0.1, 1.0 / 3, 0.5, 1.0, 1.1, 2.0, 3.0, 10.0, 37.5})
      for_points({{0x1p-27, 0x1p27}, {0.5, 2}}, [&](double x) { check(x, sign * y); });
    for_points({{0.1, 2000}}, [&](double y) { check(1.41, sign * y); });
    for_points({{0.1, 1e6}}, [&](double y) { check(1 + 0x1p-11, sign * y); });
    for_points({{0.1, 1e16}}, [&](double y) { check(1 + 0x1p-47, sign * y); });
    for_points({{kLeast, kGreatest}}, [&](double x) { check(x, sign); });
  }
  INFO(worst_x << "^" << worst_y);
  CHECK(worst <= 1.5);
  CHECK(hash == 0x804ebeb73c55fc57);
}

TEST_CASE("elementary functions know zero, infinity and what is exact", "[portable]") {
  struct Known {
    double (*of)(double);
    double x, value;
  };
  for (const auto& [of, x, value] :
       {Known{portable::log, 1, 0}, {portable::log, 0, -kInfinite}, {portable::log, kInfinite, kInfinite},
        {portable::log1p, -1, -kInfinite}, {portable::log1p, kInfinite, kInfinite}, {portable::exp, 0, 1},
        {portable::exp, -kInfinite, 0}, {portable::exp, -745.14, 0}, {portable::exp, -745.13, kLeast},
        {portable::exp, 709.79, kInfinite}, {portable::expm1, 0, 0}, {portable::expm1, -kInfinite, -1},
        {portable::expm1, kInfinite, kInfinite}, {portable::erfc, 0, 1}, {portable::erfc, -kInfinite, 2},
        {portable::erfc, kInfinite, 0}, {portable::erfc_inv, 0, kInfinite}, {portable::erfc_inv, 1, 0},
        {portable::erfc_inv, 2, -kInfinite}}) {
    INFO(x << ", " << value);
    CHECK(of(x) == value);
  }
  CHECK(std::isnan(portable::log(-1)));
  CHECK(std::isnan(portable::log1p(-1.5)));
  CHECK(std::isnan(portable::erfc_inv(-0.5)));
  for (auto* f : {portable::log, portable::log1p, portable::log2, portable::exp, portable::expm1, portable::erfc,
                  portable::erfc_inv, portable::cos_of_turns})
    CHECK(std::isnan(f(std::numeric_limits<double>::quiet_NaN())));

  for (int k = -1074; k < 1024; ++k) {
    const double power = std::ldexp(1.0, k);
    REQUIRE(portable::log2(power) == k);
    REQUIRE(portable::pow(2, k) == power);
    REQUIRE(portable::pow(power, 1) == power);
  }
  CHECK(portable::pow(0, 2) == 0);
  CHECK(portable::pow(0, -2) == kInfinite);
  CHECK(portable::pow(7, 0) == 1);
  CHECK(portable::pow(1, kInfinite) == 1);
  CHECK(portable::pow(2, 1e300) == kInfinite);
  CHECK(portable::pow(2, -1e300) == 0);
  const std::vector<double> quarters{1, 0, -1, 0};
  for (int k = -40; k < 40; ++k) CHECK(portable::cos_of_turns(k / 4.0) == quarters[static_cast<std::size_t>(k & 3)]);
}

TEST_CASE("logarithm and exponential rise where their pieces meet", "[portable]") {
  const auto rises = [](double (*f)(double), double around) {
    double x = around;
    for (int i = 0; i < 500; ++i) x = std::nextafter(x, -kInfinite);
    double before = f(x);
    for (int i = 0; i < 1000; ++i) {
      x = std::nextafter(x, kInfinite);
      const double now = f(x);
      if (!(now >= before)) return false;
      before = now;
    }
    return true;
  };
  for (int k = -60; k <= 60; ++k) {
    INFO(k);
    CHECK(rises(portable::log, std::ldexp(std::sqrt(2.0), k)));
    CHECK(rises(portable::log, std::ldexp(1.0, k)));
    CHECK(rises(portable::exp, (k + 0.5) * std::log(2.0)));
  }
}

// The same in registers of two.
namespace two_lanes {

using Number [[gnu::vector_size(16)]] = double;
using Word [[gnu::vector_size(16)]] = std::uint64_t;
inline Number number(double x) { return Number{x, x}; }
inline Word word(std::uint64_t x) { return Word{x, x}; }
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

}  // namespace two_lanes

TEST_CASE("logarithm and exponential give the same bits in registers", "[portable]") {
  const auto same = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  const auto check = [&](auto wide, double (*narrow)(double), const std::vector<Reach>& reaches) {
    std::uint64_t different = 0;
    for_points(reaches, [&](double x) {
      const two_lanes::Number both = wide(two_lanes::Number{x, 1});
      different += same(both[0], narrow(x)) && same(both[1], narrow(1)) ? 0 : 1;
    });
    CHECK(different == 0);
  };
  check([](two_lanes::Number x) { return two_lanes::natural_log(x); }, portable::log,
        {{0x1p-1022, kGreatest}, {0x1p-53, 1}, {-0x1p-53, -0.5, 1}});
  check([](two_lanes::Number x) { return two_lanes::natural_exp(x); }, portable::exp,
        {{1e-20, kInfinite}, {-1e-20, -kInfinite}, {0.1, 710}, {-0.1, -746}});
}

TEST_CASE("Beta's quantiles are Boost's in long double, near both ends too", "[beta_quantile]") {
  std::uint64_t hash = kNoBits;
  for (const double n : {1.0, 2.0, 3.0, 10.0, 40.0, 1000.0, 1e6})
    for (const double part : {0.0, 0.001, 0.01, 0.1, 0.325, 0.5, 0.99, 1.0})
      for (const double tail : {0.25, 0.025, 0.005, 1e-6}) {
        const double k = std::floor(n * part);
        CAPTURE(n, k, tail);
        if (k > 0) CHECK(is_near(beta_quantile(k, n - k + 1, tail), quantile(Beta(k, n - k + 1), tail)));
        if (k < n) CHECK(is_near(beta_quantile_above(k + 1, n - k, tail), quantile(complement(Beta(k + 1, n - k), tail))));
        if (k > 0) hash = hash_of(hash, beta_quantile(k, n - k + 1, tail));
        if (k < n) hash = hash_of(hash, beta_quantile_above(k + 1, n - k, tail));
      }
  CHECK(hash == 0x9403fb6a4af906bf);
}

TEST_CASE("Beta's quantiles of less than one hit", "[beta_quantile]") {
  for (const double hits : {0.01, 0.3, 0.99})
    for (const double n : {1.0, 5.0, 1000.0}) {
      CAPTURE(hits, n);
      CHECK(is_near(beta_quantile(hits, n - hits + 1, 0.025), quantile(Beta(hits, n - hits + 1), 0.025L)));
      CHECK(is_near(beta_quantile_above(n - hits + 1, hits, 0.025), quantile(complement(Beta(n - hits + 1, hits), 0.025L))));
      CHECK(is_near(beta_quantile(n - hits + 1, hits, 0.025), quantile(Beta(n - hits + 1, hits), 0.025L)));
      CHECK(is_near(beta_quantile_above(hits, n - hits + 1, 0.025), quantile(complement(Beta(hits, n - hits + 1), 0.025L))));
    }
}

TEST_CASE("Beta's quantiles end where nothing is left of a hit, or nearly all is of a trial", "[beta_quantile]") {
  for (const double hits : {0.006, 0.0051, 0.0049, 0.003, 1e-3, 1e-6, 1e-300})
    for (const double n : {1.0, 5.0, 1000.0, 1e9})
      for (const double tail : {0.025, 1e-6}) {
        CAPTURE(hits, n, tail);
        const double lowest = beta_quantile(hits, n - hits + 1, tail);
        const bool is_number = tail > 0.01 && hits > 0.0055;  // 0.025 ^ (1 / 0.0055) is near the least double
        CHECK((is_number ? lowest > 0 : lowest == 0));
        CHECK(lowest < 1e-200);
        const double most = beta_quantile_above(n, hits, tail);  // of all trials but these
        CHECK((most > 1 - 1e-9 && most <= 1));
      }
}

TEST_CASE("Student's quantiles are Boost's in long double", "[beta_quantile]") {
  std::uint64_t hash = kNoBits;
  for (const double freedom : {1.0, 2.0, 3.0, 5.0, 10.0, 39.0, 199.0, 999.0, 9999.0, 1e4, 1e5, 1e9})
    for (const double tail : {0.25, 0.05, 0.025, 0.005, 1e-4, 1e-8}) {
      CAPTURE(freedom, tail);
      CHECK(is_near(student_quantile_above(freedom, tail), quantile(complement(Student(freedom), static_cast<long double>(tail)))));
      hash = hash_of(hash, student_quantile_above(freedom, tail));
    }
  CHECK(student_quantile_above(7, 0.5) == 0);
  CHECK(hash == 0x3b79bfc7545e88f0);
}

TEST_CASE("A length is exact where it is a whole number, and of the largest and least numbers", "[portable]") {
  using portable::hypot;
  CHECK(hypot(3, -4) == 5);
  CHECK(hypot(-0x5p1000, 0xcp1000) == 0xdp1000);
  CHECK(hypot(0x8p-1070, 0xfp-1070) == 0x11p-1070);
  CHECK(hypot(0, 0) == 0);
  CHECK(hypot(0, -2.5) == 2.5);
  CHECK(hypot(1, -kInfinite) == kInfinite);
  CHECK(std::isnan(hypot(1, std::nan(""))));
  CHECK(std::isnan(hypot(std::nan(""), 1)));
  std::uint64_t hash = kNoBits;
  for (double x = 1; x < 1e10; x *= 1.7)
    for (double y = 1e-3; y < 1e5; y *= 2.3) {
      CHECK(is_near(hypot(x, y), std::hypot(static_cast<long double>(x), static_cast<long double>(y))));
      hash = hash_of(hash, hypot(x, y));
    }
  CHECK(hash == 0x6b3eb847032e88c3);
}
