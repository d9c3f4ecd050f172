// Differences and ratios of quantiles: what they are made of, and their coverage.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/random.hpp"
#include "sim/statistics/series_estimates.hpp"

using namespace nowsim;

namespace {

struct Two {
  std::vector<double> a, b;
};

/// Lognormals of two sizes, so many, the normals behind them of this correlation; in steps where so wanted.
Two correlated(std::size_t n, double correlation, double times, double step, std::uint64_t trial) {
  Stream stream({31, trial, n, Purpose::workload});
  Two out;
  for (std::size_t k = 0; k < n; ++k) {
    const double radius = std::sqrt(-2 * std::log1p(-stream.uniform())), turn = 2 * M_PI * stream.uniform();
    const double x = radius * std::cos(turn);
    const double y = correlation * x + std::sqrt(1 - correlation * correlation) * radius * std::sin(turn);
    const auto value = [step](double z) {
      return step > 0 ? step * std::ceil(std::exp(0.3 * z) / step) : std::exp(0.3 * z);
    };
    out.a.push_back(value(x));
    out.b.push_back(times * value(y));
  }
  return out;
}

struct Coverage {
  double difference = 0, ratio = 0;
};
Coverage coverage(std::size_t n, double p, double correlation, double step, int trials) {
  const double z = (p > 0.5 ? 1 : -1) * (p == 0.5 ? 0 : normal_quantile(std::abs(2 * p - 1)));
  const double exact = std::exp(0.3 * z), times = 1.2;
  const double quantile = step > 0 ? step * std::ceil(exact / step) : exact;
  Coverage out;
  for (int k = 0; k < trials; ++k) {
    const Two x = correlated(n, correlation, times, step, static_cast<std::uint64_t>(k));
    const Estimate d = paired_quantile_difference(x.a, x.b, p, 0.95), r = paired_quantile_ratio(x.a, x.b, p, 0.95);
    out.difference +=
        d.low <= (1 - times) * quantile + 1e-12 && (1 - times) * quantile - 1e-12 <= d.high ? 1.0 / trials : 0;
    out.ratio += r.low <= 1 / times + 1e-12 && 1 / times - 1e-12 <= r.high ? 1.0 / trials : 0;
  }
  return out;
}

double noise(int trials) { return 3.5 * std::sqrt(0.0475 / trials); }

}  // namespace

TEST_CASE("A quantile's difference from itself is 0, and turns with the order", "[computes][quantiles]") {
  const Two x = correlated(300, 0.9, 1.2, 0, 1);
  CHECK(paired_quantile_difference(x.a, x.a, 0.9, 0.95).half_width() == 0);
  CHECK(paired_quantile_ratio(x.a, x.a, 0.9, 0.95).value == 1);
  const Estimate d = paired_quantile_difference(x.a, x.b, 0.9, 0.95),
                 back = paired_quantile_difference(x.b, x.a, 0.9, 0.95);
  CHECK(d.low == Approx(-back.high));
  const Estimate r = paired_quantile_ratio(x.a, x.b, 0.9, 0.95);
  CHECK(r.low == Approx(1 / paired_quantile_ratio(x.b, x.a, 0.9, 0.95).high));
  CHECK(d.value == Approx(quantile_estimate(x.a, 0.9, 0.95).value - quantile_estimate(x.b, 0.9, 0.95).value));
}

TEST_CASE("The more both quantiles have in common the narrower is their difference", "[quantiles]") {
  double before = kInfinity;
  for (const double correlation : {-0.9, 0.0, 0.9, 0.99}) {
    double width = 0;
    for (std::uint64_t trial = 0; trial < 20; ++trial) {
      const Two x = correlated(500, correlation, 1, 0, trial);
      width += paired_quantile_difference(x.a, x.b, 0.5, 0.95).half_width();
    }
    CHECK(width < 0.9 * before);
    before = width;
  }
}

TEST_CASE("Where a quantile has no end its difference has none", "[quantiles]") {
  const Two x = correlated(100, 0.9, 1.2, 0, 1);
  const Estimate d = paired_quantile_difference(x.a, x.b, 0.99, 0.95);
  CHECK(d.low == -kInfinity);
  CHECK(d.high == kInfinity);
  CHECK(std::isfinite(d.value));
  CHECK(std::isnan(paired_quantile_difference({}, x.b, 0.5, 0.95).value));
}

TEST_CASE("Quantiles of unequal numbers of replications: the common ones pair, and the rest counts", "[quantiles]") {
  const Two x = correlated(1600, 0.95, 1, 0, 2);
  const auto first = [](const std::vector<double>& v, std::size_t n) {
    return std::vector<double>(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n));
  };
  const double both = paired_quantile_difference(x.a, x.b, 0.5, 0.95).half_width();
  const double one = paired_quantile_difference(x.a, first(x.b, 400), 0.5, 0.95).half_width();
  CHECK(one > both);
  CHECK(one < std::hypot(quantile_estimate(x.a, 0.5, 0.95).half_width(),
                         quantile_estimate(first(x.b, 400), 0.5, 0.95).half_width()));
}

TEST_CASE("Paired intervals of quantiles hold the truth as often as they say", "[quantiles][statistics]") {
  constexpr int kTrials = 1000;
  const Coverage independent = coverage(300, 0.5, 0, 0, kTrials), close = coverage(300, 0.9, 0.9, 0, kTrials);
  CHECK(independent.difference == Approx(0.95).margin(0.01 + noise(kTrials)));
  CHECK(independent.ratio == Approx(0.95).margin(0.01 + noise(kTrials)));
  CHECK(close.difference >= 0.94 - noise(kTrials));
  CHECK(coverage(300, 0.9, 0.9, 0.2, kTrials).difference >= 0.94 - noise(kTrials));  // values that are few
}

TEST_CASE("Paired intervals of quantiles hold the truth as often as they say, everywhere",
          "[.long][quantiles][statistics]") {
  constexpr int kTrials = 20000;
  for (const std::size_t n : {100, 300, 1000})
    for (const double p : {0.5, 0.9})
      for (const double correlation : {-0.9, 0.0, 0.9, 0.99})
        for (const double step : {0.0, 0.2}) {
          const Coverage found = coverage(n, p, correlation, step, n == 1000 ? kTrials / 4 : kTrials);
          INFO(n << " replications, p = " << p << ", correlation " << correlation << ", step " << step);
          CHECK(found.difference >= 0.935);
          CHECK(found.ratio >= 0.935);
          if (step == 0 && correlation <= 0) CHECK(found.difference <= 0.975);
        }
}
