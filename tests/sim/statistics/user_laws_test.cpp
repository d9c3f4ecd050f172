// Laws of data and of formulas: moments and quantiles against what is counted by hand, draws against the law, refusals.
#include "sim/statistics/user_laws.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "sim/base/error.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;
using Catch::Contains;

namespace {

constexpr double kLargestU = 1 - 0x1.0p-53;

DistributionPtr of_formula(const std::string& text, double most = 1) {
  return formula_law({text, std::make_shared<const Formula>(text)}, {0, most, "an availability"});
}

}  // namespace

TEST_CASE("given values are drawn each equally likely, its steps exactly", "[computes][empirical]") {
  const auto law = empirical({0.5, 0.1, 0.9, 0.5});
  CHECK(law->mean() == Approx(0.5).epsilon(1e-15));
  CHECK(law->variance() == Approx(0.08).epsilon(1e-15));
  CHECK(law->lower() == 0.1);
  CHECK(law->upper() == 0.9);
  const std::pair<double, double> steps[] = {{0, 0.1},           {0.25 - 0x1.0p-54, 0.1}, {0.25, 0.5},
                                             {0.75 - 0x1.0p-53, 0.5}, {0.75, 0.9},        {kLargestU, 0.9}};
  for (const auto& [u, value] : steps) CHECK(law->quantile(u) == value);
  CHECK(reflected(law)->quantile(0) == 0.9);
  CHECK(reflected(law)->quantile(0.25 - 0x1.0p-53) == 0.9);
  CHECK(reflected(law)->quantile(0.25) == 0.5);
}

TEST_CASE("every one of many given values stands between its borders", "[empirical]") {
  for (const std::size_t n : {1UL, 2UL, 3UL, 7UL, 1000UL, 4099UL}) {
    std::vector<double> values;
    Stream stream({n, 0, 0, Purpose::workload});
    for (std::size_t i = 0; i < n; ++i) values.push_back(stream.uniform());
    const auto law = empirical(values);
    std::ranges::sort(values);
    for (std::size_t i = 0; i < n; ++i) {
      const double border = static_cast<double>(i) / static_cast<double>(n);
      REQUIRE(law->quantile(border) == values[i]);
      if (i > 0) REQUIRE(law->quantile(border - 0x1.0p-53) == values[i - 1]);
    }
  }
}

TEST_CASE("a histogram's bins are uniform, each with its weight", "[empirical]") {
  const auto law = histogram({{0.5, 0.7, 3}, {0, 0.2, 1}, {0.8, 0.8, 4}, {0.9, 1, 0}});
  CHECK(law->mean() == Approx((0.1 + 3 * 0.6 + 4 * 0.8) / 8));
  const double second = (0.04 / 3 + 3 * (0.36 + 0.04 / 12) + 4 * 0.64) / 8;
  CHECK(law->variance() == Approx(second - law->mean() * law->mean()));
  CHECK(law->quantile(0) == 0);
  CHECK(law->quantile(0.0625) == Approx(0.1));
  CHECK(law->quantile(0.125) == 0.5);
  CHECK(law->quantile(0.3125) == Approx(0.6));
  CHECK(law->quantile(0.5) == 0.8);
  CHECK(law->quantile(kLargestU) == 0.8);
  CHECK(law->upper() == 0.8);
  double before = 0;
  for (int i = 0; i < 5000; ++i) {
    const double x = law->quantile(i / 5000.0);
    REQUIRE(x >= before);
    before = x;
  }
}

TEST_CASE("draws of a histogram follow it: Pearson's chi-square", "[empirical][statistical]") {
  const std::vector<HistogramBin> bins{{0.1, 0.1, 5}, {0.2, 0.2, 1}, {0.3, 0.3, 14}, {0.4, 0.4, 30}, {1, 1, 50}};
  const auto law = histogram(bins);
  Stream stream({4, 0, 0, Purpose::owner});
  std::map<double, int> counts;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) ++counts[law->quantile(stream.uniform())];
  double chi_square = 0;
  for (const auto& bin : bins) {
    const double expected = kDraws * bin.weight / 100;
    chi_square += std::pow(counts[bin.low] - expected, 2) / expected;
  }
  CHECK(counts.size() == bins.size());
  CHECK(chi_square < 23.5);  // 4 degrees of freedom, 1e-4
}

TEST_CASE("histograms that cannot be are refused", "[empirical][error]") {
  CHECK_THROWS_WITH(empirical({}), Contains("at least one"));
  CHECK_THROWS_WITH(histogram({{0.1, 0.3, 1}, {0.2, 0.4, 1}}), "the bins from 0.1 to 0.3 and from 0.2 to 0.4 overlap");
  CHECK_THROWS_WITH(histogram({{0.3, 0.1, 1}}), Contains("ends must be in order"));
  CHECK_THROWS_WITH(histogram({{0.1, 0.1, -1}}), Contains("weight -1"));
  CHECK_THROWS_WITH(histogram({{0.1, 0.1, 0}}), Contains("whose weight is more than 0"));
}

TEST_CASE("a formula's moments are those of its integrals", "[empirical]") {
  struct Case {
    const char* text;
    double mean, second;
  };
  for (const Case& c : {Case{"u", 0.5, 1. / 3}, Case{"1-u^2", 2. / 3, 8. / 15}, Case{"sqrt(u)", 2. / 3, 0.5},
                        Case{"u < 0.123456789 ? 0.2 : 0.9", 0.9 - 0.7 * 0.123456789, 0.81 - 0.77 * 0.123456789},
                        Case{"0.5 + 0.5*sin(2*_pi*u)", 0.5, 0.375}, Case{"mod(13*u, 1)", 0.5, 1. / 3},
                        Case{"floor(7*u)/7", 3. / 7, 13. / 49}, Case{"0.3", 0.3, 0.09}}) {
    INFO(c.text);
    const auto law = of_formula(c.text);
    CHECK(std::abs(law->mean() - c.mean) <= kFormulaError);
    CHECK(std::abs(law->variance() - (c.second - c.mean * c.mean)) <= 2 * kFormulaError);
  }
  const auto exponential = of_formula("-10*ln(1-u)", kInfinity);
  CHECK(exponential->mean() == Approx(10).epsilon(kFormulaError));
  CHECK(exponential->variance() == Approx(100).epsilon(kFormulaError));
  CHECK(exponential->moment_limit() > 4);
  CHECK(of_formula("(1-u)^(-0.3)", kInfinity)->moment_limit() == Approx(1 / 0.3));
  CHECK(of_formula("1-u^2")->quantile(0.5) == 0.75);
  CHECK(reflected(of_formula("u"))->quantile(0) == kLargestU);
}

TEST_CASE("a formula that leaves its range is told with u and the value", "[empirical][error]") {
  CHECK_THROWS_WITH(of_formula("2*u"), "the formula '2*u' gives 1.00048828125 at u = 0.500244140625: an availability "
                                       "must be from 0 to 1");
  CHECK_THROWS_WITH(of_formula("u-1", kInfinity), Contains("gives -1 at u = 0") && Contains("at least 0"));
  CHECK_THROWS_WITH(of_formula("1/u", kInfinity), Contains("no finite value with u = 0"));
  CHECK_THROWS_WITH(of_formula("min(1, v)"), Contains("needs 'v', which is not given; did you mean 'u'?"));
  CHECK_THROWS_WITH(of_formula("0"), Contains("is 0 for every u"));
  CHECK_THROWS_WITH(of_formula("0.5+0.5*sin(1e6*u)"), Contains("cannot be integrated to 1e-08"));
  CHECK_THROWS_WITH(of_formula("(1-u)^(-0.6)", kInfinity), Contains("variance is infinite"));
  const auto narrow = of_formula("abs(u-0.3333331) < 1e-7 ? 2 : 0.5");  // which neither grid nor panels see
  CHECK(narrow->quantile(0.5) == 0.5);
  CHECK_THROWS_WITH(narrow->quantile(0.3333331), Contains("gives 2 at u = 0.3333331"));
}

TEST_CASE("a law is brought to another mean and TH as far as availabilities can be", "[empirical]") {
  const DistributionPtr law = empirical({0.3, 0.4, 0.5, 1});
  const auto th_of = [](const DistributionPtr& of) { return std::sqrt(of->variance()) / of->mean(); };
  for (const double mean : {0.2, 0.5, 0.55, 0.8, 0.95})
    for (const double th : {0.05, 0.2, 0.4}) {
      const DistributionPtr moved = brought_to(*law, mean, th);
      CHECK(moved->mean() == Approx(mean));
      CHECK((moved->lower() >= 0 && moved->upper() <= 1));
      // A quarter of the law is below the rest: at a mean of 0.95 it is no lower than 0.8.
      if (mean < 0.9 || th < 0.09) CHECK(th_of(moved) == Approx(th));
      else CHECK(th_of(moved) == Approx(0.2 * std::sqrt(0.25 * 0.75) / 0.95));
    }
  const DistributionPtr same = brought_to(*law, law->mean(), th_of(law));
  for (const double u : {0.1, 0.3, 0.6, 0.9}) CHECK(same->quantile(u) == Approx(law->quantile(u)));
  CHECK(brought_to(*empirical({0.4}), 0.6, 0.3)->variance() == 0);
  CHECK(brought_to(*law, 1, 0.3)->mean() == 1);
  // A machine that is at times wholly free may be free less often, or more, than was seen: the spread can grow.
  const DistributionPtr idle = empirical({0.2, 1, 1, 1});
  CHECK(th_of(brought_to(*idle, 0.78, 0.45)) == Approx(0.45));
  CHECK(th_of(idle) < 0.44);
}
