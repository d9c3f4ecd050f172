// Tables of quantile functions: their stated error, moments, order, symmetry and bits; minima of known functions.
#include "sim/statistics/numerical_inversion.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"
#include "sim/statistics/roots_and_minima.hpp"

using namespace nowsim;

namespace {

constexpr std::uint64_t kDraws = std::uint64_t{1} << 53;
constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1;

double at_draw(const InverseTransform& law, std::uint64_t k) { return law.quantile(static_cast<double>(k) * 0x1p-53); }

/// What the error may be, at the probability p of the nearer tail, dx/d(log p) there.
double stated_error(double p, double slope, double x, double sd) {
  const bool far = p < std::ldexp(0.5, -QuantileTable::kNearOctaves);
  const double value = std::min(std::abs(x), sd * (far ? QuantileTable::kFarSd : QuantileTable::kNearSd));
  return (far ? QuantileTable::kFarError : QuantileTable::kError) * std::max(slope, value);
}

/// The draws of the table of `law`, times 1/unit, against one of Boost's distributions: the worst in terms of what is
/// stated, over both tails from the first draw on.
template <class D>
double worst_error(const DistributionPtr& law, const D& exact, double unit) {
  double worst = 0;
  for (int octave = 0; octave <= 52; ++octave)
    for (const double place : {1.0, 1.07, 1.33, 1.5, 1.91}) {
      const auto j = static_cast<std::uint64_t>(std::ldexp(place, octave - 1));
      const double p = (static_cast<double>(j) + 0.5) * 0x1p-53;
      for (const bool upper : {false, true}) {
        const double x = upper ? quantile(complement(exact, p)) : quantile(exact, p);
        const double drawn = at_draw(law->transform(), upper ? kDraws - 1 - j : j) / unit;
        if (std::max(std::abs(x), std::abs(drawn)) <= QuantileTable::kNegligible) continue;
        const double allowed = stated_error(p, p / pdf(exact, x), x, standard_deviation(exact));
        worst = std::max(worst, std::abs(drawn - x) / allowed);
      }
    }
  return worst;
}

struct Moments {
  double mean, second;
};

/// Where an octave's cells are: of the lower side, then of the upper.
TableCells cells_with(const QuantileTable& table, int i) {
  const bool is_near = i % QuantileTable::kOctaves >= QuantileTable::kOctaves - QuantileTable::kNearOctaves;
  return is_near ? table.cells() : table.far_cells();
}

/// Of T by its cells, as an engine reads them: a rule of four points is exact for squares of cubics.
Moments moments_of(const QuantileTable& table) {
  constexpr double kNode[] = {0.16999052179242813, 0.43056815579702629};
  constexpr double kWeight[] = {0.32607257743127307, 0.17392742256872693};
  Moments sum{0, 0};
  for (int i = 0; i < 2 * QuantileTable::kOctaves; ++i) {
    const TableCells cells = cells_with(table, i);
    const std::uint64_t word = cells.octaves[i], bits = word & 0xff;
    const double share = std::ldexp(1.0, i % QuantileTable::kOctaves - 54 - static_cast<int>(bits));
    for (std::uint64_t cell = 0; cell < std::uint64_t{1} << bits; ++cell) {
      const double* c = cells.rows + 4 * ((word >> 8) + cell);
      for (int n = 0; n < 2; ++n)
        for (const double t : {-kNode[n], kNode[n]}) {
          const double x = ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
          sum.mean += share * kWeight[n] * x, sum.second += share * kWeight[n] * x * x;
        }
    }
  }
  return sum;
}

/// The draws to either side of every border of the table's cells, each with the one above.
std::vector<std::uint64_t> around_borders(const QuantileTable& table) {
  std::vector<std::uint64_t> out;
  for (int i = 0; i < 2 * QuantileTable::kOctaves; ++i) {
    const int octave = i % QuantileTable::kOctaves, bits = static_cast<int>(cells_with(table, i).octaves[i] & 0xff);
    for (int cell = 0; cell < 1 << bits; ++cell) {
      const auto j = static_cast<std::uint64_t>(std::ldexp(1 + std::ldexp(cell, -bits), octave - 1));
      for (const std::uint64_t near : {j - 1, j, j + 1})
        if (near < kDraws / 2) out.push_back(i < QuantileTable::kOctaves ? near : kDraws - 2 - near);
    }
  }
  return out;
}

double th_of_beta(double a, double b) { return std::sqrt(b / (a * (a + b + 1))); }

DistributionPtr beta_of(double a, double b) { return make_value_law("beta", a / (a + b), th_of_beta(a, b)); }

std::vector<DistributionPtr> tabulated_laws() {
  std::vector<DistributionPtr> out{normal(0, 1), normal_above_zero(1, 0.2), normal_above_zero(1, 0.9),
                                   normal_above_zero(1, 0.9999), gamma(1, 1e-4), pareto(2, 9)};
  for (const double shape : {1e-3, 0.1, 1.0, 30.0}) out.push_back(gamma(1, 1 / std::sqrt(shape)));
  for (const auto& [a, b] : {std::pair{0.01, 0.01}, {0.05, 3.0}, {0.5, 0.5}, {1.0, 1.0}, {2.0, 30.0}, {5.0, 5.0},
                             {1e5, 2e5}})
    out.push_back(beta_of(a, b));
  for (const double mean : {0.02, 0.3, 0.5})  // from nearly 0 to nearly 1 within a small part of an octave
    out.push_back(make_value_law("beta", mean, 0.999 * std::sqrt((1 - mean) / mean)));
  for (const double mean : {0.01, 0.5, 0.7})
    for (const double th : {0.12, 0.3, 0.4})
      out.push_back(make_value_law("truncated-normal", mean, th * std::min(1.0, 1 / mean - 1)));
  return out;
}

/// Of larger sd/mean more of the second moment is beyond the last draw.
std::vector<DistributionPtr> laws_by_cv() {
  std::vector<DistributionPtr> out;
  for (const double cv : {0.01, 0.3, 1.0})
    for (const auto law : {weibull, lognormal}) out.push_back(law(3, cv));
  return out;
}

std::vector<DistributionPtr> all_tabulated_laws() {
  auto out = tabulated_laws();
  for (const DistributionPtr& law : laws_by_cv()) out.push_back(law);
  return out;
}

constexpr double kNoBound = -std::numeric_limits<double>::infinity();

struct Found {
  std::vector<double> at;
  double least = std::numeric_limits<double>::infinity();
  std::size_t evaluations = 0;
  bool converged = false;
};

Found minimum(const std::function<double(std::span<const double>)>& f, const MinimiseSettings& settings) {
  Found found;
  found.converged = minimise(
      [&](std::span<const double> x) {
        ++found.evaluations;
        const double value = f(x);
        if (value < found.least) found.least = value, found.at.assign(x.begin(), x.end());
        return value;
      },
      settings) == MinimiseEnd::converged;
  return found;
}

double bowl(std::span<const double> x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(i + 1) * (x[i] - 1) * (x[i] - 1);
  return 1 + sum;
}

}  // namespace

TEST_CASE("the error of tables against Boost's inverses is what is stated, over both tails",
          "[computes][quantile_table]") {
  using boost::math::policies::ignore_error;  // the density at an end can be infinite
  using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                                 boost::math::policies::overflow_error<ignore_error>>;
  for (const auto& [a, b] : {std::pair{0.1, 0.1}, {0.05, 3.0}, {0.5, 0.5}, {0.7, 20.0}, {1.0, 1.0}, {2.0, 30.0},
                             {30.0, 2.0}, {5.0, 5.0}, {1000.0, 3000.0}}) {
    INFO("beta " << a << " " << b);
    CHECK(worst_error(beta_of(a, b), boost::math::beta_distribution<double, InDouble>(a, b), 1) < 1);
  }
  for (const double shape : {0.05, 0.5, 1.0, 4.0, 100.0, 1e4}) {
    INFO("gamma " << shape);
    const boost::math::gamma_distribution<double, InDouble> exact(shape, 1 / shape);
    CHECK(worst_error(gamma(3, 3 / std::sqrt(shape)), exact, 3) < 1);
  }
  CHECK(worst_error(normal(0, 1), boost::math::normal_distribution<double, InDouble>(), 1) < 1);
  for (const double shape : {2.5, 20.0}) {
    INFO("pareto " << shape);
    const boost::math::pareto_distribution<double, InDouble> exact(1, shape);
    CHECK(worst_error(pareto(shape / (shape - 1), shape), exact, 1) < 1);
  }
}

TEST_CASE("tables keep mean and second moment to 1e-9", "[quantile_table]") {
  for (const DistributionPtr& law : all_tabulated_laws()) {
    const InverseTransform& form = law->transform();
    REQUIRE(form.form == InverseTransform::Form::table);
    CAPTURE(law->mean(), law->variance());
    const Moments t = moments_of(*form.table);
    const double mean = form.offset + form.scale * t.mean;
    const double second = form.offset * form.offset + form.scale * (2 * form.offset * t.mean + form.scale * t.second);
    const double expected = law->variance() + law->mean() * law->mean();
    CHECK(std::abs(mean - law->mean()) < 1e-9 * std::sqrt(expected));
    CHECK(second == Approx(expected).epsilon(1e-9));
    CHECK(second - mean * mean == Approx(law->variance()).epsilon(2e-9 + 1e-14 * expected / law->variance()));
  }
}

TEST_CASE("draws in order give values in order, across the borders of cells too", "[quantile_table]") {
  for (const DistributionPtr& law : all_tabulated_laws()) {
    CAPTURE(law->mean(), law->variance());
    const QuantileTable& table = *law->transform().table;
    const double rounding = 1e-15 * std::sqrt(law->variance()) / law->transform().scale;
    bool ordered = true;
    for (const std::uint64_t k : around_borders(table)) {
      const double x = static_cast<double>(k) * 0x1p-53, low = table.quantile(x, false);
      ordered = ordered && table.quantile(x + 0x1p-53, false) >= low - rounding - 1e-15 * std::abs(low);
    }
    CHECK(ordered);
    CHECK(law->quantile(0) >= law->lower());
    CHECK(law->quantile(1 - 0x1p-53) <= law->upper());
  }
}

TEST_CASE("a reflected law gives the draws' mirror images to the bit", "[quantile_table][distribution]") {
  Stream stream(StreamKey{});
  for (const DistributionPtr& law : {exponential(3), pareto(2, 3), normal(1, 2), beta_of(0.5, 3), gamma(1, 0.3)}) {
    const DistributionPtr mirror = reflected(law), back = reflected(mirror);
    for (int i = 0; i < 1000; ++i) {
      const double u = stream.uniform(), other = 1 - 0x1p-53 - u;
      REQUIRE(mirror->quantile(u) == law->quantile(other));
      REQUIRE(back->quantile(u) == law->quantile(u));
    }
  }
}

TEST_CASE("what engines read of a table is what it gives", "[quantile_table]") {
  Stream stream(StreamKey{});
  const DistributionPtr law = beta_of(0.5, 3);
  const QuantileTable& table = *law->transform().table;
  CHECK(reinterpret_cast<std::uintptr_t>(table.cells().rows) % 32 == 0);
  for (int i = 0; i < 10000; ++i) {
    const auto k = static_cast<std::uint64_t>(stream.uniform() * 0x1p53) >> (i % 53);
    const bool upper = k >= kDraws / 2;
    const std::uint64_t j = upper ? kDraws - 1 - k : k;
    const auto word = std::bit_cast<std::uint64_t>(static_cast<double>(j) + 0.5), mantissa = word & kMantissa;
    const std::uint64_t number = (upper ? 53 : 0) + (word >> 52) - 1022;
    const TableCells cells = cells_with(table, static_cast<int>(number));
    const std::uint64_t octave = cells.octaves[number], bits = octave & 0xff;
    const double* c = cells.rows + 4 * ((octave >> 8) + (mantissa >> (52 - bits)));
    const double t = std::bit_cast<double>(((mantissa << bits) & kMantissa) | (std::uint64_t{0x3ff} << 52)) - 1.5;
    REQUIRE(at_draw(law->transform(), k) == ((c[3] * t + c[2]) * t + c[1]) * t + c[0]);
    REQUIRE(at_draw(law->transform(), k) == table.cells().at_draw(k));
  }
}

TEST_CASE("draws have the same bits everywhere", "[quantile_table][distribution]") {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  const auto add = [&](const DistributionPtr& law) {
    Stream stream(StreamKey{});
    for (int i = 0; i < 2000; ++i) {
      const double u = std::ldexp(stream.uniform(), -(i % 40));
      for (const double x : {law->quantile(u), reflected(law)->quantile(u)})
        hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3;
    }
  };
  for (const DistributionPtr& law : tabulated_laws()) add(law);
  for (const DistributionPtr& law : {exponential(3), pareto(2, 2.5), uniform(1, 3), two_point(1, 2)}) add(law);
  CHECK(hash == 0xe743d4cbdfdc15b6);
  for (const DistributionPtr& law : laws_by_cv()) add(law);
  CHECK(hash == 0x1e5c6c3c0b467cbd);
}

TEST_CASE("a law that is drawn rarely has the same quantiles, without a table", "[quantile_table]") {
  for (const DistributionPtr& law : tabulated_laws()) {
    const DistributionPtr rarely = drawn_rarely(law);
    CHECK(rarely->mean() == law->mean());
    for (const double u : {0.0, 1e-9, 0.01, 0.3, 0.5, 0.7, 0.999, 1 - 0x1p-53})
      CHECK(rarely->quantile(u) == Approx(law->quantile(u)).epsilon(1e-7).margin(1e-8 * std::sqrt(law->variance())));
  }
  CHECK(drawn_rarely(uniform(1, 2))->quantile(0.25) == 1.25);
  const DistributionPtr law = pareto(1, 3), rarely = drawn_rarely(law);
  CHECK(rarely->quantile(0.5) == Approx(std::cbrt(2.0) * 2 / 3));  // without
  const std::uint64_t draw = std::uint64_t{1} << 50;  // with one, for those who ask for it
  CHECK(rarely->transform().table->cells().at_draw(draw) == law->transform().table->cells().at_draw(draw));
}

TEST_CASE("a law that is drawn coarsely has nearly the same quantiles, from a table much smaller", "[quantile_table]") {
  for (const auto& [mean, th] : {std::pair(0.207, 0.3), std::pair(0.5, 0.3), std::pair(0.9, 0.1), std::pair(0.207, 1.2)}) {
    const DistributionPtr law = make_value_law("beta", mean, th), coarse = drawn_coarsely(law), exact = drawn_rarely(law);
    INFO(mean << " " << th);
    CHECK(coarse->transform().table->bytes() < law->transform().table->bytes() / 4);
    double worst = 0;
    for (int k = 0; k < 2000; ++k)
      worst = std::max(worst, std::abs(coarse->quantile((k + 0.5) / 2000) - exact->quantile((k + 0.5) / 2000)));
    CHECK(worst < 2.5e-5 * std::sqrt(law->variance()));
    CHECK(worst > 0);
  }
  CHECK(drawn_coarsely(uniform(1, 2))->quantile(0.25) == 1.25);
}

TEST_CASE("a table's far octaves are made when a draw needs them, once", "[quantile_table]") {
  int made = 0;
  const auto exact = [law = beta_of(2, 3)](double p, bool upper) {
    return drawn_rarely(law)->quantile(upper ? 1 - p : p);
  };
  const QuantileTable table([&] { return ++made, exact; }, 0.2);
  const std::uint64_t near = std::uint64_t{1} << 50, far = std::uint64_t{1} << 30;
  REQUIRE(table.cells().near_bits != 0);
  static_cast<void>(table.cells().at_draw(near));
  CHECK(made == 1);
  for (const std::uint64_t draw : {far, far + 1, kDraws - far})
    CHECK(table.cells().at_draw(draw) == Approx(exact(static_cast<double>(draw) * 0x1p-53, false)).epsilon(1e-6));
  CHECK(made == 2);
}

TEST_CASE("a table is made at the first draw, once", "[quantile_table]") {
  int made = 0;
  const QuantileTable table([&made] {
    ++made;
    return [](double p, bool upper) { return upper ? 1 - p : p; };
  }, 0.3);
  CHECK(made == 0);
  CHECK(table.quantile(0.25, false) == Approx(0.25).epsilon(1e-15));
  CHECK(table.quantile(0.25, true) == Approx(0.75).epsilon(1e-15));
  CHECK(made == 1);
  CHECK(table.bytes() < 10000);
}

TEST_CASE("a function with jumps and flat parts has a table that rises and keeps the flat parts", "[quantile_table]") {
  const auto steps = [](double u) { return u < 0.3 ? 1.0 : u < 0.62 ? 2.0 : u < 0.9 ? 2 + u : 7.0; };
  const QuantileTable table([&] { return [&](double p, bool upper) { return steps(upper ? 1 - p : p); }; }, 1);
  double previous = 0;
  for (int i = 0; i < 100000; ++i) {
    const double u = i / 1e5, x = table.quantile(u, false);
    REQUIRE(x >= previous);
    previous = x;
    const bool is_at_jump = std::abs(u - 0.3) < 1e-4 || std::abs(u - 0.62) < 1e-4 || std::abs(u - 0.9) < 1e-4;
    if (!is_at_jump) REQUIRE(x == Approx(steps(u)).epsilon(1e-10));
  }
  CHECK(table.bytes() < 600000);
}

TEST_CASE("The minimum of a bowl is found in one, two and twenty dimensions", "[minimise]") {
  for (const std::size_t n : {1, 2, 20}) {
    const auto found = minimum(
        bowl, {std::vector<double>(n, 0.0), std::vector<double>(n, kNoBound), 0.25, 1e-5, 1e-12, 2000});
    CHECK(found.converged);
    for (const double x : found.at) CHECK(x == Approx(1).margin(1e-3));
  }
}

TEST_CASE("Bounds are kept where the minimum lies beyond them", "[minimise]") {
  const auto found = minimum(bowl, {{3, 3}, {2, kNoBound}, 0.25, 1e-5, 1e-12, 2000});
  CHECK(found.at[0] == Approx(2).margin(1e-3));
  CHECK(found.at[1] == Approx(1).margin(1e-3));
}

TEST_CASE("A search ends with its evaluations, and says so", "[minimise]") {
  const auto found = minimum(
      bowl, {std::vector<double>(10, 0.0), std::vector<double>(10, kNoBound), 0.25, 1e-9, 1e-15, 30});
  CHECK_FALSE(found.converged);
  CHECK(found.evaluations <= 31);
  CHECK(minimise(bowl, {{0.0}, {kNoBound}, 1, 1e-3, 1e-8, 0}) == MinimiseEnd::evaluations);
  // Without variables there is nothing to do.
  CHECK(minimise([](std::span<const double>) -> double { throw std::logic_error("called"); }, {}) ==
        MinimiseEnd::converged);
}

TEST_CASE("What the function throws passes through the minimiser", "[minimise][error]") {
  for (const std::size_t n : {1, 3})
    CHECK_THROWS_WITH(minimise([](std::span<const double>) -> double { throw std::domain_error("no such split"); },
                               {std::vector<double>(n, 0.0), std::vector<double>(n, kNoBound)}),
                      "no such split");
}

TEST_CASE("With its gradient the bowl's minimum takes few steps, and none beyond the bounds", "[minimise]") {
  std::size_t evaluations = 0;
  const auto with_gradient = [&](std::span<const double> x, std::span<double> gradient) {
    ++evaluations;
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = 2 * static_cast<double>(i + 1) * (x[i] - 1);
    return bowl(x);
  };
  const std::size_t n = 20;
  const MinimiseSettings settings{std::vector<double>(n, 0.0), std::vector<double>(n, kNoBound), 0, 1e-6, 1e-14, 500};
  for (const double x : minimise_by_gradient(with_gradient, settings, 5)) CHECK(x == Approx(1).margin(1e-3));
  CHECK(evaluations < 100);
  for (const double x : minimise_by_gradient(with_gradient, settings, 0.25)) CHECK(x == Approx(0.25));
  CHECK(minimise_by_gradient(with_gradient, {{}, {}}, 1).empty());
}
