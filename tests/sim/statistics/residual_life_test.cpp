// Tests of what is left of an interval at any moment: against renewal theory's distribution function and its moments.
#include "sim/statistics/laws.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "sim/base/formula.hpp"
#include "sim/statistics/user_laws.hpp"

using namespace nowsim;

namespace {

/// P[R <= x] = E[min(L, x)]/E[L], by the law's quantiles.
double distribution_function(const Distribution& law, double x) {
  constexpr int kCells = 200000;
  double sum = 0;
  for (int k = 0; k < kCells; ++k) sum += std::min(law.quantile((k + 0.5) / kCells), x);
  return sum / kCells / law.mean();
}

/// The same by what is drawn: the share of the unit square where at(u, part) <= x, exactly along `part`, in which it is
/// linear or constant.
double drawn_below(const ResidualLife& life, double x) {
  constexpr int kCells = 200000;
  double sum = 0;
  for (int k = 0; k < kCells; ++k) {
    const double u = (k + 0.5) / kCells, half = life.at(u, 0.5), quarter = life.at(u, 0.25);
    if (half == quarter) sum += half <= x ? 1 : 0;
    else sum += std::min(1.0, x / (2 * half));
  }
  return sum / kCells;
}

DistributionPtr written_law(const std::string& text) {
  return formula_law({text, std::make_shared<const Formula>(text)}, {0, kInfinity, "a time"});
}

}  // namespace

TEST_CASE("What is left of an interval has the distribution function of renewal theory", "[reads][owners]") {
  std::vector<std::pair<std::string, DistributionPtr>> laws;
  for (const auto& law : length_laws())
    for (const double spread : {0.4, 2.5, 4.0}) {
      if (law.spread == LengthLaw::Spread::shape && spread < 2) continue;
      laws.emplace_back(std::string(law.name) + " " + std::to_string(spread), law.make(10, spread));
    }
  laws.emplace_back("a file", empirical({1, 1, 4, 30}));
  laws.emplace_back("a histogram", histogram({{0, 5, 2}, {5, 5, 1}, {8, 20, 3}}));
  for (const auto& [name, law] : laws) {
    const ResidualLifePtr life = residual_life(*law);
    for (const double part : {0.1, 0.5, 1.0, 2.0, 5.0}) {
      const double x = part * law->mean();
      INFO(name << " at " << x);
      CHECK(drawn_below(*life, x) == Approx(distribution_function(*law, x)).margin(1e-4));
    }
  }
}

TEST_CASE("What is left of a formula's interval is that of the law it stands for", "[owners]") {
  const auto formula = residual_life(*written_law("-10*ln(1-u)")), falling = residual_life(*written_law("-10*ln(max(u, 1e-12))"));
  const auto parts = residual_life(*written_law("u < 0.5 ? 4 : 16"));
  double mean = 0, falling_mean = 0, mean_of_parts = 0;
  constexpr int kCells = 2000;
  for (int k = 0; k < kCells; ++k) {
    const double u = (k + 0.5) / kCells;
    mean += formula->at(u, 0.5) / kCells;
    falling_mean += falling->at(u, 0.5) / kCells;
    mean_of_parts += parts->at(u, 0.5) / kCells;
  }
  CHECK(mean == Approx(10).epsilon(2e-3));  // E[L²]/2E[L] of the exponential law
  CHECK(falling_mean == Approx(10).epsilon(2e-3));
  CHECK(mean_of_parts == Approx((16 + 256) / 4.0 / 10).epsilon(2e-3));
}

TEST_CASE("Quantiles of what is left are right in their tails", "[owners]") {
  for (const double u : {1e-9, 0.01, 0.3, 0.7, 0.99, 1 - 1e-9}) {
    INFO(u);
    CHECK(residual_life(*exponential(10))->at(u, 0.9) == Approx(-10 * std::log1p(-u)).epsilon(1e-9));
    CHECK(residual_life(*uniform(0, 20))->at(u, 0.25) == Approx(0.25 * 20 * std::sqrt(u)).epsilon(1e-12));
    CHECK(residual_life(*constant(10))->at(u, 0.25) == 2.5);
    const double x = residual_life(*pareto(10, 2.2))->at(u, 0), least = 10 * 1.2 / 2.2;
    const double above = x < least ? 1 - x / 10 : std::pow(x / least, -1.2) / 2.2;
    CHECK(above == Approx(1 - u).epsilon(1e-7));
    // A Weibull law of cv 1 is exponential, and its size-biased one the gamma law of shape 2.
    CHECK(residual_life(*weibull(10, 1))->at(u, 0.5) == Approx(5 * boost::math::gamma_p_inv(2, u)).epsilon(1e-7));
  }
}

TEST_CASE("Nothing is left of what is no length", "[owners]") {
  CHECK_THROWS_AS(residual_life(*normal_above_zero(1, 0.5)), std::logic_error);
}
