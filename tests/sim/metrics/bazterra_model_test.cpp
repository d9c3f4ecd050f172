// Bazterra et al.'s propositions for any speeds and divisions of the work, and the figures that they print.
#include "sim/metrics/paper_models.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "sim/platform/platform.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Values = std::vector<double>;

/// Relative, for what would be equal without rounding.
constexpr double kRounding = 1e-12;

bool at_most(double a, double b) { return a <= b * (1 + kRounding); }
Approx same_as(double x) { return Approx(x).epsilon(kRounding); }

double sum(const Values& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Gamma_n = {C_n; A_n(K)}: processors of these speeds v_i, and an algorithm of K operations, of which each gets the
/// share p_i: the formulas as printed.
struct ParallelSystem {
  Values speed, probability;
  double operations = 1;

  /// T_i = K p_i/v_i (1), T_n = max T_i (2), T = sum T_i (3), T_1,min = K/max v [s].
  [[nodiscard]] Values times_s() const {
    Values times(speed.size());
    for (std::size_t i = 0; i < speed.size(); ++i) times[i] = operations * probability[i] / speed[i];
    return times;
  }
  [[nodiscard]] double elapsed_s() const { return std::ranges::max(times_s()); }
  [[nodiscard]] double total_s() const { return sum(times_s()); }
  [[nodiscard]] double serial_s() const { return operations / std::ranges::max(speed); }
  /// s = T_1,min/T_n (4), (5), e = s/s_max (7), n_eff = T/T_n (8).
  [[nodiscard]] double speedup() const { return serial_s() / elapsed_s(); }
  [[nodiscard]] double efficiency() const { return speedup() / bazterra::greatest_speedup(speed); }
  [[nodiscard]] double effective_processors() const { return total_s() / elapsed_s(); }
};

/// Processors of speeds v and h·v, h >= 1, of which the slower one gets the share p of the work (BZ 3.4): (11) to (13).
struct TwoProcessors {
  double h = 1, p = 0.5;
  [[nodiscard]] double diversity() const { return (h - 1) / (h + 1); }
  [[nodiscard]] double speedup() const { return p >= 1 / (1 + h) ? 1 / (h * p) : 1 / (1 - p); }
  [[nodiscard]] double effective_processors() const {
    return p >= 1 / (1 + h) ? 1 + (1 - p) / (h * p) : 1 + h * p / (1 - p);
  }
  [[nodiscard]] ParallelSystem system() const { return {{1, h}, {p, 1 - p}, 1}; }
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

TEST_CASE("The sum of times is between the elapsed time and n of it, with equality at the ends", "[bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    const double n = count(system);
    CHECK(at_most(system.elapsed_s(), system.total_s()));
    CHECK(at_most(system.total_s(), n * system.elapsed_s()));
    CHECK(at_most(1, system.effective_processors()));
    CHECK(at_most(system.effective_processors(), n));
    CHECK(proportional(system).effective_processors() == same_as(n));
    for (std::size_t j = 0; j < system.speed.size(); ++j)
      CHECK(with(system, all_on(j, system.speed.size())).effective_processors() == 1);
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

TEST_CASE("The speedup is at most the effective number of processors, and equal where only fastest ones work",
          "[bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    CHECK(at_most(system.speedup(), system.effective_processors()));
    const double fastest = std::ranges::max(system.speed);
    bool slower_work = false;
    for (std::size_t i = 0; i < system.speed.size(); ++i)
      slower_work = slower_work || (system.probability[i] > 0 && system.speed[i] < fastest);
    if (slower_work) CHECK(system.speedup() < system.effective_processors());
    // Of equal processors for any division, as Proposition 4 has it.
    ParallelSystem equal = system;
    equal.speed.assign(system.speed.size(), fastest);
    CHECK(equal.speedup() == same_as(equal.effective_processors()));
    // And of different ones where the slower have nothing to do, which it leaves out.
    ParallelSystem mixed = equal;
    mixed.speed.push_back(fastest / 2);
    mixed.probability.push_back(0);
    CHECK(mixed.speedup() == same_as(mixed.effective_processors()));
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
}

TEST_CASE("Equal parts give n times the slowest over the fastest speed", "[bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    const Values equal(system.speed.size(), 1 / count(system));
    CHECK(with(system, equal).speedup() == same_as(bazterra::equal_speedup(system.speed)));
  });
  CHECK(bazterra::equal_speedup(Values{4, 1, 2, 3}) == 1);  // a factor of 4: 0.25 n
}

TEST_CASE("Two processors follow their closed forms, at h = 2 with 1.5 for a third and 1 for a half", "[bazterra]") {
  Stream random({.seed = 9, .purpose = Purpose::workload});
  for (int trial = 0; trial < 300; ++trial) {
    const TwoProcessors two{1 + 4 * random.uniform(), random.uniform()};
    INFO("h " << two.h << " p " << two.p);
    const ParallelSystem system = two.system();
    CHECK(two.diversity() == Approx(bazterra::diversity(system.speed)).epsilon(kRounding).margin(1e-12));
    CHECK(two.speedup() == same_as(system.speedup()));
    CHECK(two.effective_processors() == same_as(system.effective_processors()));
  }
  CHECK(TwoProcessors{2, 1 / 3.}.diversity() == Approx(0.33).margin(0.005));
  CHECK(TwoProcessors{2, 1 / 3.}.speedup() == same_as(1.5));
  CHECK(TwoProcessors{2, 1 / 3.}.effective_processors() == same_as(2));
  CHECK(TwoProcessors{2, 0.5}.speedup() == same_as(1));
  CHECK(TwoProcessors{2, 0.5}.effective_processors() == same_as(1.5));
  for (const double p : {0.1, 0.5, 0.7}) {
    const TwoProcessors equal{1, p};
    CHECK(equal.speedup() == same_as(equal.effective_processors()));
  }
}
