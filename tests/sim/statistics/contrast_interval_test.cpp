// Intervals from contributions: Student's where nothing is skewed, mirrored with the signs, and by their coverage; and
// Fieller's.
#include "sim/statistics/influence.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;

namespace {

using Quantile = double (*)(double u, double z);  ///< at u, where the normal law has z

double as_normal(double, double z) { return z; }
double as_uniform(double u, double) { return u; }
double as_exponential(double u, double) { return -std::log(u); }  // decreasing, as good as increasing
double as_lognormal(double, double z) { return std::exp(0.3 * z); }

/// Two columns of a law, the second k times as spread; normals behind them have this correlation.
void draw(Stream& stream, Quantile law, double correlation, double times, std::vector<double>& a,
          std::vector<double>& b) {
  const auto share = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double radius = std::sqrt(-2 * std::log1p(-stream.uniform())), turn = 2 * M_PI * stream.uniform();
    const double x = radius * std::cos(turn);
    const double y = correlation * x + std::sqrt(1 - correlation * correlation) * radius * std::sin(turn);
    a[k] = 2 + law(share(x), x);
    b[k] = 2 + times * law(share(y), y);
  }
}

/// What a column's entries contribute to its mean or its standard deviation.
double contribution(const std::vector<double>& column, const Moments& m, std::size_t k, bool to_sd) {
  const double d = column[k] - m.mean(), n = static_cast<double>(column.size());
  return (to_sd ? (d * d - m.sd() * m.sd()) / (2 * m.sd()) : d) / n;
}

struct Law {
  const char* name;
  Quantile quantile;
  double mean, sd;
};
const Law kLaws[] = {{"normal", as_normal, 0, 1},
                     {"uniform", as_uniform, 0.5, std::sqrt(1.0 / 12)},
                     {"exponential", as_exponential, 1, 1},
                     {"lognormal", as_lognormal, std::exp(0.045), std::exp(0.045) * std::sqrt(std::expm1(0.09))}};

/// That of so many trials of n replications intervals of a difference and of a ratio hold the truth in these shares.
void check_coverage(const Law& law, double correlation, std::size_t n, bool of_sd, int trials, double least,
                    double most) {
  const double times = 1.5;
  const double true_a = of_sd ? law.sd : 2 + law.mean, true_b = of_sd ? times * law.sd : 2 + times * law.mean;
  std::vector<double> a(n), b(n), difference(n), log_ratio(n);
  QuantileMemo memo;
  const Confidence level(0.95, &memo);
  int held = 0, held_ratio = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Stream stream({21, static_cast<std::uint64_t>(trial), n, Purpose::workload});
    draw(stream, law.quantile, correlation, times, a, b);
    const Moments x = Moments::of(a), y = Moments::of(b);
    const double value_x = of_sd ? x.sd() : x.mean(), value_y = of_sd ? y.sd() : y.mean();
    for (std::size_t k = 0; k < n; ++k) {
      const double of_x = contribution(a, x, k, of_sd), of_y = contribution(b, y, k, of_sd);
      difference[k] = of_x - of_y;
      log_ratio[k] = of_x / value_x - of_y / value_y;
    }
    const double freedom = static_cast<double>(n) - 1;
    const Estimate d = contrast_interval(value_x - value_y, difference, freedom, level);
    const Estimate r = ratio_interval(value_x / value_y, log_ratio, freedom, level);
    held += d.low <= true_a - true_b && true_a - true_b <= d.high ? 1 : 0;
    held_ratio += r.low <= true_a / true_b && true_a / true_b <= r.high ? 1 : 0;
  }
  INFO(law.name << ", correlation " << correlation << ", n = " << n << (of_sd ? ", sd" : ", mean"));
  const double noise = 3.5 * std::sqrt(0.0475 / trials);
  for (const double share : {held / double(trials), held_ratio / double(trials)}) {
    CHECK(share >= least - noise);
    CHECK(share <= most + noise);
  }
}

}  // namespace

TEST_CASE("Without skewness and at a normal law's kurtosis an interval of contributions is nearly Student's",
          "[computes][contrast]") {
  std::vector<double> d;
  for (int k = 1; k <= 1000; ++k) {
    const double z = normal_quantile(k / 1001.0);  // two-sided: half of a normal law's values
    d.insert(d.end(), {z / 2000, -z / 2000});
  }
  double squares = 0;
  for (const double x : d) squares += x * x;
  const Estimate e = contrast_interval(7, d, 1999, 0.95);
  CHECK(e.value == 7);
  CHECK(e.high - 7 == Approx(7 - e.low));
  CHECK(e.half_width() == Approx(student_quantile(2000, 0.95) * std::sqrt(squares)).epsilon(2e-3));
}

TEST_CASE("An interval of contributions turns with their sign, and is wider the surer it is to be", "[contrast]") {
  const std::vector<double> d{0.9, -0.1, -0.2, 0.1, -0.3, -0.15, -0.25};
  std::vector<double> negative;
  for (const double x : d) negative.push_back(-x);
  const Estimate e = contrast_interval(1, d, 6, 0.95), mirrored = contrast_interval(-1, negative, 6, 0.95);
  CHECK(e.low == Approx(-mirrored.high));
  CHECK(e.high == Approx(-mirrored.low));
  CHECK(e.high - 1 > 1 - e.low);  // the long tail is above
  const Estimate surer = contrast_interval(1, d, 6, 0.99);
  CHECK(surer.low < e.low);
  CHECK(surer.high > e.high);
  CHECK(ratio_interval(2, d, 6, 0.95).high == Approx(2 * std::exp(e.high - 1)));
  CHECK(ratio_interval(-2, d, 6, 0.95).low == Approx(-2 * std::exp(e.high - 1)));
}

TEST_CASE("One entry has no interval, and entries that contribute nothing have one of width 0", "[contrast]") {
  CHECK(std::isnan(contrast_interval(3, std::vector<double>{0.0}, 0, 0.95).high));
  const Estimate none = contrast_interval(3, std::vector<double>(10, 0.0), 9, 0.95);
  CHECK(none.low == 3);
  CHECK(none.high == 3);
}

TEST_CASE("Paired intervals of means and standard deviations hold the truth as often as they say",
          "[contrast][statistics]") {
  constexpr int kTrials = 3000;
  check_coverage(kLaws[0], 0.9, 20, false, kTrials, 0.94, 0.96);
  check_coverage(kLaws[2], 0.99, 20, false, kTrials, 0.935, 0.96);
  check_coverage(kLaws[3], -0.9, 50, true, kTrials, 0.94, 0.96);
  check_coverage(kLaws[2], 0.9, 100, true, kTrials, 0.94, 0.965);
}

TEST_CASE("Paired intervals hold the truth as often as they say, everywhere", "[.long][contrast][statistics]") {
  constexpr int kTrials = 20000;
  for (const Law& law : kLaws)
    for (const double correlation : {-0.9, 0.0, 0.9, 0.99}) {
      for (const std::size_t n : {20, 50, 100}) check_coverage(law, correlation, n, false, kTrials, 0.935, 0.965);
      for (const std::size_t n : {50, 100, 300})
        check_coverage(law, correlation, n, true, kTrials, n == 50 ? 0.92 : 0.94, n == 50 ? 0.97 : 0.965);
    }
}

TEST_CASE("Fieller's interval holds the ratios that a test does not refuse", "[contrast]") {
  const RatioParts p{10, 4, 1, 0.25, 0.2};
  const Estimate e = fieller_interval(p, 2);
  CHECK(e.value == 2.5);
  for (const double r : {e.low, e.high}) {
    const double variance = p.of_numerator - 2 * r * p.covariance + r * r * p.of_denominator;
    CHECK(std::pow(p.numerator - r * p.denominator, 2) == Approx(4 * variance));
  }
  CHECK(e.low < 2.5);
  CHECK(e.high > 2.5);
  CHECK(fieller_interval({10, 4, 0, 0, 0}, 2).half_width() == 0);
  // Over a denominator that may be 0 any ratio is possible, and what is not known has no interval.
  const Estimate any = fieller_interval({10, 1, 1, 0.3, 0}, 2);
  CHECK(any.low == -kInfinity);
  CHECK(any.high == kInfinity);
  CHECK(std::isnan(fieller_interval({10, 1, kNotKnown, 0.3, 0}, 2).low));
}

TEST_CASE("Fieller's interval holds the truth as often as it says where the delta method's does not",
          "[contrast][statistics]") {
  // 20000 pairs of normal means: the ratio is 2, the denominator 3 of its standard errors from 0.
  int fieller = 0, delta = 0, infinite = 0;
  Stream stream({22, 0, 0, Purpose::workload});
  for (int k = 0; k < 20000; ++k) {
    const double radius = std::sqrt(-2 * std::log1p(-stream.uniform())), turn = 2 * M_PI * stream.uniform();
    const double x = radius * std::cos(turn), y = 0.8 * x + 0.6 * radius * std::sin(turn);
    const Estimate e = fieller_interval({6 + x, 3 + y, 1, 1, 0.8}, 1.959964);
    const double h = 1.959964 * std::sqrt(1 - 1.6 * e.value + e.value * e.value) / (3 + y);
    fieller += e.low <= 2 && 2 <= e.high ? 1 : 0;
    delta += std::abs(e.value - 2) <= h ? 1 : 0;
    infinite += e.high == kInfinity ? 1 : 0;
  }
  CHECK(fieller / 20000.0 >= 0.945);
  CHECK(delta / 20000.0 < 0.945);
  CHECK(infinite / 20000.0 == Approx(0.15).margin(0.02));  // P[3 + y < 1.96]
}
