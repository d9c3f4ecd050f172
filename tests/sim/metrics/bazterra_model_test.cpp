// Bazterra et al.'s propositions for any speeds and divisions of the work, and the figures that they print.
#include "sim/metrics/paper_models.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "sim/platform/platform.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/metrics/metrics_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// Relative, for what would be equal without rounding.
constexpr double kRounding = 1e-12;

bool at_most(double a, double b) { return a <= b * (1 + kRounding); }
Approx same_as(double x) { return Approx(x).epsilon(kRounding); }

/// Gamma_n = {C_n; A_n(K)}: processors of these speeds v_i, and an algorithm of K operations, of which each gets the
/// share p_i: the formulas as printed.
struct ParallelSystem {
  Values speed, probability;
  double operations = 1;

  /// T_i = K p_i/v_i (1), T_n = max T_i (2), T_1,min = K/max v [s].
  [[nodiscard]] Values times_s() const {
    Values times(speed.size());
    for (std::size_t i = 0; i < speed.size(); ++i) times[i] = operations * probability[i] / speed[i];
    return times;
  }
  [[nodiscard]] double elapsed_s() const { return std::ranges::max(times_s()); }
  [[nodiscard]] double serial_s() const { return operations / std::ranges::max(speed); }
  /// s = T_1,min/T_n (4), (5), e = s/s_max (7).
  [[nodiscard]] double speedup() const { return serial_s() / elapsed_s(); }
  [[nodiscard]] double efficiency() const { return speedup() / bazterra::greatest_speedup(speed); }
};

Values scaled_to_one(Values weights) {
  const double all = sum(weights);
  for (double& w : weights) w /= all;
  return weights;
}

/// All operations on one processor.
Values all_on(std::size_t which, std::size_t n) {
  Values p(n, 0.0);
  p[which] = 1;
  return p;
}

double count(const ParallelSystem& system) { return static_cast<double>(system.speed.size()); }

/// 300 times: 1 to 12 processors, speeds uniform on (0.1, 10), probabilities uniform before they are scaled, every
/// fifth 0.
void with_random_systems(const std::function<void(const ParallelSystem&)>& check) {
  Stream random({.seed = 4, .purpose = Purpose::workload});
  for (int trial = 0; trial < 300; ++trial) {
    ParallelSystem system{Values(1 + static_cast<std::size_t>(random.uniform() * 12)), {}, 1 + 99 * random.uniform()};
    for (double& v : system.speed) v = 0.1 + 9.9 * random.uniform();
    for (std::size_t i = 0; i < system.speed.size(); ++i)
      system.probability.push_back(i > 0 && random.uniform() < 0.2 ? 0 : 1e-3 + random.uniform());
    system.probability = scaled_to_one(system.probability);
    check(system);
  }
}

ParallelSystem with(ParallelSystem system, Values probability) {
  system.probability = std::move(probability);
  return system;
}
ParallelSystem proportional(const ParallelSystem& system) {
  return with(system, bazterra::proportional_probabilities(system.speed));
}

}  // namespace

TEST_CASE("No division is faster than that in proportion to speed, and any other one is slower",
          "[computes][bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    const ParallelSystem best = proportional(system);
    CHECK(best.elapsed_s() == same_as(system.operations / sum(system.speed)));
    CHECK(at_most(best.elapsed_s(), system.elapsed_s()));
    double differs = 0;
    for (std::size_t i = 0; i < system.speed.size(); ++i)
      differs = std::max(differs, system.probability[i] / best.probability[i] - 1);
    CHECK(system.elapsed_s() == same_as(best.elapsed_s() * (1 + differs)));
  });
}

TEST_CASE("The speedup is between that of the slowest processor alone and that in proportion to speed", "[bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    const double least = std::ranges::min(system.speed) / std::ranges::max(system.speed);
    const double greatest = bazterra::greatest_speedup(system.speed);
    CHECK(at_most(least, system.speedup()));
    CHECK(at_most(system.speedup(), greatest));
    const auto slowest = static_cast<std::size_t>(std::ranges::min_element(system.speed) - system.speed.begin());
    CHECK(with(system, all_on(slowest, system.speed.size())).speedup() == same_as(least));
    CHECK(proportional(system).speedup() == same_as(greatest));
    CHECK(proportional(system).efficiency() == same_as(1));
    CHECK(system.efficiency() == same_as(proportional(system).elapsed_s() / system.elapsed_s()));
  });
}

TEST_CASE("The greatest speedup is n over 1 plus the diversity, and 1 minus heterogeneity its inverse", "[bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    const double diversity = bazterra::diversity(system.speed);
    CHECK(bazterra::greatest_speedup(system.speed) == same_as(count(system) / (1 + diversity)));
    CHECK(diversity >= -kRounding);
    const double h = heterogeneity(*machines(system.speed, NetworkKind::none));
    CHECK((1 - h) * (1 + diversity) == same_as(1));
  });
  CHECK(bazterra::diversity(Values{3, 3, 3}) == 0);
  CHECK(bazterra::diversity(Values{1, 2}) == Approx(1 / 3.));  // of two processors (h - 1)/(h + 1) (11)
}

TEST_CASE("Equal parts give n times the slowest over the fastest speed", "[bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    const Values equal(system.speed.size(), 1 / count(system));
    CHECK(with(system, equal).speedup() == same_as(bazterra::equal_speedup(system.speed)));
  });
  CHECK(bazterra::equal_speedup(Values{4, 1, 2, 3}) == 1);  // a factor of 4: 0.25 n
}
