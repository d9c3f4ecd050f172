// Quantiles of a sample: ranks against tables, honest ends, and coverage of plain samples and of pairs; differences and
// ratios of quantiles, of means and of risks on common random numbers: what they are made of, and their coverage.
#include "sim/statistics/series_estimates.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;

namespace {

std::vector<double> up_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

double exponential(double u) { return -std::log1p(-u); }

/// A sample of `observations`, each of which draw() appends.
using Draw = std::function<void(Stream&, std::vector<double>&)>;

/// In how many of 2000 experiments the interval covers the truth.
int covered(double p, double truth, int observations, std::size_t unit, const Draw& draw) {
  int hits = 0;
  for (std::uint64_t run = 0; run < 2000; ++run) {
    Stream stream({20261121, run, 0, Purpose::workload});
    std::vector<double> values;
    for (int k = 0; k < observations; ++k) draw(stream, values);
    const Estimate e = quantile_estimate(values, p, 0.95, unit);
    hits += e.low <= truth && truth <= e.high ? 1 : 0;
  }
  return hits;
}

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
  CHECK(difference / double(trials) >= 0.935 - noise(trials));
  CHECK(ratio / double(trials) >= 0.935 - noise(trials));
}

}  // namespace

TEST_CASE("A quantile lies between the order statistics that the binomial distribution names",
          "[computes][quantiles]") {
  // Conover, Practical Nonparametric Statistics, 3.2: for the median of 100 values ranks 40 and 61 hold 96.5 %.
  const QuantileRanks median = quantile_ranks(100, 0.5, 0.95);
  CHECK(median.low == 40);
  CHECK(median.high == 61);
  const Estimate e = quantile_estimate(up_to(100), 0.5, 0.95);
  CHECK(e.value == 50);
  CHECK(e.low == 40);
  CHECK(e.high == 61);
  // P[no more than 1 of 10 below] = 11/1024 = 1.07 % and P[no more than 2] = 5.5 %, so ranks 2 and 9.
  CHECK(quantile_ranks(10, 0.5, 0.95).low == 2);
  CHECK(quantile_ranks(10, 0.5, 0.95).high == 9);
}

TEST_CASE("An end that a sample is too small for is not invented", "[quantiles]") {
  // 0.99^367 = 2.501 %, 0.99^368 = 2.476 %: only then is the largest of all above the quantile in 97.5 %.
  CHECK(quantile_estimate(up_to(367), 0.99, 0.95).high == kInfinity);
  CHECK(quantile_estimate(up_to(368), 0.99, 0.95).high == 368);
  const Estimate small = quantile_estimate(up_to(5), 0.5, 0.95);
  CHECK(small.value == 3);
  CHECK(small.low == 0);
  CHECK(small.high == kInfinity);
  CHECK(std::isnan(quantile_estimate({}, 0.5, 0.95).value));
  CHECK_THROWS_AS(quantile_estimate(up_to(5), 1, 0.95), std::invalid_argument);
}

TEST_CASE("The value is the least that the wanted share of replications does not exceed", "[quantiles]") {
  CHECK(quantile_estimate(up_to(1000), 0.9, 0.95).value == 900);
  CHECK(quantile_estimate(up_to(100), 0.29, 0.95).value == 29);  // 100·0.29 is 28.999999999999996
  CHECK(quantile_estimate(up_to(100), 0.07, 0.95).value == 7);   // 100·0.07 is 7.000000000000001
  CHECK(quantile_estimate({{3, 1, 2}}, 0.5, 0.95).value == 2);
  const Estimate e = quantile_estimate(std::vector<double>(20, 7.0), 0.99, 0.95);  // without spread: exactly
  CHECK(e.value == 7);
  CHECK(e.half_width() == 0);
}

TEST_CASE("Quantiles' intervals cover as often as they say, for smooth laws and for steps", "[quantiles][statistics]") {
  // 2000 experiments: 95 % is 1900, give or take 10. Exact and conservative, the less the larger the sample.
  const Draw smooth = [](Stream& s, std::vector<double>& to) { to.push_back(exponential(s.uniform())); };
  const Draw steps = [](Stream& s, std::vector<double>& to) { to.push_back(s.uniform() < 0.85 ? 1 : 2); };
  for (const double p : {0.5, 0.9, 0.99}) {
    for (const int n : {40, 400}) {
      const int hits = covered(p, exponential(p), n, 1, smooth);
      INFO(p << " of " << n);
      CHECK(hits >= 1870);
      if (n == 400) CHECK(hits <= 1965);
      CHECK(covered(p, p <= 0.85 ? 1 : 2, n, 1, steps) >= 1870);
    }
  }
}

TEST_CASE("Pairs are no more than as many replications as they are worth", "[quantiles][statistics]") {
  const Draw mirrored = [](Stream& s, std::vector<double>& to) {
    const double u = s.uniform();
    to.insert(to.end(), {exponential(u), exponential(1 - u)});
  };
  const Draw twice = [](Stream& s, std::vector<double>& to) { to.insert(to.end(), 2, exponential(s.uniform())); };
  for (const double p : {0.5, 0.9}) {
    INFO(p);
    CHECK(covered(p, exponential(p), 100, 2, mirrored) >= 1880);
    CHECK(covered(p, exponential(p), 100, 2, twice) >= 1860);    // the effective number is an estimate
    CHECK(covered(p, exponential(p), 100, 1, twice) < 1780);     // read as independent they promise too much
  }
}

TEST_CASE("A quantile's difference from itself is 0, and turns with the order", "[quantiles]") {
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
