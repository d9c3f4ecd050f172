// Differences on common random numbers.
#include "sim/statistics/series_estimates.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/statistics/random.hpp"

using namespace nowsim;

TEST_CASE("A paired difference knows nothing of what both have in common", "[computes][paired]") {
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

namespace {

/// Two that are late with these probabilities, one event behind both in the share `common` of replications; of pairs the
/// second is late where the first is not.
struct Late {
  std::vector<double> a, b;
};
Late late(std::size_t n, double p_a, double p_b, double common, std::size_t unit, std::uint64_t trial) {
  Stream stream({8, trial, n, Purpose::workload});
  Late out;
  double u = 0, v = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const bool is_mirrored = k % unit != 0;
    u = is_mirrored ? 1 - u : stream.uniform();
    v = is_mirrored ? 1 - v : stream.uniform() < common ? u : stream.uniform();
    out.a.push_back(u < p_a ? 3 : 1);
    out.b.push_back(v < p_b ? 3 : 1);
  }
  return out;
}

void check_risks(std::size_t n, double p_a, double p_b, double common, std::size_t unit, int trials) {
  int difference = 0, ratio = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Late x = late(n, p_a, p_b, common, unit, static_cast<std::uint64_t>(trial));
    const Estimate d = paired_late_difference(x.a, x.b, 2, 0.95, unit), r = paired_late_ratio(x.a, x.b, 2, 0.95, unit);
    difference += d.low <= p_a - p_b + 1e-12 && p_a - p_b <= d.high + 1e-12;
    ratio += r.low <= p_a / p_b && p_a / p_b <= r.high;
  }
  INFO(n << ": " << p_a << " and " << p_b << ", " << common << " in common, units of " << unit);
  const double noise = 3.5 * std::sqrt(0.0475 / trials);
  CHECK(difference / double(trials) >= 0.935 - noise);
  CHECK(ratio / double(trials) >= 0.935 - noise);
}

}  // namespace

TEST_CASE("The ratio of two risks is Bonett and Price's, and turns with the order", "[paired]") {
  // 20 late in both, 12 in a alone, 2 in b alone, of 100, by hand from Wilson's bounds: 32/22.
  std::vector<double> a(100, 1), b(100, 1);
  for (std::size_t k = 0; k < 34; ++k) a[k] = k < 32 ? 3 : 1, b[k] = k < 20 || k >= 32 ? 3 : 1;
  const Estimate e = paired_late_ratio(a, b, 2, 0.95), back = paired_late_ratio(b, a, 2, 0.95);
  CHECK(e.value == Approx(32.0 / 22));
  CHECK(e.low == Approx(1 / back.high));
  CHECK(e.high == Approx(1 / back.low));
  CHECK(e.low > 1);
  CHECK(e.high < 2.2);
  const Estimate never = paired_late_ratio(a, b, 5, 0.95);
  CHECK(std::isnan(never.value));
  CHECK(never.low == 0);
  CHECK(std::isinf(never.high));
}

TEST_CASE("Intervals of two risks hold the truth as often as they say", "[paired][statistics]") {
  constexpr int kTrials = 2000;
  check_risks(100, 0.05, 0.05, 0.9, 1, kTrials);
  check_risks(100, 0.2, 0.1, 0, 1, kTrials);
  check_risks(100, 0.2, 0.2, 0.5, 2, kTrials);
}

TEST_CASE("Intervals of two risks hold the truth as often as they say, everywhere", "[.long][paired][statistics]") {
  for (const std::size_t n : {50, 200, 1000})
    for (const double p : {0.01, 0.05, 0.2, 0.5})
      for (const double common : {0.0, 0.9, 0.99})
        for (const std::size_t unit : {1, 2})
          for (const double times : {1.0, 1.5}) check_risks(n, times * p, p, common, unit, n == 1000 ? 5000 : 20000);
}
