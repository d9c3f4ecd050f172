// Samples that come in units: plain ones to the bit, regression by hand, pairs of any correlation.
#include "sim/statistics/sample.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <span>

using namespace nowsim;

namespace {

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

bool covers(const Estimate& e, double truth) { return e.low <= truth && truth <= e.high; }

}  // namespace

TEST_CASE("a plain sample's estimates are those of its moments, to the bit", "[computes][sample]") {
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
