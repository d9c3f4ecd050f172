// Splits by hand: policies, Huang & Lee's second step with the cases of their section 4.2, and objectives of samples.
#include "sim/splitting/equalize.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/splitting/policies.hpp"
#include "sim/splitting/split_objective.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/splitting/normal_tau.hpp"

using namespace nowsim;
using namespace nowsim::test;

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

const std::vector<MachineView> kThree{{1e9, 0.5, 0.1, 3, 4e9}, {2e9, 0.5, 0.2, 5, 8e9}, {1e9, 1.0, 0, 0, 0}};

std::vector<double> split(const std::string& policy, double work, const KeyValues& p = {}) {
  return builtin_policies().find(policy)->split(work, kThree, p);
}
KeyValues slope(double flop) { return {{{"slope", flop}}}; }
KeyValues weight(const std::string& text) { return {{}, {{"weight", {text, std::make_shared<const Formula>(text)}}}}; }

using Kind = SplitObjective::Kind;
const SplitObjective kTau{};
const SplitObjective kRisk{Kind::risk, 7.5, 0};
const SplitObjective kQuantile{Kind::quantile, 0, 0.8};

std::vector<double> drawn(std::size_t n, std::uint64_t seed = 1) {
  Stream stream({seed, 0, 0, Purpose::workload});
  std::vector<double> values(n);
  for (double& x : values) x = 10 * stream.uniform();
  return values;
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

TEST_CASE("Equal shares", "[splitting]") { CHECK(split("equal", 90) == std::vector<double>{30, 30, 30}); }

TEST_CASE("Shares in proportion to the mean available speed", "[splitting]") {
  const auto x = split("proportional", 100);  // 0.5, 1, 1 Gflop/s
  CHECK(x[0] == Approx(20));
  CHECK(x[1] == Approx(40));
  CHECK(x[2] == Approx(40));
}

TEST_CASE("Shares on a line of the given slope that sum to the work", "[splitting]") {
  const auto x = split("linear-slope", 90, slope(10));
  CHECK(x == std::vector<double>{20, 30, 40});
  CHECK(split("linear-slope", 90, slope(-30)) == std::vector<double>{60, 30, 0});
  CHECK_THROWS_AS(split("linear-slope", 90, slope(31)), InfeasibleError);
}

TEST_CASE("Shares by the user's formula see every variable", "[splitting]") {
  CHECK(split("formula", 60, weight("i")) == std::vector<double>{10, 20, 30});
  CHECK(split("formula", 10, weight("s / 0.5e9 + 0*(alpha + a + TH + sigma + N + memory + X)"))[1] == Approx(4));
  CHECK(split("formula", 10, weight("sigma"))[2] == 0);
}

TEST_CASE("Weights that are negative or all 0 are refused", "[splitting][error]") {
  CHECK_THROWS_AS(split("formula", 10, weight("i - 2")), InputError);
  CHECK_THROWS_AS(split("formula", 10, weight("0 * i")), InputError);
  CHECK_THROWS_WITH(split("formula", 10, weight("1e308")), Catch::Contains("too large"));  // each is a number, their sum is none
  CHECK_THROWS_AS(split("formula", 10, weight("nonsense")), InputError);
}

TEST_CASE("Every policy's shares sum to the work", "[splitting][property]") {
  for (const auto& policy : builtin_policies()) {
    if (policy.split == nullptr) continue;  // found by simulation: find_split_test.cpp
    KeyValues parameters = weight("1 + TH*i");
    parameters.numbers = slope(7).numbers;
    const auto x = policy.split(12345.678, kThree, parameters);
    CHECK(std::accumulate(x.begin(), x.end(), 0.0) == Approx(12345.678).epsilon(1e-12));
  }
  CHECK(builtin_policies().find("no-such") == nullptr);
}

TEST_CASE("The objectives of ten numbers", "[split]") {
  const std::vector<double> ten{3, 1, 2, 10, 9, 8, 7, 6, 5, 4};
  CHECK(objective_value(kTau, ten) == Approx(5.5));
  CHECK(objective_value(kRisk, ten) == Approx(0.3));
  CHECK(objective_value(kQuantile, ten) == 8);  // the smallest number that 80 % do not exceed
  CHECK(std::isnan(objective_value(kTau, {})));
}

TEST_CASE("Slopes of the smooth objectives are their derivatives by each makespan", "[split]") {
  const auto sample = drawn(40);
  for (const auto& objective : {kTau, kRisk, kQuantile}) {
    const auto smooth = SmoothObjective::near(objective, sample);
    const auto slopes = smooth.slopes(sample);
    for (const std::size_t k : {0, 7, 39}) {
      auto up = sample, down = sample;
      up[k] += 1e-7;
      down[k] -= 1e-7;
      CHECK(slopes[k] == Approx((smooth.value(up) - smooth.value(down)) / 2e-7).epsilon(1e-4).margin(1e-8));
    }
  }
}

TEST_CASE("Smooth objectives are near those of the sample", "[split]") {
  const auto sample = drawn(2000);
  for (const auto& objective : {kRisk, kQuantile})
    CHECK(SmoothObjective::near(objective, sample).value(sample) ==
          Approx(objective_value(objective, sample)).epsilon(0.05));
}

TEST_CASE("A deadline far beyond the sample still has a slope to follow", "[split]") {
  const auto sample = drawn(100);
  for (const double deadline_s : {-50.0, 80.0}) {
    const auto smooth = SmoothObjective::near({Kind::risk, deadline_s, 0}, sample);
    const auto slopes = smooth.slopes(sample);
    CHECK(std::accumulate(slopes.begin(), slopes.end(), 0.0) > 1e-4);
  }
}

TEST_CASE("Intervals of paired differences hold the truth as often as they say", "[split][statistical]") {
  constexpr int kTrials = 400;
  for (const auto& objective : {kTau, kRisk, kQuantile}) {
    int held = 0;
    for (int trial = 0; trial < kTrials; ++trial) {  // b is a shrunk to 0.9: all three differences are known
      const auto a = drawn(500, static_cast<std::uint64_t>(trial) + 1);
      auto b = a;
      for (double& x : b) x *= 0.9;
      const Estimate d = paired_difference(objective, a, b, 0.95);
      const double truth = objective.kind == Kind::tau    ? 0.5
                           : objective.kind == Kind::risk ? 0.25 - (1 - 7.5 / 9) : 0.8;
      held += d.low <= truth && truth <= d.high ? 1 : 0;
    }
    CHECK(held >= 0.91 * kTrials);  // 0.95 less nearly 4 standard errors
  }
}

TEST_CASE("Of a quantile that a sample is too small to bound no interval is given", "[split]") {
  const auto a = drawn(100), b = drawn(100, 2);
  const Estimate few = paired_difference({Kind::quantile, 0, 0.98}, a, b, 0.95);
  CHECK(std::isfinite(few.value));
  CHECK((std::isnan(few.low) && std::isnan(few.high)));
  const Estimate enough = paired_difference({Kind::quantile, 0, 0.9}, a, b, 0.95);
  CHECK(enough.low < enough.high);
}

TEST_CASE("Equal samples differ by nothing, for certain as to tau", "[split]") {
  const auto a = drawn(100);
  for (const auto& objective : {kTau, kRisk, kQuantile}) CHECK(paired_difference(objective, a, a, 0.95).value == 0);
  CHECK(paired_difference(kTau, a, a, 0.95).half_width() == 0);
}
