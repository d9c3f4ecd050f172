// Objectives of samples by hand, and what a search may rely on.
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/splitting/split_objective.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;

namespace {

using Kind = SplitObjective::Kind;
const SplitObjective kTau{};
const SplitObjective kRisk{Kind::risk, 7.5, 0};
const SplitObjective kQuantile{Kind::quantile, 0, 0.8};

std::vector<double> drawn(std::size_t n, std::uint64_t seed = 1) {
  Stream stream({seed, 0, 0, Purpose::workload});
  std::vector<double> values(n);
  for (double& x : values) x = 10 * stream.uniform();
  return values;
}

}  // namespace

TEST_CASE("The objectives of ten numbers", "[computes][split]") {
  const std::vector<double> ten{3, 1, 2, 10, 9, 8, 7, 6, 5, 4};
  CHECK(objective_value(kTau, ten) == Approx(5.5));
  CHECK(objective_value(kRisk, ten) == Approx(0.3));
  CHECK(objective_value(kQuantile, ten) == 8);  // the smallest number that 80 % do not exceed
  CHECK(std::isnan(objective_value(kTau, {})));
}

TEST_CASE("Slopes of the smooth objectives are their derivatives by each makespan", "[split]") {
  const auto sample = drawn(40);
  for (const auto& objective : {kTau, kRisk, kQuantile}) {
    const auto smooth = SmoothObjective::near(objective, sample);
    const auto slopes = smooth.slopes(sample);
    for (const std::size_t k : {0, 7, 39}) {
      auto up = sample, down = sample;
      up[k] += 1e-7;
      down[k] -= 1e-7;
      CHECK(slopes[k] == Approx((smooth.value(up) - smooth.value(down)) / 2e-7).epsilon(1e-4).margin(1e-8));
    }
  }
}

TEST_CASE("Smooth objectives are near those of the sample", "[split]") {
  const auto sample = drawn(2000);
  for (const auto& objective : {kRisk, kQuantile})
    CHECK(SmoothObjective::near(objective, sample).value(sample) ==
          Approx(objective_value(objective, sample)).epsilon(0.05));
}

TEST_CASE("A deadline far beyond the sample still has a slope to follow", "[split]") {
  const auto sample = drawn(100);
  for (const double deadline_s : {-50.0, 80.0}) {
    const auto smooth = SmoothObjective::near({Kind::risk, deadline_s, 0}, sample);
    const auto slopes = smooth.slopes(sample);
    CHECK(std::accumulate(slopes.begin(), slopes.end(), 0.0) > 1e-4);
  }
}

TEST_CASE("Intervals of paired differences hold the truth as often as they say", "[split][statistical]") {
  constexpr int kTrials = 400;
  for (const auto& objective : {kTau, kRisk, kQuantile}) {
    int held = 0;
    for (int trial = 0; trial < kTrials; ++trial) {  // b is a shrunk to 0.9: all three differences are known
      const auto a = drawn(500, static_cast<std::uint64_t>(trial) + 1);
      auto b = a;
      for (double& x : b) x *= 0.9;
      const Estimate d = paired_difference(objective, a, b, 0.95);
      const double truth = objective.kind == Kind::tau    ? 0.5
                           : objective.kind == Kind::risk ? 0.25 - (1 - 7.5 / 9) : 0.8;
      held += d.low <= truth && truth <= d.high ? 1 : 0;
    }
    CHECK(held >= 0.91 * kTrials);  // 0.95 less nearly 4 standard errors
  }
}

TEST_CASE("Of a quantile that a sample is too small to bound no interval is given", "[split]") {
  const auto a = drawn(100), b = drawn(100, 2);
  const Estimate few = paired_difference({Kind::quantile, 0, 0.98}, a, b, 0.95);
  CHECK(std::isfinite(few.value));
  CHECK((std::isnan(few.low) && std::isnan(few.high)));
  const Estimate enough = paired_difference({Kind::quantile, 0, 0.9}, a, b, 0.95);
  CHECK(enough.low < enough.high);
}

TEST_CASE("Equal samples differ by nothing, for certain as to tau", "[split]") {
  const auto a = drawn(100);
  for (const auto& objective : {kTau, kRisk, kQuantile}) CHECK(paired_difference(objective, a, a, 0.95).value == 0);
  CHECK(paired_difference(kTau, a, a, 0.95).half_width() == 0);
}
