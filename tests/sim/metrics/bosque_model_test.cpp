// Bosque et al.'s efficiency and H-isoefficiency: identities for any numbers, sizes by hand and in closed form.
#include "sim/metrics/paper_models.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <limits>

#include "sim/statistics/random.hpp"
#include "tests/sim/overhead_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using bosque::isoefficient_size;
using bosque::System;
using Messages = Elimination::Messages;

namespace {

Approx same_as(double x) { return Approx(x).epsilon(1e-11); }

/// Any W(n) and T_o(n).
class Model final : public OverheadModel {
 public:
  using Of = std::function<double(double size)>;
  Model(Of work_flop, Of overhead_s) : work_flop_(std::move(work_flop)), overhead_s_(std::move(overhead_s)) {}
  double size() const override { return 1; }
  double work_flop(double size) const override { return work_flop_(size); }
  double overhead_s(double size, double, const UniformNetwork&) const override { return overhead_s_(size); }

 private:
  Of work_flop_, overhead_s_;
};

/// n² = K p_T q (lambda + 8 n/beta) of q messages, one after another, in each step.
double size_by_hand(double constant, double power_flops, double messages, const UniformNetwork& network) {
  const double b = constant * power_flops * messages * 8 / network.bandwidth_Bps;
  const double c = constant * power_flops * messages * network.latency_s;
  return (b + std::sqrt(b * b + 4 * c)) / 2;
}

}  // namespace

TEST_CASE("Efficiency by response time and by overhead is one number, and K keeps it", "[computes][bosque]") {
  Stream random({.seed = 3, .purpose = Purpose::workload});
  for (int trial = 0; trial < 300; ++trial) {
    const double w = 1 + 99 * random.uniform(), p_T = 0.1 + 9.9 * random.uniform(), t_o = 10 * random.uniform();
    const double eps = w / ((w / p_T + t_o) * p_T);
    CHECK(eps == same_as(1 / (1 + t_o * p_T / w)));
    CHECK(eps == same_as(bosque::efficiency_with_overhead(w, t_o, p_T)));
    CHECK(bosque::constant_of(eps) * t_o * p_T == same_as(w));
  }
  CHECK(bosque::constant_of(0.5) == 1);
  CHECK(bosque::constant_of(0.8) == same_as(4));
}

TEST_CASE("The size of an efficiency on two fast and two slow machines is that by hand", "[bosque]") {
  // p_T = 1468.6e6, two messages a step: n² = K (14686 + 125.32 n).
  const System four{4, 2 * kFast + 2 * kSlow, kMyrinet};
  const Elimination gauss(1);
  CHECK(*isoefficient_size(gauss, 0.5, four) == Approx(199.0872).epsilon(1e-6));
  CHECK(*isoefficient_size(gauss, 0.8, four) == Approx(599.3027).epsilon(1e-6));
}

TEST_CASE("The H-isoefficiency size solves its quadratic equation, for broadcast and point to point", "[bosque]") {
  Stream random({.seed = 8, .purpose = Purpose::workload});
  for (int trial = 0; trial < 300; ++trial) {
    const double ranks = std::floor(2 + 1000 * random.uniform()), eps = 0.01 + 0.98 * random.uniform();
    const System system{ranks, ranks * std::exp(20 * random.uniform()),
                        {1e-3 * random.uniform(), std::exp(3 + 20 * random.uniform())}};
    for (const Messages way : {Messages::broadcast, Messages::point_to_point}) {
      const Elimination gauss(1, way);
      const auto n = isoefficient_size(gauss, eps, system);
      REQUIRE(n);
      const double messages = way == Messages::broadcast ? std::ceil(std::log2(ranks)) : ranks - 1;
      CHECK(*n == same_as(size_by_hand(bosque::constant_of(eps), system.power_flops, messages, system.network)));
      const double overhead_s = gauss.overhead_s(*n, ranks, system.network);
      CHECK(bosque::efficiency_with_overhead(gauss.work_flop(*n), overhead_s, system.power_flops) == same_as(eps));
    }
  }
}

TEST_CASE("In the end sizes grow like p_T log p by broadcast and like p_T p point to point", "[bosque]") {
  const auto ratio = [](Messages way, double law_before, double law_after) {
    const auto size_on = [&](double ranks) {
      return *isoefficient_size(Elimination(1, way), 0.7, {ranks, 1e6 * ranks * kFast, kMyrinet});
    };
    return size_on(1024) / size_on(512) / (law_after / law_before);
  };
  CHECK(ratio(Messages::broadcast, 512 * 9, 1024 * 10) == Approx(1).epsilon(1e-6));
  CHECK(ratio(Messages::point_to_point, 512 * 511, 1024 * 1023) == Approx(1).epsilon(1e-6));
}

TEST_CASE("There is no size where nothing is lost, where no size is large enough, and of impossible efficiencies",
          "[bosque]") {
  const Elimination gauss(1);
  CHECK_FALSE(isoefficient_size(gauss, 0.5, {1, kFast, kMyrinet}));
  CHECK_FALSE(isoefficient_size(gauss, 0.5, {4, kFast, {0, std::numeric_limits<double>::infinity()}}));
  for (const double eps : {0.0, 1.0, 1.5, -0.5, std::numeric_limits<double>::quiet_NaN()})
    CHECK_FALSE(isoefficient_size(gauss, eps, {4, kFast, kMyrinet}));
  // W/T_o = 3 at any size: the efficiency on p_T = 1 is always 3/4.
  const Model in_step([](double n) { return 3 * n; }, [](double n) { return n; });
  for (const double eps : {0.7, 0.8}) CHECK_FALSE(isoefficient_size(in_step, eps, {2, 1, {}}));
}

TEST_CASE("Of a program that does nothing up to size 1 only sizes beyond count", "[bosque]") {
  // Shrinking rows: (n³ - n)/3 flop, and n - 1 steps that lose half a second each: n (n + 1)/3 = K/2.
  const Model rows([](double n) { return (n * n * n - n) / 3; }, [](double n) { return (n - 1) / 2; });
  CHECK(*isoefficient_size(rows, 0.8, {2, 1, {}}) == same_as(2));
  CHECK(*isoefficient_size(rows, 0.5, {2, 20, {}}) == same_as(5));
  CHECK_FALSE(isoefficient_size(rows, 0.5, {2, 1, {}}));  // it would be 0.82
  const Model alone([](double n) { return (n * n * n - n) / 3; }, [](double) { return 0.0; });
  CHECK_FALSE(isoefficient_size(alone, 0.5, {1, 1, {}}));
}
