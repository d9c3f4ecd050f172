// The engine against an independent simulation of the model, written plainly here with the standard library's generator,
// and against theory and the paper's trends, each with a stated confidence and fixed seeds.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "sim/metrics/metrics.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "workloads/parts/registry.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Draw = std::function<double(std::mt19937_64&)>;

double unit(std::mt19937_64& g) { return std::uniform_real_distribution<>(0, 1)(g); }

/// Uniform with this mean and TH.
Draw uniform_value(double mean, double th) {
  const double half = mean * th * std::sqrt(3.0);
  return [=](std::mt19937_64& g) { return mean - half + 2 * half * unit(g); };
}
Draw two_point_value(double mean, double th) {
  return [=](std::mt19937_64& g) { return unit(g) < 0.5 ? mean * (1 - th) : mean * (1 + th); };
}
Draw uniform_length(double mean) {
  return [=](std::mt19937_64& g) { return 2 * mean * unit(g); };
}
Draw exponential_length(double mean) {
  return [=](std::mt19937_64& g) { return -mean * std::log(1 - unit(g)); };
}
Draw constant_length(double mean) {
  return [=](std::mt19937_64&) { return mean; };
}

/// One machine of unit speed: what is left of its current interval is carried from phase to phase.
struct NaiveMachine {
  Draw value, length;
  double rate = 0, left = 0;
  /// The date at which `work` begun at `now` is done; intervals go on while the machine waits until `now`.
  double finish(std::mt19937_64& g, double& clock, double now, double work) {
    while (clock + left <= now) renew(g, clock);
    left -= now - clock;
    clock = now;
    while (work > rate * left) {
      work -= rate * left;
      renew(g, clock);
    }
    left -= work / rate;
    return clock += work / rate;
  }
  void renew(std::mt19937_64& g, double& clock) {
    clock += left;
    left = length(g);
    rate = std::max(value(g), 1e-12);
  }
};

/// T of one replication: phases of computing with a barrier after each.
double naive_makespan(std::mt19937_64& g, std::vector<NaiveMachine> machines, const std::vector<double>& shares, int phases) {
  std::vector<double> clocks(machines.size(), 0.0);
  double now = 0;
  for (int phase = 0; phase < phases; ++phase) {
    double last = now;
    for (std::size_t i = 0; i < machines.size(); ++i)
      last = std::max(last, machines[i].finish(g, clocks[i], now, shares[i] / phases));
    now = last;
  }
  return now;
}

struct Case {
  const char* what;
  std::vector<Draw> values;      ///< per machine
  std::vector<OwnerPtr> owners;  ///< the same law in nowsim
  Draw length;
  std::vector<double> shares;
  int phases;
};

OwnerPtr owner(const char* value, double mean, double th, const char* length, double interval) {
  return intervals_owner(make_value_law(value, mean, th), make_length_law(length, interval, 3), "test");
}

std::vector<Case> cases() {
  std::vector<Case> out;
  out.push_back({"one machine", {uniform_value(0.5, 0.577)}, {owner("uniform", 0.5, 0.577, "uniform", 10)}, uniform_length(10), {100}, 1});
  Case eight{"eight machines with TH spread by SH", {}, {}, uniform_length(10), std::vector<double>(8, 100.0), 1};
  for (int i = 0; i < 8; ++i) {
    const double th = 0.28 + 2 * (i / 7.0 - 0.5) * 0.14;
    eight.values.push_back(uniform_value(0.5, th));
    eight.owners.push_back(owner("uniform", 0.5, th, "uniform", 10));
  }
  out.push_back(eight);
  out.push_back({"phases, exponential lengths, unequal shares",
                 {two_point_value(0.5, 0.6), two_point_value(0.4, 0.9), uniform_value(0.7, 0.2)},
                 {owner("two-point", 0.5, 0.6, "exponential", 4), owner("two-point", 0.4, 0.9, "exponential", 4),
                  owner("uniform", 0.7, 0.2, "exponential", 4)},
                 exponential_length(4), {50, 40, 80}, 7});
  out.push_back({"a short task against long constant intervals", {uniform_value(0.5, 0.5), uniform_value(0.5, 0.5)},
                 {owner("uniform", 0.5, 0.5, "constant", 20), owner("uniform", 0.5, 0.5, "constant", 20)}, constant_length(20), {2, 2}, 1});
  return out;
}

/// Runs nowsim's engine on a case.
Moments simulated(const Case& c, std::uint64_t replications) {
  Scenario s = computing(machines(c.owners.size(), NetworkKind::none), 0, dedicated_owner());
  const int phases = c.phases;
  s.workload = std::make_shared<const LambdaWorkload>([phases](Rank& self) -> Process {
    for (int phase = 0; phase < phases; ++phase) {
      co_await self.compute(self.share() / phases);
      co_await self.barrier();
    }
  });
  s.owners = c.owners;
  s.share_flop = c.shares;
  Moments m;
  for (std::uint64_t first = 0; first < replications; first += 100)
    for (const auto& r : run(s, 100, first)) m.add(r.makespan_s);
  return m;
}

}  // namespace

TEST_CASE("tau and sigma_T agree with an independent simulation", "[computes][statistics]") {
  // Four cases, two figures each, at 4.5 standard errors: a false alarm has a probability below 6e-5 with honest normals.
  constexpr std::uint64_t kRuns = 3000;
  for (const auto& c : cases()) {
    INFO(c.what);
    std::mt19937_64 generator(20240817);
    std::vector<NaiveMachine> machines;
    for (const auto& value : c.values) machines.push_back({value, c.length});
    Moments naive;
    for (std::uint64_t k = 0; k < 4 * kRuns; ++k) naive.add(naive_makespan(generator, machines, c.shares, c.phases));
    const Moments ours = simulated(c, kRuns);
    const double error = std::sqrt(naive.variance() / (4 * kRuns) + ours.variance() / kRuns);
    CHECK(std::abs(ours.mean() - naive.mean()) < 4.5 * error);
    const double kurtosis = naive.central(4) / (naive.variance() * naive.variance());
    const double sd_error = naive.sd() * std::sqrt((kurtosis - 1) / 4 * (1.0 / (4 * kRuns) + 1.0 / kRuns));
    CHECK(std::abs(ours.sd() - naive.sd()) < 4.5 * sd_error);
  }
}

TEST_CASE("A long task's mean and variance approach renewal theory", "[statistics]") {
  // t = 2000 s, 200 intervals: the asymptotic mean is right within 4.5 standard errors, the variance within 15 %.
  const Case c{"long", {}, {owner("uniform", 0.5, 0.5, "uniform", 10)}, {}, {1000}, 1};
  const Moments m = simulated(c, 2000);
  const IntervalModel model = *c.owners[0]->renewal();
  CHECK(std::abs(m.mean() - renewal_mean_time(model, 1000, 1)) < 4.5 * m.sd() / std::sqrt(2000.0));
  CHECK(m.variance() == Approx(renewal_var_time(model, 1000, 1)).epsilon(0.15));
}

TEST_CASE("HL's trends hold: tau with TH, SH, phases and interval", "[statistics][slow]") {
  const auto tau = [](std::size_t n, double th, double sh, int phases, double interval) {
    Case c{"trend", {}, {}, {}, std::vector<double>(n, 100.0), phases};
    for (std::size_t i = 0; i < n; ++i)
      c.owners.push_back(owner("uniform", 0.5, spread_temporal_heterogeneity(th, sh, n, i), "uniform", interval));
    return simulated(c, 500);
  };
  // (3) one machine: tau hardly depends on TH (under 2 %), sigma_T grows in proportion to it.
  const Moments calm = tau(1, 0.14, 0, 1, 10), wild = tau(1, 0.56, 0, 1, 10);
  CHECK(wild.mean() == Approx(calm.mean()).epsilon(0.02));
  CHECK(wild.sd() / calm.sd() == Approx(4).epsilon(0.15));
  // (4) more so with more machines; (5) and with SH.
  CHECK(tau(8, 0.28, 0, 1, 10).mean() > tau(8, 0.14, 0, 1, 10).mean() + 5);
  CHECK(tau(8, 0.28, 0.28, 1, 10).mean() > tau(8, 0.28, 0, 1, 10).mean() + 2);
  // (9) tau grows with N_s while sigma_T/tau falls; (11) both grow with the interval.
  const Moments few = tau(10, 0.42, 0, 2, 10), many = tau(10, 0.42, 0, 50, 10);
  CHECK(many.mean() > few.mean() + 20);
  CHECK(many.sd() / many.mean() < few.sd() / few.mean());
  const Moments fine = tau(10, 0.42, 0, 1, 2), coarse = tau(10, 0.42, 0, 1, 50);
  CHECK(coarse.mean() > fine.mean() + 20);
  CHECK(coarse.sd() / coarse.mean() > fine.sd() / fine.mean());
}
