// Sums whose terms come and go: against sums of whole numbers, which are exact.
#include "sim/base/running_sum.hpp"

#include <catch2/catch.hpp>
#include <cstdint>

TEST_CASE("What has come and gone leaves nothing in a running sum", "[reads][running_sum]") {
  nowsim::RunningSum sum;
  double plain = 0;
  for (const double x : {0.125, 1e16, 3.25, -1e16}) {
    sum.add(x);
    plain += x;
  }
  CHECK(sum.value() == 3.375);
  CHECK(plain == 4);  // so there is something to be kept
  sum.add(-3.25);
  sum.add(-0.125);
  CHECK(sum.value() == 0);
}

TEST_CASE("A running sum of a million terms among much larger ones is the exact one", "[running_sum]") {
  nowsim::RunningSum sum;
  double plain = 0;
  std::int64_t exact = 0;
  for (std::int64_t k = 1; k <= 1'000'000; ++k) {
    const std::int64_t term = (k * k * 7919) % 1'000'003;
    const double large = static_cast<double>(term) * 0x1p45;
    exact += k % 3 == 0 ? -term : term;
    for (const double x : {large, static_cast<double>(k % 3 == 0 ? -term : term), -large}) {
      sum.add(x);
      plain += x;
    }
  }
  CHECK(sum.value() == static_cast<double>(exact));
  CHECK(plain != static_cast<double>(exact));
}
