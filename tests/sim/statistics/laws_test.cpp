// The laws, those of data and formulas too: moments and quantiles against integration or counts by hand, and refusals.
#include "sim/statistics/laws.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/statistics/random.hpp"
#include "sim/statistics/user_laws.hpp"

using namespace nowsim;
using Catch::Contains;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargestU = 1 - 0x1.0p-53;

struct MeanSd {
  double mean, sd;
};

/// Mean and sd by integrating the quantile over u, on panels that halve towards both ends so that tails are seen.
MeanSd numerical_moments(const Distribution& law) {
  using Rule = boost::math::quadrature::gauss<double, 15>;
  const auto over_u = [&](auto g) {
    double sum = 0;
    for (double end = 0.5; end > 0x1.0p-48; end /= 2) {
      sum += Rule::integrate([&](double u) { return g(law.quantile(u)); }, end / 2, end);
      sum += Rule::integrate([&](double v) { return g(law.quantile(1 - v)); }, end / 2, end);
    }
    return sum;
  };
  const double m = law.mean(), shift = over_u([m](double x) { return x - m; });
  return {m + shift, std::sqrt(over_u([m](double x) { return (x - m) * (x - m); }) - shift * shift)};
}

/// Quantiles may be out of order, and cumulate to their moments, by rounding only.
constexpr double kRounding = 1e-13;

/// u from 0 to the largest that a stream gives, dense in both tails.
std::vector<double> levels() {
  std::vector<double> out{0};
  for (double u = 0x1.0p-53; u < 0.001; u *= 1.5) out.push_back(u);
  for (int i = 1; i < 1000; ++i) out.push_back(i / 1000.0);
  for (double v = 0.001; v > 0x1.0p-53; v /= 1.5) out.push_back(1 - v);
  out.push_back(kLargestU);
  return out;
}

/// Non-decreasing (to rounding), finite and within the stated bounds.
void check_shape(const Distribution& law) {
  double previous = -kInfinity;
  for (const double u : levels()) {
    INFO("u = " << u);
    const double x = law.quantile(u);
    REQUIRE(std::isfinite(x));
    REQUIRE(x >= law.lower());
    REQUIRE(x <= law.upper());
    REQUIRE(x >= previous - kRounding * std::sqrt(law.variance()));
    previous = x;
  }
}

void check_moments(const Distribution& law, double mean, double sd, double tolerance) {
  CHECK(law.mean() == Approx(mean).epsilon(1e-12));
  CHECK(std::sqrt(law.variance()) == Approx(sd).epsilon(1e-12));
  const MeanSd numerical = numerical_moments(law);
  CHECK(std::abs(numerical.mean - mean) <= tolerance * mean);
  CHECK(std::abs(numerical.sd - sd) <= tolerance * sd);
}

void check_value_law(const std::string& name, double mean, double th, double tolerance = 1e-9) {
  INFO(name << ", mean " << mean << ", TH " << th);
  const DistributionPtr law = make_value_law(name, mean, th);
  CHECK(law->lower() >= 0);
  CHECK(law->upper() <= 1);
  check_shape(*law);
  check_moments(*law, mean, mean * th, tolerance);
}

const ValueLaw& value_law(const std::string& name) {
  for (const ValueLaw& law : value_laws())
    if (law.name == name) return law;
  throw std::logic_error("no such law");
}

double limit(const std::string& name, double mean) { return value_law(name).th_limit(mean); }

const std::vector<double> kMeans{0.02, 0.1, 0.3, 0.5, 0.6, 0.8, 0.99};

/// A normal on [0, 1] with its own mu and sigma, by the textbook formulas (good while mu is near [0, 1]).
struct TextbookTruncatedNormal {
  TextbookTruncatedNormal(double mu_, double sigma_) : mu(mu_), sigma(sigma_) {
    const double a = -mu / sigma, b = (1 - mu) / sigma, mass = cdf(phi, b) - cdf(phi, a);
    const double first = (pdf(phi, a) - pdf(phi, b)) / mass, second = (a * pdf(phi, a) - b * pdf(phi, b)) / mass;
    mean = mu + sigma * first;
    sd = sigma * std::sqrt(1 + second - first * first);
  }
  double share_below(double x) const {
    const double below = cdf(phi, -mu / sigma);
    return (cdf(phi, (x - mu) / sigma) - below) / (cdf(phi, (1 - mu) / sigma) - below);
  }
  boost::math::normal phi;
  double mu, sigma, mean = 0, sd = 0;
};

DistributionPtr of_formula(const std::string& text, double most = 1) {
  return formula_law({text, std::make_shared<const Formula>(text)}, {0, most, "an availability"});
}

}  // namespace

TEST_CASE("every law of availability has the mean and TH it was asked for", "[computes][distribution]") {
  for (const double mean : kMeans)
    for (const double share : {0.001, 0.05, 0.3, 0.7, 0.95})
      for (const std::string name : {"uniform", "two-point", "beta", "truncated-normal"}) {
        const bool nearly_a_step = name == "beta" && share > 0.9;  // whose integral is less exact
        check_value_law(name, mean, share * limit(name, mean), nearly_a_step ? 2e-8 : 1e-9);
      }
}

TEST_CASE("a normal truncated at 0 has the mean and sd it was asked for", "[distribution]") {
  for (const double mean : {1e-3, 100.0})
    for (const double spread : {1e-6, 0.01, 0.3, 0.6, 0.9, 0.99, 0.9995, 0.999999, 1 - 1e-12}) {
      INFO("mean " << mean << ", sd/mean " << spread);
      const DistributionPtr law = normal_above_zero(mean, spread * mean);
      check_shape(*law);
      check_moments(*law, mean, spread * mean, 1e-8);
    }
}

TEST_CASE("a normal truncated at 0 is the textbook's", "[distribution]") {
  // mu = 1, sigma = 2: mean mu + sigma h with the hazard h = phi(-1/2)/Phi(1/2) = 0.3520653/0.6914625.
  const double h = 0.35206532676429952 / 0.69146246127401312, mean = 1 + 2 * h, variance = 4 * (1 - h * (h + 0.5));
  const DistributionPtr law = normal_above_zero(mean, std::sqrt(variance));
  const boost::math::normal untruncated(1, 2);
  for (const double x : {0.1, 1.0, 3.0, 7.0}) {
    const double u = 1 - cdf(complement(untruncated, x)) / cdf(complement(untruncated, 0));
    CHECK(law->quantile(u) == Approx(x).epsilon(1e-9));
  }
}

TEST_CASE("a normal truncated at 0 needs an sd below its mean", "[distribution]") {
  CHECK_THROWS_WITH(normal_above_zero(100, 100),
                    "a normal truncated at 0 cannot have the standard deviation 100 at the mean 100: "
                    "it must be below the mean");
  CHECK_THROWS_AS(normal_above_zero(100, 101), InfeasibleError);
  CHECK_THROWS_AS(normal_above_zero(0, 1), InputError);
  CHECK_THROWS_AS(normal_above_zero(1, 0), InputError);
  CHECK_THROWS_AS(normal_above_zero(1, kNaN), InputError);
}

TEST_CASE("TH = 0 gives the constant for every law, the only TH at mean 1", "[distribution]") {
  for (const ValueLaw& law : value_laws()) {
    INFO(law.name);
    for (const double mean : {0.5, 1.0}) {
      const DistributionPtr made = make_value_law(law.name, mean, 0);
      CHECK(made->quantile(0) == mean);
      CHECK(made->quantile(kLargestU) == mean);
      CHECK(made->variance() == 0);
      CHECK(law.make(mean, 0)->quantile(0.3) == mean);
    }
    CHECK(law.th_limit(1) == 0);
    CHECK_THROWS_WITH(make_value_law(law.name, 1, 0.1),
                      "TH = 0.1 is more than the law '" + std::string(law.name) + "' can hold at mean 1: at most 0");
  }
}

TEST_CASE("the limits of TH are those of the model", "[distribution]") {
  CHECK(limit("uniform", 0.5) == Approx(1 / std::sqrt(3.0)).epsilon(1e-15));
  CHECK(limit("uniform", 0.2) == Approx(1 / std::sqrt(3.0)).epsilon(1e-15));
  CHECK(limit("uniform", 0.8) == Approx(0.25 / std::sqrt(3.0)).epsilon(1e-15));
  CHECK(limit("two-point", 0.5) == 1);
  CHECK(limit("two-point", 0.8) == Approx(0.25).epsilon(1e-15));
  CHECK(limit("beta", 0.5) == 1);
  CHECK(limit("beta", 0.1) == Approx(3).epsilon(1e-15));
  CHECK(limit("constant", 0.5) == 0);
  CHECK(limit("truncated-normal", 0.5) == Approx(1 / std::sqrt(3.0)).epsilon(1e-13));
}

TEST_CASE("the truncated normal's limit is the TH of the truncated exponential", "[distribution]") {
  for (const double rate : {0.01, 0.5, 2.0, 10.0, 200.0}) {
    // Mean and variance of the exponential cut to [0, 1]; the series avoids the cancellation at small rates.
    const double e = std::expm1(rate);
    const double mean = rate < 0.1 ? 0.5 - rate / 12 + std::pow(rate, 3) / 720 : 1 / rate - 1 / e;
    const double variance = rate < 0.1 ? 1.0 / 12 - rate * rate / 240 : 1 / (rate * rate) - (e + 1) / (e * e);
    CHECK(limit("truncated-normal", mean) == Approx(std::sqrt(variance) / mean).epsilon(1e-9));
    CHECK(limit("truncated-normal", 1 - mean) == Approx(std::sqrt(variance) / (1 - mean)).epsilon(1e-9));
  }
}

TEST_CASE("a closed limit is reached, and one that rounding puts just beyond it is, too", "[distribution]") {
  for (const double mean : kMeans)
    for (const std::string name : {"uniform", "two-point"}) {
      check_value_law(name, mean, limit(name, mean));
      check_value_law(name, mean, limit(name, mean) * (1 + 1e-15));
      CHECK_THROWS_AS(make_value_law(name, mean, limit(name, mean) * (1 + 1e-9)), InfeasibleError);
    }
  const DistributionPtr widest = make_value_law("uniform", 0.5, limit("uniform", 0.5));
  CHECK(widest->lower() == Approx(0).margin(1e-15));
  CHECK(widest->upper() == Approx(1).epsilon(1e-15));
  CHECK(make_value_law("two-point", 0.5, 1)->quantile(0.2) == 0);
  CHECK(make_value_law("two-point", 0.5, 1)->quantile(0.7) == 1);
}

TEST_CASE("an open limit is approached to the last bit but refused itself", "[distribution]") {
  for (const double mean : kMeans)
    for (const std::string name : {"beta", "truncated-normal"}) {
      const double supremum = limit(name, mean);
      CHECK_THROWS_AS(make_value_law(name, mean, supremum), InfeasibleError);
      check_shape(*make_value_law(name, mean, std::nextafter(supremum, 0)));
    }
}

TEST_CASE("beyond its limit a law is refused in a sentence that names the limit", "[distribution]") {
  CHECK_THROWS_AS(make_value_law("uniform", 0.5, 0.6), InfeasibleError);
  CHECK_THROWS_WITH(make_value_law("uniform", 0.5, 0.6),
                    "TH = 0.6 is more than the law 'uniform' can hold at mean 0.5: at most 0.57735");
  CHECK_THROWS_WITH(make_value_law("two-point", 0.8, 0.3),
                    "TH = 0.3 is more than the law 'two-point' can hold at mean 0.8: at most 0.25");
  CHECK_THROWS_WITH(make_value_law("beta", 0.1, 3.5),
                    "TH = 3.5 is more than the law 'beta' can hold at mean 0.1: it must be below 3");
  CHECK_THROWS_WITH(make_value_law("truncated-normal", 0.5, 0.7),
                    "TH = 0.7 is more than the law 'truncated-normal' can hold at mean 0.5: it must be below 0.57735");
  CHECK_THROWS_WITH(make_value_law("constant", 0.5, 0.1),
                    "TH = 0.1 is more than the law 'constant' can hold at mean 0.5: at most 0");
}

TEST_CASE("the limit that a message names can be used", "[distribution]") {
  for (const double mean : {0.013, 0.1, 0.37, 0.5, 0.61, 0.93})
    for (const ValueLaw& law : value_laws()) {
      INFO(law.name << ", mean " << mean);
      try {
        make_value_law(law.name, mean, 50);
        FAIL("TH = 50 was accepted");
      } catch (const InfeasibleError& e) {
        const std::string message = e.what();
        const double named = std::stod(message.substr(message.rfind(' ')));
        CHECK(named == Approx(law.th_limit(mean)).epsilon(1e-5));
        CHECK_NOTHROW(make_value_law(law.name, mean, law.closed ? named : named * (1 - 1e-12)));
      }
    }
}

TEST_CASE("a mean not above 0 or beyond 1, a TH that is none and an unknown name are input errors", "[distribution]") {
  for (const double mean : {0.0, -0.5, 1.2, kNaN, kInfinity})
    CHECK_THROWS_WITH(make_value_law("beta", mean, 0.1), Contains("it must be above 0, at most 1"));
  for (const double th : {-0.1, kNaN, kInfinity})
    CHECK_THROWS_WITH(make_value_law("beta", 0.5, th), Contains("it must be finite and at least 0"));
  CHECK_THROWS_WITH(make_value_law("gauss", 0.5, 0.1),
                    "there is no value law 'gauss': known are uniform, "
                    "truncated-normal, beta, two-point, constant");
  CHECK_THROWS_AS(make_value_law("gauss", 0.5, 0.1), InputError);
}

TEST_CASE("the value law uniform is low + (high - low) u to the bit", "[distribution]") {
  const DistributionPtr law = make_value_law("uniform", 0.5, 0.28);
  Stream stream(StreamKey{});
  for (int i = 0; i < 1000; ++i) {
    const double u = stream.uniform();
    REQUIRE(law->quantile(u) == law->lower() + (law->upper() - law->lower()) * u);
  }
}

TEST_CASE("a truncated normal is the normal that the textbook truncates", "[distribution]") {
  for (const double mu : {-1.0, -0.1, 0.0, 0.2, 0.5, 0.7, 1.0, 1.5})
    for (const double sigma : {0.2, 0.4, 1.0, 3.0}) {
      const TextbookTruncatedNormal expected(mu, sigma);
      INFO("mu " << mu << ", sigma " << sigma);
      const DistributionPtr law = make_value_law("truncated-normal", expected.mean, expected.sd / expected.mean);
      // The textbook's formulas lose digits to cancellation; so wide a normal is settled by its moments less exactly.
      for (const double u : {0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999})
        CHECK(expected.share_below(law->quantile(u)) == Approx(u).epsilon(1e-7));
    }
}

TEST_CASE("a truncated normal that is hardly truncated is the normal", "[distribution]") {
  for (const double mean : {0.1, 0.5, 0.9})
    for (const double th : {1e-2, 1e-4, 1e-9}) {
      const DistributionPtr cut = make_value_law("truncated-normal", mean, th), whole = normal(mean, mean * th);
      for (const double u : {1e-12, 0.01, 0.5, 0.9, 1 - 1e-12})
        CHECK(std::abs(cut->quantile(u) - whole->quantile(u)) <= 1e-10 * mean * th + 1e-15);
    }
}

TEST_CASE("a truncated normal with mu far outside 0 to 1 keeps its moments up to the supremum", "[distribution]") {
  for (const double mean : {1e-6, 0.001, 0.05, 0.3, 0.45, 0.499999, 0.5, 0.55, 0.7, 0.999})
    for (const double gap : {1e-1, 1e-2, 1e-4, 1e-6, 1e-8, 0.9e-9, 1.1e-10, 0.9e-10, 1e-13})
      check_value_law("truncated-normal", mean, limit("truncated-normal", mean) * (1 - gap));
}

TEST_CASE("a truncated normal and its mirror image have mirrored quantiles", "[distribution]") {
  for (const double share : {0.2, 0.8, 0.999, 1 - 1e-11}) {
    const double sd = 0.25 * share * limit("truncated-normal", 0.25);
    const DistributionPtr low = make_value_law("truncated-normal", 0.25, sd / 0.25);
    const DistributionPtr high = make_value_law("truncated-normal", 0.75, sd / 0.75);
    for (const double u : {0x1.0p-40, 0.1, 0.5, 0.8, 1 - 0x1.0p-40})
      CHECK(std::abs(low->quantile(u) + high->quantile(1 - 0x1.0p-53 - u) - 1) < 1e-9);
  }
}

TEST_CASE("quantiles of a truncated normal do not jump where its method changes", "[distribution]") {
  // The law of TH is continuous: close TH give close quantiles, from the body's method to the far tail's to the limit.
  for (const double mean : {0.05, 0.3, 0.8}) {
    const double supremum = limit("truncated-normal", mean);
    for (double gap = 0.5; gap > 1e-12; gap *= 0.9) {
      const DistributionPtr here = make_value_law("truncated-normal", mean, supremum * (1 - gap));
      const DistributionPtr next = make_value_law("truncated-normal", mean, supremum * (1 - 0.9 * gap));
      for (const double u : {0.001, 0.5, 0.999}) {
        INFO("mean " << mean << ", gap " << gap << ", u " << u);
        REQUIRE(std::abs(here->quantile(u) - next->quantile(u)) < gap + 1e-9);
      }
    }
  }
}

TEST_CASE("the beta law is Boost's beta with the parameters of mean and sd", "[distribution]") {
  const double mean = 0.3, th = 0.5, total = (1 - mean) / (mean * th * th) - 1;
  const boost::math::beta_distribution<double> expected(mean * total, (1 - mean) * total);
  const DistributionPtr law = make_value_law("beta", mean, th);
  for (const double u : {1e-10, 0.01, 0.5, 0.99, 1 - 1e-10})  // draws stand for the middle of their cells of 2^-53
    CHECK(law->quantile(u) == Approx(quantile(expected, u + 0x1.0p-54)).epsilon(2e-9));
}

TEST_CASE("beta and gamma pass over smoothly to their expansion for small spreads", "[distribution]") {
  // The shapes 1e6 (1 -+ 1e-9) lie on the two sides of the change; quantiles in units of the sd must agree.
  const auto check = [](const Distribution& exact, const Distribution& expanded) {
    const double sd = std::sqrt(exact.variance());
    for (const double u : {1e-12, 0.001, 0.3, 0.5, 0.9, 1 - 1e-12})
      CHECK(std::abs(exact.quantile(u) - expanded.quantile(u)) < 5e-8 * sd);
  };
  check(*gamma(100, 0.1 * (1 + 1e-9)), *gamma(100, 0.1 * (1 - 1e-9)));
  for (const double mean : {0.2, 0.5}) {
    const double th = std::sqrt((1 - mean) / mean / (1e6 / mean + 1));  // alpha = mean·total = 1e6
    check(*make_value_law("beta", mean, th * (1 + 1e-9)), *make_value_law("beta", mean, th * (1 - 1e-9)));
  }
}

TEST_CASE("tiny TH is no trouble for any law", "[distribution]") {
  for (const double mean : {1e-3, 0.5, 0.999})
    for (const double th : {1e-5, 1e-7})
      for (const std::string name : {"uniform", "two-point", "beta", "truncated-normal"}) {
        INFO(name << ", mean " << mean << ", TH " << th);
        const DistributionPtr law = make_value_law(name, mean, th);
        check_shape(*law);
        check_moments(*law, mean, mean * th, 1e-6);  // what doubles near the mean can show
      }
  CHECK(make_value_law("beta", 0.5, 1e-200)->quantile(0.3) == Approx(0.5));
  CHECK(gamma(1, 1e-200)->quantile(0.3) == Approx(1));
}

TEST_CASE("draws from a stream have the law's mean and variance", "[distribution]") {
  // The mean of n draws is within 5 standard errors; for the variance the bound is that of a kurtosis of 10.
  const int n = 20000;
  for (const ValueLaw& law : value_laws()) {
    if (law.name == "constant") continue;
    INFO(law.name);
    const DistributionPtr made = law.make(0.6, 0.3);
    Stream stream({11, 0, 0, Purpose::owner});
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      const double deviation = made->quantile(stream.uniform()) - 0.6;
      sum += deviation, squares += deviation * deviation;
    }
    CHECK(std::abs(sum / n) < 5 * 0.18 / std::sqrt(n));
    CHECK(squares / n == Approx(0.18 * 0.18).epsilon(5 * 3 / std::sqrt(n)));
  }
}

TEST_CASE("the plain laws have their mean, variance, bounds and shape", "[distribution]") {
  struct Case {
    DistributionPtr law;
    double mean, sd, lower, upper, tolerance;
  };
  const std::vector<Case> cases{
      {uniform(2, 6), 4, 4 / std::sqrt(12.0), 2, 6, 1e-12},
      {exponential(3), 3, 3, 0, kInfinity, 1e-9},
      {two_point(7, 1), 4, 3, 1, 7, 1e-12},
      {normal(10, 2), 10, 2, -kInfinity, kInfinity, 1e-9},
      {gamma(100, 60), 100, 60, 0, kInfinity, 1e-9},
      {gamma(5, 5), 5, 5, 0, kInfinity, 1e-9},
      {gamma(1, 3), 1, 3, 0, kInfinity, 1e-9},
      {gamma(100, 0.01), 100, 0.01, 0, kInfinity, 1e-8},
      // A heavy tail: u ends at 1 - 2^-48 here, beyond which (2^-48)^(1 - 2/shape) of the second moment lies.
      {pareto(10, 8), 10, 10 / std::sqrt(48.0), 8.75, kInfinity, 1e-8},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO("case " << i);
    check_shape(*cases[i].law);
    check_moments(*cases[i].law, cases[i].mean, cases[i].sd, cases[i].tolerance);
    CHECK(cases[i].law->lower() == cases[i].lower);
    CHECK(cases[i].law->upper() == cases[i].upper);
  }
}

TEST_CASE("Weibull and lognormal laws have the quantiles of the textbooks", "[distribution]") {
  // A Weibull law of shape 2 is Rayleigh's, sd/mean sqrt(4/pi - 1); of shape 1/2 sd/mean is sqrt(5), the mean twice the scale.
  const double pi = std::acos(-1.0);
  const auto rayleigh = weibull(3, std::sqrt(4 / pi - 1)), long_tailed = weibull(3, std::sqrt(5.0)), plain = weibull(3, 1);
  const double sigma = std::sqrt(std::log(5.0));
  const boost::math::normal z;
  for (const double u : {0.001, 0.01, 0.3, 0.5, 0.9, 0.9999}) {
    const double exponential_1 = -std::log1p(-u);
    CHECK(rayleigh->quantile(u) == Approx(3 * 2 / std::sqrt(pi) * std::sqrt(exponential_1)).epsilon(1e-8));
    CHECK(long_tailed->quantile(u) == Approx(1.5 * exponential_1 * exponential_1).epsilon(1e-8));
    CHECK(plain->quantile(u) == Approx(3 * exponential_1).epsilon(1e-8));
    CHECK(lognormal(3, 2)->quantile(u) == Approx(3 * std::exp(sigma * quantile(z, u) - sigma * sigma / 2)).epsilon(1e-8));
  }
}

TEST_CASE("the plain laws' quantiles are those of the textbooks", "[distribution]") {
  CHECK(constant(3)->quantile(0.7) == 3);
  CHECK(exponential(2)->quantile(0) == 0);
  CHECK(exponential(2)->quantile(0.5) == -2 * std::log1p(-0.5));
  CHECK(exponential(2)->quantile(0x1.0p-53) == Approx(0x1.0p-52).epsilon(1e-14));
  CHECK(pareto(6, 3)->quantile(0) == 4);
  CHECK(pareto(6, 3)->quantile(0.875) == Approx(8));
  CHECK(two_point(5, 2)->quantile(0.4999) == 2);
  CHECK(two_point(5, 2)->quantile(0.5) == 5);
  CHECK(normal(1, 2)->quantile(0.5) == Approx(1).epsilon(1e-14));
  CHECK(normal(0, 1)->quantile(0.975) == Approx(1.959963984540054).epsilon(2e-10));
  CHECK(normal(0, 1)->quantile(1e-10 - 0x1.0p-54) == Approx(-6.361340902404056).epsilon(1e-9));
  CHECK(normal(4, 0)->quantile(0.9) == 4);
  const boost::math::gamma_distribution<double> expected(4, 2.5);
  for (const double u : {1e-10, 0.2, 0.9})
    CHECK(gamma(10, 5)->quantile(u) == Approx(quantile(expected, u + 0x1.0p-54)).epsilon(1e-9));
}

TEST_CASE("every draw of an unbounded law is finite", "[distribution]") {
  for (const DistributionPtr& law : {exponential(1), pareto(1, 2.1), normal(0, 1), gamma(1, 0.5), gamma(1, 1e-5)})
    for (const double u : {0.0, kLargestU}) CHECK(std::isfinite(law->quantile(u)));
}

TEST_CASE("the plain laws refuse impossible parameters", "[distribution]") {
  CHECK_THROWS_WITH(uniform(2, 1), "a uniform law on [2, 1] is not possible: both ends must be finite, in order");
  CHECK_THROWS_AS(uniform(0, kInfinity), InputError);
  CHECK_THROWS_AS(uniform(kNaN, 1), InputError);
  CHECK_NOTHROW(uniform(1, 1));
  CHECK_THROWS_WITH(exponential(0),
                    "the mean of an exponential law = 0 is not possible: it must be positive and finite");
  CHECK_THROWS_AS(exponential(-1), InputError);
  CHECK_THROWS_AS(exponential(kNaN), InputError);
  CHECK_THROWS_WITH(pareto(1, 2), Contains("shape 2") && Contains("must be above 2"));
  CHECK_THROWS_AS(pareto(-1, 3), InputError);
  CHECK_THROWS_AS(normal(0, -1), InputError);
  CHECK_THROWS_AS(normal(kNaN, 1), InputError);
  CHECK_THROWS_AS(gamma(0, 1), InputError);
  CHECK_THROWS_AS(gamma(1, 0), InputError);
  CHECK_THROWS_AS(constant(kNaN), InputError);
  CHECK_THROWS_AS(two_point(0, kInfinity), InputError);
}

TEST_CASE("every law of interval lengths has the mean asked for, and the second moment of its kind", "[distribution]") {
  struct Case {
    const char* name;
    double variance;
  };
  // Mean 10: U[0, 20] gives E[L^2]/E[L] = 13.3 as in Huang & Lee's experiments.
  for (const Case& c :
       {Case{"uniform", 400.0 / 12}, Case{"exponential", 100}, Case{"constant", 0}, Case{"pareto", 100.0 / 15},
        Case{"weibull", 2500}, Case{"lognormal", 2500}}) {
    INFO(c.name);
    const DistributionPtr law = make_length_law(c.name, 10, 5);
    CHECK(law->mean() == Approx(10).epsilon(1e-14));
    CHECK(law->variance() == Approx(c.variance).margin(1e-12));
    CHECK(law->lower() >= 0);
    check_shape(*law);
  }
  CHECK(length_laws().size() == 6);
  CHECK(make_length_law("uniform", 10, 0)->quantile(0.25) == 5);
}

TEST_CASE("laws of interval lengths refuse impossible parameters", "[distribution]") {
  for (const LengthLaw& law : length_laws())
    for (const double mean : {0.0, -1.0, kNaN, kInfinity})
      CHECK_THROWS_AS(make_length_law(law.name, mean, 3), InputError);
  CHECK_THROWS_WITH(make_length_law("constant", 0, 0),
                    "mean interval length = 0 is not possible: it must be positive and finite");
  CHECK_THROWS_WITH(make_length_law("pareto", 10, 1.5), Contains("shape 1.5"));
  CHECK_THROWS_WITH(make_length_law("weibull", 10, 0), Contains("from 0.01 to 20"));
  CHECK_THROWS_WITH(make_length_law("lognormal", 10, 21), Contains("from 0.01 to 20"));
  CHECK_THROWS_WITH(make_length_law("gauss", 10, 1),
                    "there is no length law 'gauss': known are uniform, exponential, constant, pareto, weibull, lognormal");
}

TEST_CASE("Laws of extreme spreads are made or refused in a sentence", "[distribution][error]") {
  for (const double mean : {1e-300, 1e-9, 1.0, 1e9, 1e300})
    for (const double spread : {1e-300, 1e-17, 1e-9, 1e-6, 0.5, 0.999, 1 - 1e-12, 1.0, 10.0, 1e9, 1e200}) {
      CAPTURE(mean, spread);
      if (!(mean * spread > 0) || !std::isfinite(mean * spread)) continue;
      for (const auto make : {gamma, normal_above_zero}) {
        try {
          const auto law = make(mean, mean * spread);
          for (const double u : {0.0, 1e-9, 0.3, 0.5, 1 - 1e-9}) CHECK(law->quantile(u) >= 0);
        } catch (const InputError& e) {
          CHECK_THAT(e.what(), !Catch::Contains("Error in function"));
        }
      }
    }
}

TEST_CASE("given values are drawn each equally likely, its steps exactly", "[empirical]") {
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
