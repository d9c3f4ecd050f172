// The minimiser on functions whose minima are known.
#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>

#include "sim/statistics/roots_and_minima.hpp"

using namespace nowsim;

namespace {

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

TEST_CASE("The minimum of a bowl is found in one, two and twenty dimensions", "[computes][minimise]") {
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
