// Ratios of paired means, by hand.
#include "sim/statistics/estimate_arithmetic.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace nowsim;

namespace {

Estimate ratio(const std::vector<double>& top, const std::vector<double>& bottom, std::size_t unit = 1) {
  return paired_ratio_estimate(top, bottom, unit, 0.95);
}

}  // namespace

TEST_CASE("A ratio of paired means has the interval of its paired differences", "[paired_ratio]") {
  // Means 9 and 12, ratio 3/4; differences top - 3/4 bottom: 0, 1.5, -1.5, with sd 1.5; t for 2 degrees is 4.302653.
  const Estimate e = ratio({6, 10.5, 10.5}, {8, 12, 16});
  CHECK(e.value == Approx(0.75));
  CHECK(e.half_width() == Approx(4.302653 * 1.5 / std::sqrt(3.0) / 12).epsilon(1e-6));
}

TEST_CASE("Proportional replications have an exact ratio, however much they vary", "[paired_ratio]") {
  const Estimate e = ratio({1, 20, 3}, {2, 40, 6});
  CHECK(e.value == 0.5);
  CHECK(e.half_width() == Approx(0).margin(1e-15));
}

TEST_CASE("Replications in pairs count by their means, and those that only one list has not at all", "[paired_ratio]") {
  const Estimate pairs = ratio({5, 7, 10, 11, 4, 17, 99}, {9, 7, 12, 12, 16, 16}, 2),
                 plain = ratio({6, 10.5, 10.5}, {8, 12, 16});
  CHECK(pairs.value == plain.value);
  CHECK(pairs.low == Approx(plain.low));
}

TEST_CASE("Without replications there is no ratio, with one no interval", "[paired_ratio]") {
  CHECK(std::isnan(ratio({}, {1}).value));
  CHECK(ratio({3}, {4}).value == 0.75);
  CHECK(std::isnan(ratio({3}, {4}).low));
}
