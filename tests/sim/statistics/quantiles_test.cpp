// Quantiles of a sample: ranks against tables, honest ends, and coverage of plain samples and of pairs.
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
}

TEST_CASE("Values without spread have one quantile, known exactly", "[quantiles]") {
  const std::vector<double> same(20, 7.0);
  const Estimate e = quantile_estimate(same, 0.99, 0.95);
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
