// Moments and samples against direct sums, intervals by known values and by their coverage, and the rule that stops.
#include "sim/statistics/statistics.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"
#include "sim/statistics/sample.hpp"

using namespace nowsim;
using Catch::Contains;

namespace {

/// Of means whose replications are not known.
Estimate ratio_of_moments(const Moments& top, const Moments& bottom, const Confidence& confidence) {
  return ratio_estimate([&](const Confidence& level) { return mean_estimate(top, level); },
                        [&](const Confidence& level) { return mean_estimate(bottom, level); }, confidence);
}

std::vector<double> sample(const Distribution& law, std::uint64_t replication, int n) {
  Stream stream({20240607, replication, 0, Purpose::workload});
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(law.quantile(stream.uniform()));
  return out;
}

Moments moments_of(const std::vector<double>& values) { return Moments::of(values); }

/// By two passes in long double.
double direct_central(const std::vector<double>& values, int k) {
  long double sum = 0, powers = 0;
  for (const double x : values) sum += x;
  const long double mean = sum / static_cast<long double>(values.size());
  for (const double x : values) powers += std::pow(x - mean, static_cast<long double>(k));
  return static_cast<double>(powers / static_cast<long double>(values.size()));
}

void check_same(const Moments& a, const Moments& b, double tolerance) {
  CHECK(a.count() == b.count());
  CHECK(a.mean() == Approx(b.mean()).epsilon(tolerance));
  for (const int k : {2, 3, 4}) CHECK(a.central(k) == Approx(b.central(k)).epsilon(tolerance));
  CHECK(a.min() == b.min());
  CHECK(a.max() == b.max());
}

bool no_interval(const Estimate& e) { return std::isnan(e.low) && std::isnan(e.high); }

bool covers(const Estimate& e, double truth) { return e.low <= truth && truth <= e.high; }

using Columns = std::vector<std::vector<double>>;

bool same(const Estimate& a, const Estimate& b) { return a.value == b.value && a.low == b.low && a.high == b.high; }

/// Standard normals in pairs of this correlation, around 10.
std::vector<double> pairs(std::mt19937_64& random, std::size_t count, double correlation) {
  std::normal_distribution<> normal;
  std::vector<double> out;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = normal(random), y = correlation * x + std::sqrt(1 - correlation * correlation) * normal(random);
    out.push_back(10 + x);
    out.push_back(10 + y);
  }
  return out;
}

std::vector<double> normals(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<> normal;
  std::vector<double> out(count);
  for (double& x : out) x = normal(random);
  return out;
}

}  // namespace

TEST_CASE("moments are those of direct sums", "[computes][statistics]") {
  for (const DistributionPtr& law : {normal(3, 2), exponential(5), uniform(-1, 1)}) {
    const std::vector<double> values = sample(*law, 1, 1000);
    const Moments m = moments_of(values);
    CHECK(m.count() == 1000);
    for (const int k : {2, 3, 4}) CHECK(m.central(k) == Approx(direct_central(values, k)).epsilon(1e-11).margin(1e-12));
    CHECK(m.variance() == Approx(direct_central(values, 2) * 1000 / 999).epsilon(1e-12));
    CHECK(m.sd() == std::sqrt(m.variance()));
  }
}

TEST_CASE("moments of a small sample by hand", "[statistics]") {
  const Moments m = moments_of({2, 4, 4, 4, 5, 5, 7, 9});
  CHECK(m.mean() == Approx(5).epsilon(1e-15));
  CHECK(m.variance() == Approx(32.0 / 7));
  CHECK(m.central(2) == Approx(4));
  CHECK(m.central(3) == Approx(42.0 / 8));
  CHECK(m.central(4) == Approx(356.0 / 8));
  CHECK(m.min() == 2);
  CHECK(m.max() == 9);
  CHECK_THROWS_AS(m.central(5), std::invalid_argument);
}

TEST_CASE("fewer than two values have no variance and no interval", "[statistics]") {
  Moments m;
  CHECK(m.count() == 0);
  CHECK(std::isnan(m.variance()));
  m.add(-3);
  CHECK(m.mean() == -3);
  CHECK(m.min() == -3);
  CHECK(m.max() == -3);
  CHECK(std::isnan(m.variance()));
  CHECK(std::isnan(m.sd()));
  CHECK(m.central(2) == 0);
  CHECK(mean_estimate(m, 0.95).value == -3);
  CHECK(std::isnan(mean_estimate(Moments{}, 0.95).value));
  for (const Estimate& e : {mean_estimate(m, 0.95), sd_estimate(m, 0.95), cv_estimate(m, 0.95),
                            proportion_estimate(0, 0, 0.95)})
    CHECK(no_interval(e));
}

TEST_CASE("merging parts, empty ones among them, is the same as adding all in sequence", "[statistics]") {
  const std::vector<double> all = sample(*exponential(4), 2, 1000);
  for (const std::size_t cut : {0U, 1U, 2U, 333U, 500U, 999U, 1000U}) {
    INFO("cut at " << cut);
    Moments first = Moments::of(std::span(all).first(cut));
    first.merge(Moments::of(std::span(all).subspan(cut)));
    check_same(first, moments_of(all), 1e-12);
  }
  Moments merged, whole;
  for (std::uint64_t batch = 0; batch < 50; ++batch) {
    const std::vector<double> values = sample(*normal(100, 15), batch, static_cast<int>(batch % 7));
    merged.merge(moments_of(values));
    for (const double x : values) whole.add(x);
  }
  check_same(merged, whole, 1e-10);
}

TEST_CASE("moments stay right on top of a large offset", "[statistics]") {
  // Sums of squares would have lost every digit here: 1e18 against a variance of 30.
  const Moments four = moments_of({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16});
  CHECK(four.mean() == 1e9 + 10);
  CHECK(four.variance() == Approx(30).epsilon(1e-12));
  Moments offset, plain, halves[2];
  for (int i = 0; i < 10000; ++i) {
    const double x = (i * 37 % 101) / 128.0;  // exact in binary, on top of 2^30 as well
    plain.add(x);
    offset.add(0x1p30 + x);
    halves[i / 5000].add(0x1p30 + x);
  }
  halves[0].merge(halves[1]);
  for (const Moments* m : {&offset, &halves[0]}) {
    CHECK(m->variance() == Approx(plain.variance()).epsilon(1e-6));
    CHECK(m->central(4) == Approx(plain.central(4)).epsilon(1e-6));
  }
}

TEST_CASE("Student's quantile has its tabled values", "[statistics]") {
  CHECK(student_quantile(2, 0.95) == Approx(12.7062047).epsilon(1e-8));
  CHECK(student_quantile(10, 0.95) == Approx(2.26215716).epsilon(1e-8));
  CHECK(student_quantile(31, 0.99) == Approx(2.74999565).epsilon(1e-8));
  CHECK(student_quantile(1000000, 0.95) == Approx(1.95996398).epsilon(1e-5));
  CHECK(std::isnan(student_quantile(1, 0.95)));
  CHECK(std::isnan(student_quantile(0, 0.95)));
}

TEST_CASE("a confidence that is none is refused", "[statistics]") {
  const Moments m = moments_of({1, 2, 3});
  for (const double confidence : {0.0, 1.0, 95.0, -0.5, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(mean_estimate(m, confidence), InputError);
    CHECK_THROWS_AS(proportion_estimate(1, 2, confidence), InputError);
  }
  CHECK_THROWS_WITH(student_quantile(5, 95), Contains("95") && Contains("between 0 and 1"));
}

TEST_CASE("the mean's interval is Student's", "[statistics]") {
  const Estimate e = mean_estimate(moments_of({1, 2, 3, 4, 5}), 0.95);
  CHECK(e.value == 3);
  CHECK(e.half_width() == Approx(2.7764451 * std::sqrt(2.5 / 5)).epsilon(1e-7));
  CHECK(0.5 * (e.low + e.high) == Approx(3));
}

TEST_CASE("a sample without any spread has intervals of width 0", "[statistics]") {
  const Moments m = moments_of({4.2, 4.2, 4.2, 4.2});
  for (const Estimate& e : {mean_estimate(m, 0.95), sd_estimate(m, 0.95), cv_estimate(m, 0.95)}) {
    CHECK(e.low == e.value);
    CHECK(e.high == e.value);
  }
  CHECK(mean_estimate(m, 0.95).value == 4.2);
  CHECK(sd_estimate(m, 0.95).value == 0);
  CHECK(ratio_of_moments(m, m, 0.95).half_width() == 0);
}

TEST_CASE("the sd's interval is positive and no shorter upwards on the scale of logarithms", "[statistics]") {
  for (const std::vector<double>& values : {std::vector<double>{1, 2}, {0, 0, 0, 100}, {1, 1, 1, 1.0001}}) {
    const Estimate e = sd_estimate(moments_of(values), 0.99);
    CHECK(e.low > 0);
    CHECK(e.low < e.value);
    CHECK(e.high / e.value >= e.value / e.low);
  }
}

TEST_CASE("the sd's interval for many normals has the textbook's width sd·z/sqrt(2 n)", "[statistics]") {
  const int n = 100000;
  const Estimate e = sd_estimate(moments_of(sample(*normal(0, 3), 4, n)), 0.95);
  CHECK(e.half_width() == Approx(3 * 1.96 / std::sqrt(2.0 * n)).epsilon(0.03));
}

TEST_CASE("the coefficient of variation follows the mean's sign, is undefined at 0, and knows no unit", "[statistics]") {
  const Estimate plus = cv_estimate(moments_of({1, 2, 4, 5}), 0.95),
                 minus = cv_estimate(moments_of({-1, -2, -4, -5}), 0.95);
  CHECK(plus.value > 0);
  CHECK(plus.low > 0);
  CHECK(minus.value == -plus.value);
  CHECK(minus.low == Approx(-plus.high));
  CHECK(minus.high == Approx(-plus.low));
  const Estimate zero = cv_estimate(moments_of({-1, 1}), 0.95);
  CHECK(std::isnan(zero.value));
  CHECK(no_interval(zero));
  std::vector<double> values = sample(*exponential(2), 5, 50);
  const Estimate seconds = cv_estimate(moments_of(values), 0.9);
  for (double& x : values) x *= 1000;
  const Estimate milliseconds = cv_estimate(moments_of(values), 0.9);
  CHECK(milliseconds.low == Approx(seconds.low));
  CHECK(milliseconds.high == Approx(seconds.high));
}

namespace {

/// The shares of so many samples of n whose intervals hold the truth.
struct Held {
  double mean, sd, cv;
};
Held held(const Distribution& law, int n, int runs) {
  const double mean = law.mean(), sd = std::sqrt(law.variance());
  QuantileMemo memo;
  const Confidence level(0.95, &memo);
  Held out{};
  for (int run = 0; run < runs; ++run) {
    const Moments m = moments_of(sample(law, static_cast<std::uint64_t>(run), n));
    out.mean += covers(mean_estimate(m, level), mean) ? 1.0 / runs : 0;
    out.sd += covers(sd_estimate(m, level), sd) ? 1.0 / runs : 0;
    out.cv += covers(cv_estimate(m, level), sd / mean) ? 1.0 / runs : 0;
  }
  return out;
}

void check_between(double share, double least, double most, int runs) {
  const double noise = 4 * std::sqrt(0.0475 / runs);
  CHECK(share >= least - noise);
  CHECK(share <= most + noise);
}

}  // namespace

TEST_CASE("intervals for mean, sd and cv cover the truth as often as they say", "[statistics]") {
  // Of an exponential's mean Student's interval of 100 values holds 94.1 %.
  const int runs = 2000, n = 100;
  for (const DistributionPtr& law : {normal(10, 3), uniform(0, 1), exponential(2)}) {
    const Held found = held(*law, n, runs);
    // Within 4 binomial standard deviations of what is expected: for a right one 1 failure in 16000.
    const double expected = law->mean() == 2 ? 0.941 : 0.95;
    CHECK(std::abs(found.mean - expected) < 4 * std::sqrt(expected * (1 - expected) / runs));
    check_between(found.sd, 0.94, 0.96, runs);
    check_between(found.cv, 0.94, 0.96, runs);
  }
}

TEST_CASE("intervals for the sd cover the truth as often as they say, everywhere", "[.long][statistics]") {
  const int runs = 20000;
  for (const DistributionPtr& law : {normal(10, 3), uniform(0, 1), exponential(2), gamma(1, 0.5), gamma(1, 0.8)})
    for (const int n : {50, 100, 300}) {
      INFO(law->mean() << ", n = " << n);
      check_between(held(*law, n, runs).sd, 0.94, 0.96, runs);
    }
}

TEST_CASE("a proportion's interval is Clopper and Pearson's", "[statistics]") {
  const Estimate half = proportion_estimate(5, 10, 0.95);
  CHECK(half.value == 0.5);
  CHECK(half.low == Approx(0.1870860).epsilon(1e-6));
  CHECK(half.high == Approx(0.8129140).epsilon(1e-6));
  const Estimate none = proportion_estimate(0, 10, 0.95);
  CHECK(none.low == 0);
  CHECK(none.high == Approx(1 - std::pow(0.025, 0.1)));
  const Estimate all = proportion_estimate(10, 10, 0.95);
  CHECK(all.low == Approx(std::pow(0.025, 0.1)));
  CHECK(all.high == 1);
  CHECK_THROWS_AS(proportion_estimate(3, 2, 0.95), std::invalid_argument);
}

TEST_CASE("a proportion's interval covers every p with at least its confidence", "[statistics]") {
  // Exact: the probabilities of all outcomes whose interval holds p are summed, nothing is drawn.
  for (const unsigned n : {1U, 2U, 10U, 37U})
    for (int i = 1; i < 100; ++i) {
      const double p = i / 100.0;
      const boost::math::binomial law(n, p);
      double covered = 0;
      for (unsigned k = 0; k <= n; ++k)
        if (covers(proportion_estimate(k, n, 0.9), p)) covered += pdf(law, k);
      REQUIRE(covered >= 0.9 - 1e-9);
    }
}

TEST_CASE("a ratio's interval covers the truth whatever the dependence of its two means", "[statistics]") {
  // Means 6 and 3 of 30 values each; shared draws (ratio far from independent), opposite draws, and separate ones.
  const int runs = 1000;
  const DistributionPtr top = normal(6, 2), bottom = exponential(3);
  for (const auto& [purpose, is_opposite] :
       {std::pair(Purpose::workload, false), {Purpose::workload, true}, {Purpose::owner, false}}) {
    int held = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
      Stream first({1, run, 0, Purpose::workload}), second({1, run, 0, purpose});
      Moments a, b;
      for (int i = 0; i < 30; ++i) {
        const double u = first.uniform(), v = second.uniform();
        a.add(top->quantile(u)), b.add(bottom->quantile(is_opposite ? 1 - v - 0x1p-54 : v));
      }
      held += covers(ratio_of_moments(a, b, 0.95), 2) ? 1 : 0;
    }
    CHECK(held / double(runs) >= 0.95 - 4 * std::sqrt(0.05 * 0.95 / runs));
  }
}

TEST_CASE("a ratio's interval comes from Bonferroni's two", "[statistics]") {
  const Moments top = moments_of({9, 10, 11}), bottom = moments_of({3.9, 4, 4.1, 4});
  const Estimate t = mean_estimate(top, 0.975), b = mean_estimate(bottom, 0.975),
                 ratio = ratio_of_moments(top, bottom, 0.95);
  CHECK(ratio.value == Approx(2.5));
  CHECK(ratio.low == Approx(t.low / b.high));
  CHECK(ratio.high == Approx(t.high / b.low));
  // One whose denominator may be 0 has no upper end, and none is below 0.
  const Estimate e = ratio_of_moments(moments_of({0.1, 5}), moments_of({0.1, 5}), 0.95);
  CHECK(e.low == 0);
  CHECK(e.high == std::numeric_limits<double>::infinity());
}

TEST_CASE("the stopping rule looks at the relative half-width, the least number and the target", "[statistics]") {
  const StoppingRule rule{0.05, 10, 1000}, fixed{0, 2, 1000};
  for (const Estimate& e : {Estimate{100, 95.1, 104.9}, Estimate{-100, -104, -96}, exactly(0)}) {
    CHECK(rule.satisfied(e, 10));
    CHECK_FALSE(rule.satisfied(e, 9));
    CHECK_FALSE(fixed.satisfied(e, 1000));
  }
  for (const Estimate& e : {Estimate{100, 94.9, 105.1}, Estimate{0, -1, 1}, Estimate{1, kNotKnown, kNotKnown},
                            Estimate{1, 0, std::numeric_limits<double>::infinity()}})
    CHECK_FALSE(rule.satisfied(e, 1000));
}

TEST_CASE("Intervals are the same to the bit where quantiles are remembered", "[statistics]") {
  QuantileMemo memo;
  Moments m, other;
  for (const double x : {3.0, 4.5, 4.0, 7.0, 5.5}) m.add(x);
  for (const double x : {1.0, 1.5, 1.25}) other.add(x);
  for (int round = 0; round < 2; ++round)
    for (const double level : {0.9, 0.95}) {
      const Confidence remembered(level, &memo);
      using OfMoments = Estimate (*)(const Moments&, const Confidence&);
      for (const OfMoments estimate : {OfMoments(mean_estimate), OfMoments(sd_estimate), OfMoments(cv_estimate)}) {
        const Estimate a = estimate(m, level), b = estimate(m, remembered);
        CHECK((a.value == b.value && a.low == b.low && a.high == b.high));
      }
      CHECK(ratio_of_moments(m, other, level).high == ratio_of_moments(m, other, remembered).high);
    }
  CHECK(std::isnan(mean_estimate(Moments{}, Confidence(0.95, &memo)).low));
}

TEST_CASE("a plain sample's estimates are those of its moments, to the bit", "[sample]") {
  Sample sample;
  Moments moments;
  for (const auto& batch : Columns{{3, 1, 4, 1}, {5, 9}}) {
    sample.add_batch(batch, {});
    moments.merge(Moments::of(batch));
  }
  CHECK(same(mean_estimate(sample, 0.9), mean_estimate(moments, 0.9)));
  CHECK(same(sd_estimate(sample, 0.9), sd_estimate(moments, 0.9)));
  CHECK(same(cv_estimate(sample, 0.9), cv_estimate(moments, 0.9)));
}

TEST_CASE("co-moments are those of direct sums", "[sample]") {
  const Columns rows{{1, 5}, {2, 3}, {6, -1}, {7, 0}};
  JointMoments m(2);
  for (const auto& row : rows) m.add(row);
  CHECK(m.mean(0) == Approx(4));
  CHECK(m.mean(1) == Approx(1.75));
  CHECK(m.covariance(0, 0) == Approx((9 + 4 + 4 + 9) / 3.0));
  CHECK(m.products(1, 0) == Approx(-3 * 3.25 - 2 * 1.25 + 2 * -2.75 + 3 * -1.75));
  CHECK(m.products(0, 1) == m.products(1, 0));
}

TEST_CASE("moments that are merged are those of all observations", "[sample]") {
  JointMoments all(2), merged(2), part(2);
  const std::vector<std::vector<double>> values{{1, 5}, {3, -1}, {8, 2}, {4, 4}, {0, 9}};
  for (const auto& v : values) all.add(v);
  for (std::size_t k = 0; k < 2; ++k) merged.add(values[k]);
  for (std::size_t k = 2; k < 5; ++k) part.add(values[k]);
  merged.merge(part);
  merged.merge(JointMoments(2));
  CHECK(merged.count() == 5);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(merged.mean(i) == Approx(all.mean(i)));
    for (std::size_t j = 0; j < 2; ++j) CHECK(merged.products(i, j) == Approx(all.products(i, j)));
  }
}

TEST_CASE("a mean with a control is the regression line's value where the control is 0", "[sample]") {
  // y = 2 + c exactly: nothing is left to doubt.
  const std::vector<double> c = normals(40, 3);
  std::vector<double> y;
  for (const double x : c) y.push_back(2 + x);
  Sample exact({1, 1});
  exact.add_batch(y, Columns{c});
  CHECK(mean_estimate(exact, 0.95).value == Approx(2));
  CHECK(mean_estimate(exact, 0.95).half_width() == Approx(0).margin(1e-6));
}

TEST_CASE("each fold is corrected by the slope of the others", "[sample]") {
  const std::vector<double> c = normals(33, 4), noise = normals(33, 5);
  std::vector<double> y;
  for (std::size_t k = 0; k < 33; ++k) y.push_back(7 + 1.5 * c[k] + noise[k] * (1 + std::abs(c[k])));
  double value = 0, squares = 0;
  std::vector<double> residuals;
  for (std::size_t k = 0; k < 33; ++k) {
    JointMoments others(2);
    for (std::size_t i = 0; i < 33; ++i)
      if (i % 10 != k % 10) others.add(std::vector{y[i], c[i]});
    residuals.push_back(y[k] - others.products(0, 1) / others.products(1, 1) * c[k]);
    value += residuals.back() / 33;
  }
  std::vector<double> parts(10, 0.0);
  for (std::size_t k = 0; k < 33; ++k) parts[k % 10] += std::pow(residuals[k] - value, 2);
  for (const double part : parts) squares += part;
  double spread = 0;
  for (std::size_t k = 0; k < 10; ++k) spread += std::pow(parts[k] - squares * (k < 3 ? 4 : 3) / 33, 2) / 9 * 10;
  const auto freedom = static_cast<std::uint64_t>(std::min(2 * squares * squares / spread, 31.0));
  for (const std::size_t batch : {33U, 11U, 1U}) {  // wherever batches end
    Sample sample({1, 1});
    for (std::size_t k = 0; k < 33; k += batch)
      sample.add_batch(std::span(y).subspan(k, batch),
                       Columns{{c.begin() + static_cast<long>(k), c.begin() + static_cast<long>(k + batch)}});
    const Estimate e = mean_estimate(sample, 0.95);
    CHECK(e.value == Approx(value));
    CHECK(e.half_width() == Approx(student_quantile(freedom + 1, 0.95) * std::sqrt(squares / (32. * 31))));
  }
}

TEST_CASE("a control that says nothing new costs nothing", "[sample]") {
  const std::vector<double> c = normals(40, 6), y = normals(40, 7), none(40, 0.0);
  std::vector<double> twice;
  for (const double x : c) twice.push_back(2 * x);
  Sample one({1, 1}), three({1, 3});
  one.add_batch(y, Columns{c});
  three.add_batch(y, Columns{c, twice, none});
  CHECK(mean_estimate(three, 0.95).value == Approx(mean_estimate(one, 0.95).value));
  CHECK(mean_estimate(three, 0.95).half_width() == Approx(mean_estimate(one, 0.95).half_width()));
}

TEST_CASE("with fewer observations than a regression needs the mean is the plain one", "[sample]") {
  const std::vector<double> all = normals(15, 8);
  for (std::size_t n = 0; n <= 15; ++n) {
    const std::vector<double> y(all.begin(), all.begin() + static_cast<long>(n));
    Columns controls(3, y);
    for (std::size_t c = 0; c < 3; ++c)
      for (double& x : controls[c]) x = std::pow(x, static_cast<double>(c + 1));
    Sample sample({1, 3}), plain;
    sample.add_batch(y, controls);
    plain.add_batch(y, {});
    const Estimate e = mean_estimate(sample, 0.95), expected = mean_estimate(plain, 0.95);
    INFO(n << " observations");
    if (n == 0) CHECK(std::isnan(e.value));
    else if (n < 15) CHECK(e.value == Approx(expected.value));
    else CHECK(e.half_width() < 0.1 * expected.half_width());
    if (n < 2) CHECK(std::isnan(e.low));
    else if (n < 15) CHECK(e.half_width() == Approx(expected.half_width()));
  }
  Sample pair({2, 0});
  pair.add_batch(std::vector<double>{1, 3}, {});
  CHECK(mean_estimate(pair, 0.95).value == 2);
  CHECK(std::isnan(mean_estimate(pair, 0.95).low));
}

TEST_CASE("a pair counts as one observation of the mean", "[sample]") {
  Sample sample({2, 0});
  sample.add_batch(std::vector<double>{1, 3, 4, 8, 5, 5}, {});  // means 2, 6, 5
  const Moments of_means = Moments::of(std::array{2.0, 6.0, 5.0});
  const Estimate e = mean_estimate(sample, 0.95), expected = mean_estimate(of_means, 0.95);
  CHECK(e.value == Approx(expected.value));
  CHECK(e.half_width() == Approx(expected.half_width()));
}

TEST_CASE("moments without their values have no interval where they come in pairs", "[sample]") {
  Sample sample({2, 0});
  const Moments moments = Moments::of(std::array{1.0, 3.0, 4.0, 8.0});
  sample.merge(moments);
  CHECK(mean_estimate(sample, 0.95).value == 4);
  CHECK(std::isnan(mean_estimate(sample, 0.95).high));
  CHECK(sd_estimate(sample, 0.95).value == Approx(moments.sd()));
  CHECK(std::isnan(sd_estimate(sample, 0.95).high));
}

TEST_CASE("the variance from pairs is unbiased whatever their correlation", "[sample][statistics]") {
  std::mt19937_64 random(5);
  for (const double correlation : {-0.95, 0.0, 0.95}) {
    Moments squares;
    for (int k = 0; k < 20000; ++k) {
      Sample sample({2, 0});
      sample.add_batch(pairs(random, 3, correlation), {});
      squares.add(std::pow(sd_estimate(sample, 0.95).value, 2));
    }
    INFO(correlation);
    CHECK(std::abs(squares.mean() - 1) < 4.5 * squares.sd() / std::sqrt(20000.0));
  }
}

TEST_CASE("intervals from pairs cover the truth whatever their correlation", "[sample][statistics]") {
  // 1000 samples of 200 pairs: 95 % give or take 0.7 %.
  std::mt19937_64 random(6);
  const double beyond_11 = 0.158655;
  for (const double correlation : {-0.9, -0.4, 0.9}) {
    int mean = 0, sd = 0, cv = 0, share = 0;
    for (int k = 0; k < 1000; ++k) {
      const auto values = pairs(random, 200, correlation);
      std::vector<double> late;
      for (const double x : values) late.push_back(x > 11 ? 1 : 0);
      Sample sample({2, 0}), lateness({2, 0});
      sample.add_batch(values, {});
      lateness.add_batch(late, {});
      mean += covers(mean_estimate(sample, 0.95), 10) ? 1 : 0;
      sd += covers(sd_estimate(sample, 0.95), 1) ? 1 : 0;
      cv += covers(cv_estimate(sample, 0.95), 0.1) ? 1 : 0;
      share += covers(proportion_estimate(lateness, 0.95), beyond_11) ? 1 : 0;
    }
    INFO(correlation);
    for (const int covered : {mean, sd, cv}) {
      CHECK(covered >= 922);
      CHECK(covered <= 975);
    }
    CHECK(share >= 930);
  }
}

TEST_CASE("a share of pairs has an interval even where all are alike", "[sample]") {
  Sample never({2, 0});
  never.add_batch(std::vector<double>(100, 0.0), {});
  const Estimate e = proportion_estimate(never, 0.95), plain = proportion_estimate(0, 100, 0.95);
  CHECK(e.value == 0);
  CHECK(e.low == plain.low);
  CHECK(e.high == Approx(plain.high));
}
