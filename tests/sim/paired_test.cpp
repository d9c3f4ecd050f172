// Differences on common random numbers.
#include "sim/paired.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace nowsim;

TEST_CASE("A paired difference knows nothing of what both have in common", "[paired]") {
  const std::vector<double> a{10, 200, 3000}, b{9, 198, 2997};
  const Estimate e = paired_difference(a, b, 0.95);
  CHECK(e.value == Approx(2));
  // Differences 1, 2, 3: s = 1, Student's t for 2 degrees of freedom is 4.3027.
  CHECK(e.half_width() == Approx(4.302653 / std::sqrt(3.0)).epsilon(1e-6));
  CHECK_FALSE(is_apart_from_zero(e));
  CHECK(is_apart_from_zero(paired_difference(a, b, 0.5)));
}

TEST_CASE("Only replications that both have are compared", "[paired]") {
  CHECK(paired_difference(std::vector<double>{5, 7, 100}, std::vector<double>{4, 6}, 0.95).value == Approx(1));
  CHECK(paired_difference(std::vector<double>{5, 7, 100}, std::vector<double>{4, 5, 0}, 0.95, 2).value == Approx(1.5));
}

TEST_CASE("RF differs where McNemar's exact test says so", "[paired]") {
  // Six replications in which a alone is late: P = 2·(1/2)^6 = 3.1 %; five: 6.3 %.
  std::vector<double> a(50, 1), b(50, 1);
  for (std::size_t k = 0; k < 5; ++k) a[k] = 3;
  CHECK_FALSE(is_apart_from_zero(paired_late_difference(a, b, 2, 0.95)));
  a[5] = 3;
  const Estimate e = paired_late_difference(a, b, 2, 0.95);
  CHECK(is_apart_from_zero(e));
  CHECK(e.value == Approx(6.0 / 50));
  CHECK(paired_late_difference(b, a, 2, 0.95).high == Approx(-e.low));
}

TEST_CASE("Where nothing is late for one alone the difference has bounds all the same", "[paired]") {
  const std::vector<double> a(100, 1), b(100, 2);
  const Estimate e = paired_late_difference(a, b, 5, 0.95);
  CHECK(e.value == 0);
  CHECK(e.high == Approx(1 - std::pow(0.025, 0.01)).epsilon(1e-6));  // Clopper-Pearson of 0 in 100
  CHECK(e.low == -e.high);
}
