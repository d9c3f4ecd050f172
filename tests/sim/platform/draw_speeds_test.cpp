// Drawn speeds: what is exact in them, what is drawn, that draws can be repeated, and what no machines can have.
#include "sim/platform/generate_platform.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <numeric>
#include <random>
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

/// How many machines have each speed, the fastest first.
std::vector<std::size_t> counts_of(const std::vector<double>& falling) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < falling.size(); ++i)
    if (i == 0 || falling[i] != falling[i - 1]) out.push_back(1);
    else ++out.back();
  return out;
}

/// d_conf of n machines of 4 to 1 flop/s whose parts of the way from 1 to 4 add up to that.
double d_conf_of(double parts, std::size_t n) { return 4 / (1 + 3 * parts / static_cast<double>(n)) - 1; }

std::string complaint(const DrawnSpeeds& asked) {
  try {
    draw_speeds(asked);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Drawn speeds have the fastest, the slowest, the diversity and the number of speeds exactly",
          "[reads][platform]") {
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
  // Four machines at 4 and 1 flop/s and two between: they add up to u + w = 1 part of the way, so that either is
  // uniform.
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

TEST_CASE("Three speeds between the ends of 1, 2 and 4 machines are as rejection sampling has them", "[platform]") {
  // 9 machines, one of 4 and one of 1 flop/s: x + 2 y + 4 z = 2.5, uniform over the part of that plane in the cube.
  std::map<std::size_t, std::array<double, 3>> drawn_of, wanted_of;  // by count: how often, sum, squares
  const auto add = [](std::array<double, 3>& to, double part) {
    to[0] += 1;
    to[1] += part;
    to[2] += part * part;
  };
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const auto v = draw_speeds({9, 5, 4, 1, d_conf_of(3.5, 9), k});
    const auto counts = counts_of(v);
    const std::set between(counts.begin() + 1, counts.end() - 1);
    if (counts.front() != 1 || counts.back() != 1 || between != std::set<std::size_t>{1, 2, 4}) continue;
    for (std::size_t c = 1, at = 1; c < 4; at += counts[c++]) add(drawn_of[counts[c]], (v[at] - 1) / 3);
  }
  std::mt19937_64 engine(1);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53; };
  for (int k = 0; k < 100000; ++k) {
    const double x = uniform(), y = uniform(), z = (2.5 - x - 2 * y) / 4;
    if (z < 0 || z > 1) continue;
    add(wanted_of[1], x);
    add(wanted_of[2], y);
    add(wanted_of[4], z);
  }
  for (const std::size_t count : {1, 2, 4}) {
    INFO(count << " machines");
    const auto [n, sum, squares] = drawn_of[count];
    const auto [all, wanted_sum, wanted_squares] = wanted_of[count];
    REQUIRE(n > 1000);
    CHECK(sum / n == Approx(wanted_sum / all).margin(0.03));
    CHECK(squares / n == Approx(wanted_squares / all).margin(0.03));
  }
}

TEST_CASE("Counts are uniform among all that leave the diversity possible", "[platform]") {
  // 6 machines whose parts add up to 2.5: at most 2 at the fastest speed and 3 at the slowest.
  std::map<std::vector<std::size_t>, int> three, four;
  for (std::uint64_t k = 0; k < 3000; ++k) {
    ++three[counts_of(draw_speeds({6, 3, 4, 1, d_conf_of(2.5, 6), k}))];
    const auto counts = counts_of(draw_speeds({6, 4, 4, 1, d_conf_of(2.5, 6), k}));
    ++four[{counts.front(), counts.back()}];
  }
  REQUIRE(three.size() == 6);
  for (const auto& [counts, often] : three) {
    INFO(counts.front() << " and " << counts.back());
    CHECK(often == Approx(500).margin(100));
  }
  // Of 9 ways, which the rest is shared out in: C(6 - a - b - 1, 1).
  const std::map<std::vector<std::size_t>, int> ways{{{1, 1}, 3}, {{1, 2}, 2}, {{2, 1}, 2}, {{1, 3}, 1}, {{2, 2}, 1}};
  REQUIRE(four.size() == ways.size());
  for (const auto& [ends, number] : ways) {
    INFO(ends[0] << " and " << ends[1]);
    CHECK(four[ends] == Approx(3000.0 * number / 9).margin(100));
  }
}

TEST_CASE("Of many machines, a diversity that hardly any way to share them out has is refused soon", "[platform][error]") {
  // One machine at the fastest speed: by chance it hardly ever has as few.
  const std::string said = complaint({100000, 3, 4, 1, d_conf_of(1.5, 100000), 1});
  CHECK_THAT(said, Contains("100000 machines of 1 to 4 flop/s with 3 different speeds and d_conf = 2.9998"));
  CHECK_THAT(said, Contains("are too rare to be drawn"));
}

TEST_CASE("Speeds that numbers cannot tell apart are refused soon", "[platform][error]") {
  CHECK_THAT(complaint({1000, 1000, 1e15 + 3, 1e15, 1.5e-15, 1}),
             Contains("have at most 25 different speeds") && Contains("not 1000"));
  // There are 8001 numbers, but of 999 drawn at random some are always the same. A draw has steps for 1000 machines and
  // 99,900 exchanges, and two million there may be in all.
  CHECK_THAT(complaint({1000, 999, 1e15 + 1000, 1e15, 5e-13, 1}), Contains("lie too near one another: in 19 draws "));
  CHECK(draw_speeds({5, 5, 1e15 + 1000, 1e15, 5e-13, 1}).size() == 5);
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
