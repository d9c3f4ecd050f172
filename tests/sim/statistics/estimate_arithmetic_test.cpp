// Ratios of two samples, by what is known of their replications.
#include "sim/statistics/influence.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/base/infinity.hpp"

using namespace nowsim;

namespace {

Sample sample_of(const std::vector<double>& values, std::size_t unit = 1, std::uint64_t span = 1) {
  Sample sample(Sampling{unit, 0, span});
  sample.add_batch(values, {});
  return sample;
}

Estimate ratio(const std::vector<double>& top, const std::vector<double>& bottom, std::size_t unit = 1) {
  return ratio_estimate(sample_of(top, unit, unit), sample_of(bottom, unit, unit), 0.95);
}

}  // namespace

TEST_CASE("A ratio of means is counted replication by replication where they are kept", "[computes][paired_ratio]") {
  // {r: |9 - 12 r| <= t·sd(top - r·bottom)/sqrt 3}, t = 4.302653; sums of products 13.5, 18, 32.
  const Estimate e = ratio({6, 10.5, 10.5}, {8, 12, 16});
  CHECK(e.value == Approx(0.75));
  for (const double r : {e.low, e.high})
    CHECK(std::abs(9 - 12 * r) == Approx(4.302653 * std::sqrt((13.5 - 2 * r * 18 + r * r * 32) / 2 / 3)).epsilon(1e-6));
}

TEST_CASE("Where replications are not kept a ratio holds for any correlation, and is wider", "[paired_ratio]") {
  const std::vector<double> top{6, 10.5, 10.5, 9, 9.5}, bottom{8, 12, 16, 12, 12.5};
  const Estimate paired = ratio(top, bottom), apart = ratio_estimate(sample_of(top, 1, 0), sample_of(bottom, 1, 0), 0.95);
  CHECK(apart.value == Approx(paired.value));
  CHECK(apart.half_width() > 2 * paired.half_width());
}

TEST_CASE("Proportional replications have an exact ratio, however much they vary", "[paired_ratio]") {
  const Estimate e = ratio({10, 20, 13}, {20, 40, 26});
  CHECK(e.value == 0.5);
  CHECK(e.half_width() == Approx(0).margin(1e-7));
}

TEST_CASE("Replications in pairs count by their means", "[paired_ratio]") {
  const Estimate pairs = ratio({5, 7, 10, 11, 4, 17}, {9, 7, 12, 12, 16, 16}, 2),
                 plain = ratio({6, 10.5, 10.5}, {8, 12, 16});
  CHECK(pairs.value == plain.value);
  CHECK(pairs.low == Approx(plain.low));
}

TEST_CASE("A ratio to a mean that is not told from 0 has no end", "[paired_ratio]") {
  const Estimate e = ratio({3, 4, 5}, {-1, 2, 0.5});
  CHECK(e.low == -kInfinity);
  CHECK(e.high == kInfinity);
}

TEST_CASE("Without replications there is no ratio, with one no interval", "[paired_ratio]") {
  CHECK(std::isnan(ratio({}, {1}).value));
  CHECK(ratio({3}, {4}).value == 0.75);
  CHECK(std::isnan(ratio({3}, {4}).low));
}
