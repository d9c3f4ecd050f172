// Selection: what is told is right as often as stated, whatever the law, the spread, the correlation or ties.
#include "sim/statistics/multiple_comparisons.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

using namespace nowsim;

namespace {

class Normals {
 public:
  double operator()() {
    const auto uniform = [this] { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; };
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_{1};
};

double probability_below(double z) { return std::min(0.5 * std::erfc(-z / std::numbers::sqrt2), 1 - 1e-15); }

/// A standardised law, from a standard normal number.
struct SelectedLaw {
  const char* name;
  double (*of)(double z);
};

/// Gamma laws of shapes 1/2 and 1 (skewness 2.8 and 2), and the last of eight exponential times.
constexpr SelectedLaw kSelectedLaws[] = {
    {"normal", [](double z) { return z; }},
    {"gamma 1/2", [](double z) { return (z * z - 1) / std::numbers::sqrt2; }},
    {"gamma 1", [](double z) { return -std::log1p(-probability_below(z)) - 1; }},
    {"maximum",
     [](double z) { return (-std::log1p(-std::pow(probability_below(z), 0.125)) - 2.717857) / std::sqrt(1.527422); }}};

/// Systems of which the first `ties` are best and alike, and all others worse by the whole zone: the hardest there is.
struct SelectionCase {
  std::size_t systems, ties;
  double correlation, best_sd, other_sd;
};

constexpr std::size_t kInMean = 20;  // values of an observation, as experiments have it (decision.hpp)
constexpr double kIndifferent = 0.1;

/// Runs one to its end; `value` makes a system's value of a normal number.
SelectionOfBest selected(const SelectionRule& rule, const SelectionCase& c, Normals& normal, const auto& value) {
  SelectionOfBest selection(c.systems, rule);
  std::vector<double> means(c.systems);
  while (!selection.is_decided()) {
    means.assign(c.systems, 0);
    for (std::size_t k = 0; k < kInMean; ++k) {
      const double common = std::sqrt(c.correlation) * normal();
      for (std::size_t i = 0; i < c.systems; ++i)
        if (selection.is_in(i)) means[i] += value(i, common + std::sqrt(1 - c.correlation) * normal()) / kInMean;
    }
    selection.add(means);
  }
  return selection;
}

/// The share of trials in which one of the best was told, of so many.
double share_right(const SelectionRule& rule, const SelectionCase& c, int trials, const auto& value) {
  Normals normal;
  int right = 0;
  for (int t = 0; t < trials; ++t) right += selected(rule, c, normal, value).leader() < c.ties ? 1 : 0;
  return static_cast<double>(right) / trials;
}

/// Of means of a law; 0.95 is stated.
double share_right(const SelectedLaw& law, const SelectionCase& c, int trials) {
  SelectionRule rule;
  rule.indifference = kIndifferent;
  return share_right(rule, c, trials, [&](std::size_t i, double z) {
    return i < c.ties ? c.best_sd * law.of(z) : kIndifferent + c.other_sd * law.of(z);
  });
}

/// Of proportions.
double share_right(double best, const SelectionCase& c, int trials) {
  constexpr double kRareZone = 0.01;
  SelectionRule rule;
  rule.indifference = kRareZone;
  rule.least_variance = 3.0 / (static_cast<double>(rule.first_stage) * kInMean) / kInMean;
  return share_right(rule, c, trials, [&](std::size_t i, double z) {
    return probability_below(z) > 1 - best - (i < c.ties ? 0 : kRareZone) ? 1.0 : 0.0;
  });
}

/// What so many trials may show of a share that is 0.95: three standard errors less.
double least_seen(int trials) { return 0.95 - 3 * std::sqrt(0.95 * 0.05 / trials); }

}  // namespace

TEST_CASE("The best is told as often as stated", "[computes][selection][statistics]") {
  constexpr int kTrials = 100;
  constexpr SelectionCase kCases[] = {{2, 1, 0, 1, 1}, {2, 1, 0.9, 1, 2}, {5, 2, 0.5, 2, 1}, {5, 3, 0.9, 1, 2}};
  for (const auto& law : {kSelectedLaws[0], kSelectedLaws[2]})
    for (const auto& c : kCases) {
      INFO(law.name << " correlation " << c.correlation << " systems " << c.systems);
      CHECK(share_right(law, c, kTrials) >= least_seen(kTrials));
    }
  CHECK(share_right(0.005, {2, 1, 0, 1, 1}, kTrials) >= least_seen(kTrials));
}

TEST_CASE("The best is told as often as stated, everywhere", "[.long][selection][statistics]") {
  constexpr int kTrials = 2000;
  using Spreads = std::pair<double, double>;
  for (const double correlation : {0.0, 0.5, 0.9})
    for (const auto& [systems, ties] : std::vector<std::pair<std::size_t, std::size_t>>{{2, 1}, {8, 1}, {8, 3}}) {
      for (const auto& law : kSelectedLaws)
        for (const auto& [best_sd, other_sd] : {Spreads{1, 1}, Spreads{2, 1}, Spreads{1, 2}}) {
          const double share = share_right(law, {systems, ties, correlation, best_sd, other_sd}, kTrials);
          INFO(law.name << " correlation " << correlation << " systems " << systems << " ties " << ties << " spreads "
                        << best_sd << ", " << other_sd << ": " << share);
          CHECK(share >= least_seen(kTrials));
        }
      for (const double best : {0.0, 0.005, 0.05}) {
        INFO("proportion " << best << " correlation " << correlation << " systems " << systems << " ties " << ties);
        CHECK(share_right(best, {systems, ties, correlation, 1, 1}, kTrials / 4) >= least_seen(kTrials / 4));
      }
    }
}

TEST_CASE("Identical systems are told as equal after the first stage, the first of them as the best", "[selection]") {
  SelectionOfBest selection(3, {.indifference = 0.1});
  for (int k = 0; k < 10; ++k) {
    CHECK_FALSE(selection.is_decided());
    const double x = k % 3;
    selection.add(std::array{x, x, x + 1});
  }
  REQUIRE(selection.is_decided());
  CHECK(selection.leader() == 0);
  CHECK(selection.lead_over(1) == 0);
  CHECK(selection.lead_over(2) == Approx(1));
  CHECK(selection.observations_of(2) == 10);
}

TEST_CASE("Exact ties of varying systems come to an end", "[selection]") {
  Normals normal;
  const SelectionOfBest selection =
      selected({.indifference = 0.3}, {4, 4, 0, 1, 1}, normal, [](std::size_t, double z) { return z; });
  CHECK(selection.is_decided());
}

TEST_CASE("A system goes out when the lead over it leaves the triangle", "[selection]") {
  // Differences alternate between 0 and 2: variance 10/9 after ten, of which eta = (0.1^(-2/9) - 1)/2 makes h² = 6.0130;
  // W(r) = h²·variance/(2·delta) - r·delta/2, and the lead is r.
  SelectionOfBest selection(2, {.indifference = 0.1});
  std::uint64_t r = 0;
  while (!selection.is_decided() && r < 1000) {
    const double difference = r++ % 2 == 0 ? 0 : 2;
    selection.add(std::array{0.0, difference});
  }
  const double eta = (std::pow(0.1, -2.0 / 9) - 1) / 2, start = 2 * eta * 9 * (10.0 / 9) / 0.2;
  // The lead is r at even r, r - 1 at odd ones.
  std::uint64_t expected = 10;
  while (static_cast<double>(expected - expected % 2) <= start - 0.05 * static_cast<double>(expected)) ++expected;
  CHECK(r == expected);
  CHECK(selection.leader() == 0);
}

TEST_CASE("A relative indifference is fixed from the first stage", "[selection]") {
  SelectionOfBest selection(2, {.indifference = 0.01, .is_relative = true});
  for (int k = 0; k < 9; ++k) selection.add(std::array{200.0 + k % 2 * 100, 300.0 - k % 2 * 100});
  CHECK(selection.indifference() == 0);
  selection.add(std::array{300.0, 200.0});
  CHECK(selection.indifference() == Approx(2.5));
  selection.add(std::array{3000.0, 2000.0});
  CHECK(selection.indifference() == Approx(2.5));
}

TEST_CASE("The largest is best where it is asked for, and who is withdrawn is compared no more", "[selection]") {
  SelectionOfBest selection(3, {.indifference = 0.1, .least_is_best = false});
  selection.add(std::array{1.0, 2.0, 3.0});
  selection.withdraw(2);
  for (int k = 1; k < 10; ++k) selection.add(std::array{1.0, 2.0, 0.0});
  REQUIRE(selection.is_decided());
  CHECK(selection.leader() == 1);
  CHECK(selection.observations_of(2) == 1);
}
