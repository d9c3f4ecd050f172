// Huang & Lee's second step on machines that can be solved by hand, and the cases of their section 4.2.
#include "sim/splitting/equalize.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "tests/sim/splitting/normal_tau.hpp"

using namespace nowsim;
using nowsim::test::normal_tau;

namespace {

using Machines = std::vector<MachineView>;

/// A machine of that mean available speed whose sigma_Ti for `share` flop is sigma_s, where `equal` flop are an equal
/// share.
MachineView machine(double speed, double sigma_s, double share, double equal) {
  return {speed, 1, 0, sigma_s * std::sqrt(equal / share), 0};
}

/// Two machines at t = 100 s after step (1), s_1 = 1, with these standard deviations.
Machines after_step1(double s, double sigma1, double sigma2) {
  const double equal = 100 * (1 + s) / 2;
  return {machine(1, sigma1, 100, equal), machine(s, sigma2, 100 * s, equal)};
}

double work_of(const Machines& machines) {
  double speeds = 0;
  for (const auto& m : machines) speeds += m.available_speed();
  return 100 * speeds;
}

/// How many times as long tau is on the shares as on those of step (1), for normals.
double tau_ratio(const Machines& machines, const std::vector<double>& shares) {
  const double work = work_of(machines);
  return normal_tau(work, machines, shares) / normal_tau(work, machines, proportional_shares(work, machines));
}

/// tau's slope at step (1) [s], along what equalising would move.
double slope(const Machines& machines) {
  const double work = work_of(machines);
  const auto step1 = proportional_shares(work, machines), step2 = equalized_shares(work, machines);
  return normal_tau_slope(work, machines, step1, std::vector{step2[0] - step1[0], step2[1] - step1[1]});
}

}  // namespace

TEST_CASE("Equalising two machines, by hand", "[computes][equalize]") {
  // X = 25 at unit speed; sigma_T1 = 3 sqrt(X_1), sigma_T2 = sqrt(X_2)/2: 9 + 3·3 = 18 = 16 + 4/2.
  const Machines two{machine(1, 3, 1, 12.5), machine(1, 0.5, 1, 12.5)};
  const auto x = equalized_shares(25, two);
  CHECK(x[0] == Approx(9).epsilon(1e-14));
  CHECK(x[1] == Approx(16).epsilon(1e-14));
  const auto m = time_moments(25, two, x);
  CHECK(m[0].mean_s == Approx(9).epsilon(1e-14));
  CHECK(m[0].sd_s == Approx(9).epsilon(1e-14));
  CHECK(m[1].mean_s + m[1].sd_s == Approx(18).epsilon(1e-14));
}

TEST_CASE("Equalising two machines of different speeds, by hand", "[equalize]") {
  // s = 1, 4 and X = 80: 16 + 4·4 = 32 = 64/4 + 8·2.
  const auto x = equalized_shares(80, Machines{machine(1, 4, 1, 40), machine(4, 2, 1, 40)});
  CHECK(x[0] == Approx(16).epsilon(1e-14));
  CHECK(x[1] == Approx(64).epsilon(1e-14));
}

TEST_CASE("Equalising by the linear equations, by hand", "[equalize]") {
  // t = 10, sigma = 4 and 0: 14 - D·(1 + 4/20) = 10 + D, so D = 20/11.
  const Machines two{machine(1, 4, 10, 10), machine(1, 0, 10, 10)};
  const auto x = linearly_equalized_shares(20, two);
  CHECK(x[0] == Approx(10 - 20. / 11).epsilon(1e-14));
  CHECK(x[1] == Approx(10 + 20. / 11).epsilon(1e-14));
  // The exact equations: X_1 + 4 sqrt(X_1/10) = 20 - X_1.
  const auto exact = equalized_shares(20, two);
  CHECK(exact[0] + 4 * std::sqrt(exact[0] / 10) == Approx(exact[1]).epsilon(1e-14));
  CHECK(exact[0] == Approx(x[0]).epsilon(0.01));
}

TEST_CASE("A machine whose linear share would be negative gets none, the others are equalised", "[equalize]") {
  // t = 10, sigma = 50, 4, 0: as above for the last two, with all 30 flop: X_2 = 5/6·(level - 2), X_3 = level.
  const Machines three{machine(1, 50, 10, 10), machine(1, 4, 10, 10), machine(1, 0, 10, 10)};
  const auto x = linearly_equalized_shares(30, three);
  const double level = (30 + 5. / 3) / (11. / 6);
  CHECK(x[0] == 0);
  CHECK(x[1] == Approx(5. / 6 * (level - 2)).epsilon(1e-14));
  CHECK(x[2] == Approx(level).epsilon(1e-14));
  CHECK(equalized_shares(30, three)[0] > 0);
}

TEST_CASE("Equalising is exact and conserves work on many machines of any scale", "[equalize][property]") {
  Machines machines;
  const double work = 3.6e15, equal = work / 200;
  for (int i = 0; i < 200; ++i) machines.push_back(machine(1e9 * (1 + i % 7), i % 5 == 0 ? 0 : 11.0 * i, equal, equal));
  machines.push_back({1e9, 0, 0, std::nan(""), 0});  // its owner never leaves it
  const auto x = equalized_shares(work, machines);
  CHECK(std::accumulate(x.begin(), x.end(), 0.0) == Approx(work).epsilon(1e-14));
  CHECK(x.back() == 0);
  const auto m = time_moments(work, machines, x);
  for (std::size_t i = 0; i < 200; ++i)
    CHECK(m[i].mean_s + m[i].sd_s == Approx(m[0].mean_s + m[0].sd_s).epsilon(1e-12));
}

TEST_CASE("Where nothing varies, both equalisations are the proportional split", "[equalize]") {
  const Machines two{{1e9, 0.5, 0, 0, 0}, {2e9, 0.5, 0, 0, 0}};
  for (const auto& x : {equalized_shares(90, two), linearly_equalized_shares(90, two)}) {
    CHECK(x[0] == Approx(30).epsilon(1e-14));
    CHECK(x[1] == Approx(60).epsilon(1e-14));
  }
}

TEST_CASE("Work has nowhere to go where no machine has any available speed", "[equalize][error]") {
  const Machines none{{1e9, 0, 0, 0, 0}};
  CHECK_THROWS_AS(equalized_shares(10, none), InputError);
  CHECK_THROWS_AS(linearly_equalized_shares(10, none), InputError);
}

TEST_CASE("tau's slope by theory is its difference quotient", "[equalize]") {
  const Machines machines = after_step1(4, 10, 30);
  const double work = 500, h = 1e-3;
  const std::vector<double> x{100, 400}, direction{-1, 1};
  const double quotient = (normal_tau(work, machines, std::vector{100 - h, 400 + h}) -
                           normal_tau(work, machines, std::vector{100 + h, 400 - h})) /
                          (2 * h);
  CHECK(normal_tau_slope(work, machines, x, direction) == Approx(quotient).epsilon(1e-5));
}

TEST_CASE("Equalising can go against tau: the faster machine is the unsteadier one", "[equalize]") {
  // HL 4.2 (b): s_1 << s_2 and sigma_1 < sigma_2. Equalising takes work off the fast machine and lengthens tau.
  const Machines machines = after_step1(4, 10, 30);
  const auto step2 = equalized_shares(500, machines);
  CHECK(step2[0] > 100);
  CHECK(slope(machines) > 0);
  CHECK(tau_ratio(machines, step2) == Approx(1.068).epsilon(5e-4));
  double best = 2;
  for (double moved = 0; moved < 50; moved += 0.1)
    best = std::min(best, tau_ratio(machines, {100 - moved, 400 + moved}));
  CHECK(best == Approx(1 - 0.032).epsilon(5e-4));
}

TEST_CASE("Some of what equalising moves shortens tau in the other cases; all of it may be too much", "[equalize]") {
  const auto part = [](const Machines& machines, double lambda) {
    const double work = work_of(machines);
    const auto from = proportional_shares(work, machines), to = equalized_shares(work, machines);
    return tau_ratio(machines, {from[0] + lambda * (to[0] - from[0]), from[1] + lambda * (to[1] - from[1])});
  };
  for (const auto& machines : {after_step1(1, 30, 10), after_step1(4, 30, 10), after_step1(1.05, 10, 30)}) {
    CHECK(slope(machines) < 0);
    CHECK(part(machines, 0.1) < 1);
  }
  CHECK(part(after_step1(4, 30, 10), 1) < 1);
  // Equal machines, sigma = 30 and 10: E[max] = 100 + sqrt(1000/2pi) = 112.616. Equalised, means of 90.9 and 109.1 and
  // sd of 28.6 and 10.4 give 114.25 (Clark 1961).
  CHECK(part(after_step1(1, 30, 10), 1) == Approx(1.0145).epsilon(1e-4));
}

TEST_CASE("Times that doubles cannot hold are refused in a sentence", "[equalize][error]") {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const double sigma : {kNaN, kInfinity}) {
    const Machines two{{1, 1, 0, sigma, 0}, {2, 1, 0, 1, 0}};
    CHECK_THROWS_AS(equalized_shares(100, two), InputError);
    CHECK_THROWS_WITH(equalized_shares(100, two), Catch::StartsWith("the work cannot be equalised: "));
  }
  CHECK_THROWS_AS(equalized_shares(1e300, Machines{{1e-300, 1, 0, 1, 0}, {1e-300, 1, 0, 1, 0}}), InputError);
}

TEST_CASE("Equalising machines of very different sizes ends with all the work given out", "[equalize]") {
  for (const double speed : {1e-12, 1e-6, 1e6, 1e12, 1e100})
    for (const double sigma : {0.0, 1e-100, 1e-9, 1.0, 1e9, 1e100}) {
      CAPTURE(speed, sigma);
      const auto shares = equalized_shares(100, Machines{{1, 1, 0, 1, 0}, {speed, 1, 0, sigma, 0}});
      CHECK(shares[0] + shares[1] == Approx(100));
      CHECK(shares[0] >= 0);
      CHECK(shares[1] >= 0);
    }
}
