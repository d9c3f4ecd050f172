// Expected maxima against closed forms and tables, Huang & Lee's formulas, and renewal theory against a simulation.
#include "sim/statistics/closed_forms.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"
#include "sim/statistics/statistics.hpp"

using namespace nowsim;

namespace {

const double kSqrtPi = std::sqrt(std::numbers::pi);

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }
double share_below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

/// The expected maximum of two independent normals (Clark 1961).
double clark(double m1, double s1, double m2, double s2) {
  const double spread = std::hypot(s1, s2), z = (m1 - m2) / spread;
  return m1 * share_below(z) + m2 * share_below(-z) + spread * density(z);
}

double max_normals(const std::vector<double>& mean, const std::vector<double>& sd) {
  return expected_max_normals(mean, sd);
}
/// K(N).
double expected_max_normal(std::size_t n) { return max_normals(std::vector<double>(n, 0), std::vector<double>(n, 1)); }

/// How long one path of intervals takes for the work at unit speed.
double time_for(double work, const Distribution& value, const Distribution& length, Stream stream) {
  for (double t = 0;;) {
    const double duration = length.quantile(stream.uniform()), availability = value.quantile(stream.uniform());
    if (work <= duration * availability) return t + work / availability;
    t += duration, work -= duration * availability;
  }
}

}  // namespace

TEST_CASE("K(N) has its closed forms and tabled values", "[computes][theory]") {
  CHECK(expected_max_normal(1) == Approx(0).margin(1e-10));
  CHECK(expected_max_normal(2) == Approx(1 / kSqrtPi).epsilon(1e-11));
  CHECK(expected_max_normal(3) == Approx(3 / (2 * kSqrtPi)).epsilon(1e-11));
  // 30-digit quadrature, rounded; the first ones also stand in David 1970's table.
  CHECK(expected_max_normal(10) == Approx(1.538752730835173).epsilon(1e-11));
  CHECK(expected_max_normal(100) == Approx(2.507593636441684).epsilon(1e-11));
  CHECK(expected_max_normal(1000) == Approx(3.241435769133441).epsilon(1e-11));
  CHECK(expected_max_normal(1'000'000) == Approx(4.862897486196463).epsilon(1e-11));
}

TEST_CASE("K(N) grows with N, slower and slower, below sqrt(2 ln N)", "[theory]") {
  double previous = 0;
  for (double n = 2; n < 1e6; n *= 1.7) {
    const double k = expected_max_normal(static_cast<std::size_t>(n));
    REQUIRE(k > previous);
    REQUIRE(k < std::sqrt(2 * std::log(std::floor(n))));
    previous = k;
  }
}

TEST_CASE("the expected maximum of equal normals is m + s K(N)", "[theory]") {
  for (const std::size_t n : {1U, 2U, 10U, 50U})
    for (const double sd : {1e-6, 1.0, 30.0}) {
      const double expected = 100 + sd * expected_max_normal(n);
      CHECK(max_normals(std::vector<double>(n, 100), std::vector<double>(n, sd)) == Approx(expected).epsilon(1e-12));
    }
}

TEST_CASE("normals that are counted have the maximum of normals one by one", "[theory]") {
  // The second list's normals all differ, by less than the comparison sees.
  std::vector<double> mean, sd, all_different;
  for (int i = 0; i < 60; ++i) {
    mean.push_back(i % 3 == 0 ? 100 : 90 + i % 3);
    sd.push_back(i % 3 == 1 ? 12 : 5);
    all_different.push_back(mean.back() * (1 + i * std::numeric_limits<double>::epsilon()));
  }
  CHECK(max_normals(mean, sd) == Approx(max_normals(all_different, sd)).epsilon(1e-12));
  CHECK(max_normals({3, 1, 3, 1}, {0, 2, 0, 2}) == Approx(max_normals({3, 1, 1}, {0, 2, 2})).epsilon(1e-12));
}

TEST_CASE("the maximum of a million equal normals costs as much as that of one", "[theory]") {
  // Counted, normals have the same bits in whatever order; one by one, which would take a minute for a million, the
  // sums are rounded in another way each time.
  std::vector<double> in_turn, sorted;
  for (int i = 0; i < 3000; ++i) {
    in_turn.push_back(i % 3);
    sorted.push_back(i / 1000);
  }
  const std::vector<double> ones(3000, 1);
  CHECK(max_normals(in_turn, ones) == max_normals(sorted, ones));
  CHECK(max_normals(std::vector<double>(1'000'000, 100), std::vector<double>(1'000'000, 10)) ==
        Approx(100 + 10 * expected_max_normal(1'000'000)).epsilon(1e-12));
}

TEST_CASE("the expected maximum of two normals is Clark's", "[theory]") {
  for (const double m2 : {-3.0, 0.0, 0.5, 4.0, 40.0})
    for (const double s2 : {1e-5, 0.1, 1.0, 7.0}) {
      INFO("second normal: " << m2 << ", " << s2);
      CHECK(max_normals({0, m2}, {1, s2}) == Approx(clark(0, 1, m2, s2)).epsilon(1e-10).margin(1e-10));
    }
  CHECK(max_normals({100, 100}, {10, 30}) == Approx(clark(100, 10, 100, 30)).epsilon(1e-11));
}

TEST_CASE("the expected maximum is that of a 30-digit quadrature, and constants are a floor for it", "[theory]") {
  CHECK(max_normals({0, 1, 2}, {1, 2, 0.5}) == Approx(2.4281344697350934).epsilon(1e-11));
  CHECK(max_normals({2, 0, 1}, {0.5, 1, 2}) == Approx(2.4281344697350934).epsilon(1e-11));
  CHECK(max_normals({5}, {0}) == 5);
  CHECK(max_normals({5, 7, 6}, {0, 0, 0}) == 7);
  CHECK(max_normals({0, 0}, {0, 1}) == Approx(density(0)).epsilon(1e-11));
  CHECK(max_normals({0, 0.5}, {1, 0}) == Approx(0.5 * share_below(0.5) + density(0.5)).epsilon(1e-11));
  CHECK(max_normals({0, 100}, {1, 0}) == 100);
}

TEST_CASE("the expected maximum needs as many means as standard deviations, and these not negative", "[theory]") {
  CHECK_THROWS_AS(max_normals({}, {}), std::invalid_argument);
  CHECK_THROWS_AS(max_normals({1, 2}, {1}), std::invalid_argument);
  CHECK_THROWS_AS(max_normals({1, 2}, {1, -1}), std::invalid_argument);
}

TEST_CASE("the slopes of the expected maximum of two normals are Clark's", "[theory]") {
  for (const auto& [m1, s1, m2, s2] : std::vector<std::array<double, 4>>{
           {100, 0.01, 100, 30}, {100, 0.1, 100, 30}, {0, 1, 0.5, 1}, {5, 2, 3, 1e-5}, {0, 1, 0, 0}, {100, 0, 100, 30},
           {90, 0, 100, 30}, {130, 0, 100, 30}, {0, 1, 4, 0.5}, {0, 1, 1e-7, 1e-7}}) {
    INFO(m1 << " " << s1 << " and " << m2 << " " << s2);
    const double spread = std::hypot(s1, s2), z = (m1 - m2) / spread;
    const auto slopes = slopes_of_expected_max(std::vector{m1, m2}, std::vector{s1, s2});
    if (s1 > 0) CHECK(slopes[0].first == Approx(share_below(z)).epsilon(1e-6).margin(1e-8));
    if (s2 > 0) CHECK(slopes[1].first == Approx(share_below(-z)).epsilon(1e-6).margin(1e-8));
    for (const std::size_t i : {0U, 1U}) {
      const bool varies = (i == 0 ? s1 : s2) > 0;
      CHECK(slopes[i].second == Approx(varies ? density(z) / spread : 0).epsilon(1e-6).margin(1e-8));
      if (!varies) CHECK(slopes[i].first == 0);
    }
  }
}

TEST_CASE("one of many normals is the greatest", "[theory]") {
  for (const double ratio : {1.0, 1.3, 10.0}) {
    std::vector<double> mean, sd;
    for (int i = 0; i < 40; ++i) {
      mean.push_back(100 + i % 7);
      sd.push_back(1e-3 * std::pow(ratio, i % 9));
    }
    double sum = 0;
    for (const MaxSlopes& s : slopes_of_expected_max(mean, sd)) sum += s.first;
    CHECK(sum == Approx(1).epsilon(1e-6));
  }
  const auto equal = slopes_of_expected_max(std::vector<double>(100'000, 50), std::vector<double>(100'000, 3));
  CHECK(equal.back().first == Approx(1e-5).epsilon(1e-6));
}

TEST_CASE("Huang and Lee's formulas are as printed, renewal theory by hand of lengths on 0 to 20", "[theory]") {
  CHECK(hl_mean_time(1e9, 1e7, 0.5) == 200);
  CHECK(hl_sd_time(100, 0.28) == Approx(2.8));
  const IntervalModel m{0.5, 0.28, 10, 400.0 / 3};
  CHECK(renewal_mean_time(m, 100, 1) == Approx(200 + 0.0784 * 20 / 3));
  CHECK(renewal_var_time(m, 100, 1) == Approx(200 * 0.0784 * 40 / 3));
  CHECK(renewal_mean_time(m, 100e6, 1e6) == Approx(renewal_mean_time(m, 100, 1)));
}

TEST_CASE("renewal theory agrees with simulated times at t = 200, for several laws of lengths", "[theory]") {
  // 20000 paths; the mean to 5 standard errors (0.25 % of t), the variance to 6 %: 4 standard errors and the
  // asymptotics' own error at t = 20 intervals.
  const DistributionPtr value = make_value_law("uniform", 0.5, 0.5);
  for (const char* name : {"uniform", "exponential", "constant"}) {
    INFO(name);
    const DistributionPtr length = make_length_law(name, 10, 0);
    const IntervalModel model{0.5, 0.5, 10, length->variance() + 100};
    Moments times;
    for (std::uint64_t r = 0; r < 20000; ++r)
      times.add(time_for(100, *value, *length, Stream({3, r, 0, Purpose::owner})));
    const double standard_error = times.sd() / std::sqrt(20000.0);
    CHECK(std::abs(times.mean() - renewal_mean_time(model, 100, 1)) < 5 * standard_error);
    CHECK(times.mean() > 200 + 5 * standard_error);  // the second term is seen, not only the first
    CHECK(times.variance() == Approx(renewal_var_time(model, 100, 1)).epsilon(0.06));
  }
}
