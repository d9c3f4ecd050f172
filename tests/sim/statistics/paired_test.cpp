// Differences on common random numbers.
#include "sim/statistics/paired.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/statistics/random.hpp"

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

TEST_CASE("The difference of two risks knows that how many replications differ is random too", "[paired]") {
  // Six of 50 in which a alone is late. Tango's bounds by bisection in another program.
  std::vector<double> a(50, 1), b(50, 1);
  for (std::size_t k = 0; k < 6; ++k) a[k] = 3;
  const Estimate e = paired_late_difference(a, b, 2, 0.95);
  CHECK(e.value == Approx(6.0 / 50));
  CHECK(e.low == Approx(0.04009069).epsilon(1e-6));
  CHECK(e.high == Approx(0.23804817).epsilon(1e-6));
  CHECK(is_apart_from_zero(e));
  CHECK(paired_late_difference(b, a, 2, 0.95).high == Approx(-e.low));
  a[1] = a[2] = a[3] = 1;
  CHECK_FALSE(is_apart_from_zero(paired_late_difference(a, b, 2, 0.95)));
}

TEST_CASE("Intervals of the difference of two risks hold the truth where all differing replications go one way", "[paired]") {
  constexpr int kTrials = 2000;
  constexpr std::size_t kRuns = 300;
  Stream stream({7, 0, 0, Purpose::workload});
  int held = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> a(kRuns, 1);
    for (double& x : a) x = stream.uniform() < 0.03 ? 3 : 1;
    const Estimate e = paired_late_difference(a, std::vector<double>(kRuns, 1), 2, 0.95);
    held += e.low <= 0.03 && 0.03 <= e.high;
  }
  CHECK(held / double(kTrials) == Approx(0.95).margin(0.02));
}

TEST_CASE("Where nothing is late for one alone the difference has bounds all the same", "[paired]") {
  const std::vector<double> a(100, 1), b(100, 2);
  const Estimate e = paired_late_difference(a, b, 5, 0.95);
  CHECK(e.value == 0);
  CHECK(e.high == Approx(0.03699350).epsilon(1e-6));  // z²/(n + z²)
  CHECK(e.low == Approx(-e.high));
}
