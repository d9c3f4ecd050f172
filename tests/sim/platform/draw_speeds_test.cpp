// Drawn speeds: what is exact in them, what is drawn, that draws can be repeated, and what no machines can have.
#include "sim/platform/draw_speeds.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <numeric>
#include <set>

#include "sim/base/error.hpp"

using namespace nowsim;
using Catch::Contains;

namespace {

std::vector<double> drawn(std::size_t distinct, std::uint64_t number, double d_conf = 0.96, std::size_t machines = 32) {
  return draw_speeds({machines, distinct, 1933e6, 514e6, d_conf, number});
}

double mean(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

std::string complaint(const DrawnSpeeds& asked) {
  try {
    draw_speeds(asked);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Drawn speeds have the fastest, the slowest, the diversity and the number of speeds exactly", "[platform]") {
  for (const std::size_t distinct : {3, 4, 6, 10, 31, 32})
    for (std::uint64_t number = 0; number < 20; ++number) {
      const auto v = drawn(distinct, number);
      INFO(distinct << " different speeds, draw " << number);
      REQUIRE(v.size() == 32);
      CHECK(std::ranges::is_sorted(v, std::greater{}));
      CHECK(v.front() == 1933e6);
      CHECK(v.back() == 514e6);
      CHECK(v.front() / mean(v) - 1 == Approx(0.96).epsilon(1e-12));
      CHECK(std::set(v.begin(), v.end()).size() == distinct);
    }
  for (const double d_conf : {0.05, 0.5, 2.0}) {
    const auto v = drawn(8, 1, d_conf, 100);
    CHECK(v.front() / mean(v) - 1 == Approx(d_conf).epsilon(1e-12));
  }
}

TEST_CASE("A draw gives the same speeds always, another draw others", "[platform]") {
  CHECK(drawn(6, 7) == drawn(6, 7));
  std::set<std::vector<double>> all;
  for (std::uint64_t number = 1; number <= 50; ++number) all.insert(drawn(6, number));
  CHECK(all.size() == 50);
  CHECK(drawn(6, 1) != drawn(7, 1));
}

TEST_CASE("Speeds between the ends are uniform among those that have the diversity", "[platform]") {
  // Four machines at 4 and 1 flop/s and two between: they add up to u + w = 1 part of the way, so that either is uniform.
  double sum = 0, squares = 0;
  constexpr int kDraws = 4000;
  for (int k = 0; k < kDraws; ++k) {
    const auto v = draw_speeds({4, 4, 4, 1, 0.6, static_cast<std::uint64_t>(k)});
    const double least = (v[2] - 1) / 3;  // uniform on 0 to 1/2
    sum += least;
    squares += least * least;
  }
  CHECK(sum / kDraws == Approx(0.25).margin(0.01));
  CHECK(squares / kDraws == Approx(1.0 / 12).margin(0.005));
}

TEST_CASE("Machines that are alike, and those of two speeds, leave nothing to draw", "[platform]") {
  CHECK(draw_speeds({3, 1, 5, 5, 0, 1}) == std::vector<double>{5, 5, 5});
  CHECK(draw_speeds({4, 2, 4, 1, 4 / 1.75 - 1, 9}) == std::vector<double>{4, 1, 1, 1});
}

TEST_CASE("What no machines can have is refused, with what they could", "[platform][error]") {
  CHECK_THAT(complaint({3, 4, 4, 1, 0.5, 1}), Contains("3 machines can have 1 to 3 different speeds, not 4"));
  CHECK_THAT(complaint({3, 0, 4, 1, 0.5, 1}), Contains("different speeds, not 0"));
  CHECK_THAT(complaint({3, 3, 1, 4, 0.5, 1}), Contains("at most the fastest's, not 4 beside 1 flop/s"));
  CHECK_THAT(complaint({3, 3, 4, 0, 0.5, 1}), Contains("must be above 0"));
  CHECK_THAT(complaint({3, 3, 4, 1, -0.5, 1}), Contains("d_conf must not be negative, nor -0.5"));
  CHECK_THAT(complaint({3, 1, 4, 1, 0.5, 1}), Contains("3 machines of 1 to 4 flop/s have at least 2 different speeds"));
  CHECK_THAT(complaint({3, 2, 4, 4, 0, 1}), Contains("have 1 speed, not 2"));
  CHECK_THAT(complaint({3, 1, 4, 4, 0.5, 1}), Contains("machines that are alike have d_conf = 0, not 0.5"));
  CHECK_THAT(complaint({4, 2, 4, 1, 0.5, 1}), Contains("cannot have d_conf = 0.5; they could have 0.6"));
  CHECK_THAT(complaint({4, 3, 4, 1, 1.5, 1}), Contains("with 3 different speeds have a d_conf between") &&
                                                  Contains("and 1.285714285714") && Contains("not 1.5"));
}
