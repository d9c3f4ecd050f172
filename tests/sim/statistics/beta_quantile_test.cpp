// Beta's and Student's quantiles, and lengths: against Boost.Math in long double, and bits that may never change.
#include "sim/statistics/portable.hpp"

#include <bit>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

using boost::math::complement;
using nowsim::beta_quantile, nowsim::beta_quantile_above, nowsim::student_quantile_above;

namespace {

using Beta = boost::math::beta_distribution<long double>;
using Student = boost::math::students_t_distribution<long double>;

bool is_near(double x, long double truth) { return std::abs(x - truth) <= 5e-13L * std::abs(truth); }

/// Of the bits of numbers, in turn.
struct BitsHash {
  std::uint64_t value = 0xcbf29ce484222325;
  void add(double x) { value = (value ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3; }
};

}  // namespace

TEST_CASE("Beta's quantiles are Boost's in long double, near both ends too", "[computes][beta_quantile]") {
  BitsHash hash;
  for (const double n : {1.0, 2.0, 3.0, 10.0, 40.0, 1000.0, 1e6})
    for (const double part : {0.0, 0.001, 0.01, 0.1, 0.325, 0.5, 0.99, 1.0})
      for (const double tail : {0.25, 0.025, 0.005, 1e-6}) {
        const double k = std::floor(n * part);
        CAPTURE(n, k, tail);
        if (k > 0) CHECK(is_near(beta_quantile(k, n - k + 1, tail), quantile(Beta(k, n - k + 1), tail)));
        if (k < n) CHECK(is_near(beta_quantile_above(k + 1, n - k, tail), quantile(complement(Beta(k + 1, n - k), tail))));
        if (k > 0) hash.add(beta_quantile(k, n - k + 1, tail));
        if (k < n) hash.add(beta_quantile_above(k + 1, n - k, tail));
      }
  CHECK(hash.value == 0x9403fb6a4af906bf);
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
  BitsHash hash;
  for (const double freedom : {1.0, 2.0, 3.0, 5.0, 10.0, 39.0, 199.0, 999.0, 9999.0, 1e4, 1e5, 1e9})
    for (const double tail : {0.25, 0.05, 0.025, 0.005, 1e-4, 1e-8}) {
      CAPTURE(freedom, tail);
      CHECK(is_near(student_quantile_above(freedom, tail), quantile(complement(Student(freedom), static_cast<long double>(tail)))));
      hash.add(student_quantile_above(freedom, tail));
    }
  CHECK(student_quantile_above(7, 0.5) == 0);
  CHECK(hash.value == 0x3b79bfc7545e88f0);
}

TEST_CASE("A length is exact where it is a whole number, and of the largest and least numbers", "[portable]") {
  using nowsim::portable::hypot;
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  CHECK(hypot(3, -4) == 5);
  CHECK(hypot(-0x5p1000, 0xcp1000) == 0xdp1000);
  CHECK(hypot(0x8p-1070, 0xfp-1070) == 0x11p-1070);
  CHECK(hypot(0, 0) == 0);
  CHECK(hypot(0, -2.5) == 2.5);
  CHECK(hypot(1, -kEndless) == kEndless);
  CHECK(std::isnan(hypot(1, std::nan(""))));
  CHECK(std::isnan(hypot(std::nan(""), 1)));
  BitsHash hash;
  for (double x = 1; x < 1e10; x *= 1.7)
    for (double y = 1e-3; y < 1e5; y *= 2.3) {
      CHECK(is_near(hypot(x, y), std::hypot(static_cast<long double>(x), static_cast<long double>(y))));
      hash.add(hypot(x, y));
    }
  CHECK(hash.value == 0x6b3eb847032e88c3);
}
