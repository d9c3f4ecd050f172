// Antithetic pairs and control variates: the same laws and means as without, on both engines, and less variance.
#include "sim/program/variance_reduction.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <tuple>

#include "sim/base/error.hpp"
#include "sim/engines/direct/availability_lanes.hpp"
#include "sim/engines/engine.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "tests/sim/run_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr const VarianceReduction& kAntithetic = kVarianceReductions[1];
constexpr const VarianceReduction& kControls = kVarianceReductions[2];
constexpr const VarianceReduction& kBoth = kVarianceReductions[3];

OwnerPtr intervals(const std::string& value, double th, const std::string& length, double interval_s = 10,
                   double shape = 3) {
  return intervals_owner(make_value_law(value, 0.5, th), make_length_law(length, interval_s, shape),
                         value + " " + std::to_string(th) + " " + length);
}

/// HL's base task, or another program, its work known to theory.
Scenario base_task(std::size_t n, const OwnerPtr& owner, double share_flop = 100,
                   const Program& program = compute_share) {
  Scenario s = computing(machines(n, NetworkKind::none), share_flop, owner);
  s.workload = std::make_shared<const LambdaWorkload>(program, share_flop * static_cast<double>(n));
  return s;
}

Process three_phases(Rank& self) {
  for (int phase = 0; phase < 3; ++phase) {
    co_await self.compute(self.share() / 3);
    co_await self.barrier();
  }
}

Process token(Rank& self) {  // round a ring, so that every rank waits for the one before
  if (self.index() > 0) co_await self.receive(self.index() - 1);
  co_await self.compute(self.share());
  if (self.index() + 1 < self.count()) co_await self.send(self.index() + 1, 100);
}

Scenario ring(const OwnerPtr& owner, double share_flop) {
  Scenario s = scenario(machines(3), token, owner);
  s.share_flop.assign(3, share_flop);
  return s;
}

Scenario reduced(Scenario s, const VarianceReduction& how, std::uint64_t seed = 1) {
  s.seed = seed;
  reduce_variance(s, how);
  return s;
}

std::vector<double> makespans(const Scenario& s, std::uint64_t replications) {
  return BatchRunner().run(Engine::direct, s, {0, replications}).makespan_s;
}

double correlation_of_pairs(const std::vector<double>& t) {
  JointMoments m(2);
  for (std::size_t k = 0; k < t.size(); k += 2) m.add(std::vector{t[k], t[k + 1]});
  return m.covariance(0, 1) / std::sqrt(m.covariance(0, 0) * m.covariance(1, 1));
}

double work_by(const Owner& owner, std::uint64_t replication, double time_s) {
  return time_s - naive_owner_time(owner, 1, replication, 0, time_s);
}

/// Kolmogorov and Smirnov's largest distance between two samples' distribution functions.
double distance(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto below = static_cast<double>(std::upper_bound(b.begin(), b.end(), a[i]) - b.begin());
    largest = std::max(largest, std::abs(static_cast<double>(i + 1) / static_cast<double>(a.size()) -
                                         below / static_cast<double>(b.size())));
  }
  return largest;
}

}  // namespace

TEST_CASE("A reflected law's draws are the law's, the other way round", "[computes][reads][variance_reduction]") {
  for (const auto& law : {make_value_law("uniform", 0.5, 0.4), make_value_law("beta", 0.4, 0.7),
                          make_value_law("truncated-normal", 0.6, 0.3), exponential(3)}) {
    const DistributionPtr mirror = reflected(law);
    for (const double u : {0.0, 0x1p-53, 0.1, 0.5, 0.75, 1 - 0x1p-53})
      CHECK(mirror->quantile(u) == Approx(law->quantile(1 - 0x1p-53 - u)).epsilon(1e-14));
    CHECK(mirror->mean() == law->mean());
    CHECK(mirror->variance() == law->variance());
  }
  const auto low = make_value_law("two-point", 0.5, 1);
  CHECK(low->quantile(0.3) == 0);
  CHECK(reflected(low)->quantile(0.3) == 1);
}

TEST_CASE("What has no antithetic counterpart stays what it is, links too", "[variance_reduction]") {
  const OwnerPtr cycle = duty_cycle_owner(10, 0.3, true);
  CHECK(antithetic_owner(cycle) == cycle);
  Scenario s = base_task(2, intervals("uniform", 0.3, "uniform"));
  s.bandwidth.assign(2, cycle);
  reduce_variance(s, kAntithetic);
  CHECK(s.bandwidth[0] == cycle);
  CHECK(s.owners[0]->odd);
  CHECK(s.owners[0] == s.owners[1]);  // who share one go on sharing
}

TEST_CASE("The work done by a time in a pair adds up to twice its mean where values are symmetric",
          "[variance_reduction]") {
  for (const auto& value : {"uniform", "two-point", "truncated-normal"})
    for (const auto& length : {"uniform", "exponential", "pareto"}) {
      const OwnerPtr owner = antithetic_owner(intervals(value, 0.4, length));
      for (const std::uint64_t pair : {0, 2, 14})
        CHECK(work_by(*owner, pair, 77) + work_by(*owner, pair + 1, 77) == Approx(77).epsilon(1e-9));
    }
}

TEST_CASE("Even replications are those of the plain run", "[variance_reduction]") {
  for (const auto& value : {"uniform", "beta"}) {
    const Scenario plain = base_task(3, intervals(value, 0.5, "uniform"));
    const auto a = makespans(plain, 20), b = makespans(reduced(plain, kBoth), 20);
    for (std::size_t k = 0; k < 20; k += 2) {
      CHECK(a[k] == b[k]);
      CHECK(a[k + 1] != b[k + 1]);
    }
  }
}

TEST_CASE("Antithetic replications have the law of plain ones", "[variance_reduction][statistics]") {
  // A distance beyond 1.95 sqrt(2/n) has a probability of 0.001 (Kolmogorov and Smirnov).
  constexpr std::size_t kRuns = 4000;
  for (const auto& value : {"uniform", "two-point", "truncated-normal"}) {
    const Scenario plain = base_task(4, intervals(value, 0.4, "uniform"));
    const auto all = makespans(reduced(plain, kAntithetic, 7), 2 * kRuns);
    std::vector<double> odd;
    for (std::size_t k = 1; k < all.size(); k += 2) odd.push_back(all[k]);
    INFO(value);
    CHECK(distance(odd, makespans(plain, kRuns)) < 1.95 * std::sqrt(2.0 / kRuns));
  }
}

TEST_CASE("The makespans of a pair are negatively correlated", "[variance_reduction][statistics]") {
  const auto of = [](Scenario s) { return correlation_of_pairs(makespans(reduced(std::move(s), kAntithetic), 4000)); };
  CHECK(of(base_task(1, intervals("uniform", 0.3, "uniform"))) < -0.9);
  // Two equal normals: -Cov(max, min)/Var max = -(1/pi)/(1 - 1/pi).
  CHECK(of(base_task(2, intervals("uniform", 0.3, "uniform"))) == Approx(-0.467).margin(0.1));
  CHECK(of(base_task(1, intervals("beta", 0.6, "exponential"))) < -0.5);
  CHECK(of(base_task(3, intervals("uniform", 0.5, "uniform"), 100, three_phases)) < -0.2);
}

TEST_CASE("Both engines record the same pairs and control variates", "[variance_reduction]") {
  Scenario mixed = base_task(3, intervals("uniform", 0.5, "uniform"));
  mixed.owners[1] = intervals("beta", 0.5, "exponential");
  mixed.owners[2] = dedicated_owner();
  for (const Scenario& plain : {base_task(4, intervals("uniform", 0.577, "uniform")), mixed,
                                ring(intervals("two-point", 0.8, "uniform"), 40)}) {
    const Scenario s = reduced(plain, kBoth);
    const BatchRecord direct = BatchRunner().run(Engine::direct, s, {0, 20}),
                      simgrid = BatchRunner().run(Engine::simgrid, s, {0, 20});
    REQUIRE(direct.controls.size() == 3);
    REQUIRE(simgrid.controls.size() == 3);
    for (std::size_t k = 0; k < 20; ++k) {
      CHECK(direct.makespan_s[k] == Approx(simgrid.makespan_s[k]).epsilon(1e-9));
      for (std::size_t c = 0; c < 3; ++c)
        CHECK(direct.controls[c][k] ==
              Approx(simgrid.controls[c][k]).epsilon(1e-9).margin(1e-9 * direct.makespan_s[k]));
    }
  }
}

TEST_CASE("Pairs and control variates are the same bits for every width of register", "[variance_reduction]") {
  for (const auto& value : {"uniform", "two-point"}) {
    const Scenario s = reduced(base_task(7, intervals(value, 0.5, "uniform")), kBoth);
    std::vector<std::vector<double>> seen;
    for (const std::size_t width : AvailabilityLanes::widths_here()) {
      DirectEngine engine;
      engine.use_width(width);
      std::vector<double> numbers(33 * 4);
      engine.run(s, {4, 33}, [&](const RunResult& r) {
        const std::size_t at = 4 * (r.replication - 4);
        numbers[at] = r.makespan_s;
        std::copy(r.controls.begin(), r.controls.end(), numbers.begin() + static_cast<std::ptrdiff_t>(at) + 1);
      });
      seen.push_back(numbers);
    }
    for (const auto& numbers : seen) CHECK(numbers == seen.front());
  }
}

TEST_CASE("Control variates have the mean 0, even where a task ends in its first intervals",
          "[variance_reduction][statistics]") {
  // 15 means at 4.5 standard errors: a false alarm has a probability of about 1e-4 with honest normals.
  constexpr std::uint64_t kRuns = 20000;
  Scenario unequal = base_task(3, intervals("beta", 0.9, "uniform"), 20);
  unequal.owners[0] = intervals("uniform", 0.1, "constant");
  std::vector<Scenario> plain{base_task(8, intervals("uniform", 0.3, "uniform")),
                              base_task(2, intervals("uniform", 0.577, "uniform", 50), 2),
                              base_task(3, intervals("two-point", 0.9, "exponential"), 60, three_phases), unequal,
                              ring(intervals("uniform", 0.577, "exponential"), 10)};
  for (const Scenario& s : plain) {
    const BatchRecord record = BatchRunner().run(Engine::direct, reduced(s, kControls), {0, kRuns});
    REQUIRE(record.controls.size() == 3);
    for (const auto& column : record.controls) {
      Moments m;
      for (const double x : column) m.add(x);
      CHECK(m.sd() > 0);
      CHECK(std::abs(m.mean()) < 4.5 * m.sd() / std::sqrt(static_cast<double>(kRuns)));
    }
  }
  // What does not count the interval that T cuts off has another mean, which as many replications show.
  Moments naive;
  const Scenario brief = plain[1];
  DirectEngine().run(brief, {0, kRuns}, [&](const RunResult& r) {
    for (const double owner_s : r[Quantity::owner_s]) naive.add(r.makespan_s - owner_s - 0.5 * r.makespan_s);
  });
  CHECK(std::abs(naive.mean()) > 20 * naive.sd() / std::sqrt(2.0 * kRuns));
}

TEST_CASE("tau is the same with and without variance reduction", "[variance_reduction][statistics]") {
  for (const Scenario& plain : {base_task(8, intervals("uniform", 0.5, "uniform")),
                                base_task(1, intervals("two-point", 0.9, "uniform"), 5),
                                base_task(3, intervals("truncated-normal", 0.5, "exponential"), 30, three_phases)}) {
    const auto tau = [&](const VarianceReduction& how, std::uint64_t seed) {
      return mean_estimate(simulated(reduced(plain, how, seed), {0, 20000}).makespan_s, 0.95);
    };
    const Estimate expected = tau(kNoVarianceReduction, 1);
    std::uint64_t seed = 2;
    for (const auto* how : {&kAntithetic, &kControls, &kBoth}) {
      const Estimate e = tau(*how, seed++);
      INFO(how->name);
      CHECK(std::abs(e.value - expected.value) < 4 / 1.96 * std::hypot(e.half_width(), expected.half_width()));
    }
  }
}

TEST_CASE("Intervals from pairs and control variates cover the truth as often as they say",
          "[variance_reduction][statistics]") {
  // 1000 experiments of 100 replications: 95 % give or take 0.7 %; the sd's interval is known to cover some 94 % or
  // less.
  constexpr std::uint64_t kExperiments = 1000, kSize = 100;
  const Scenario plain = base_task(4, intervals("uniform", 0.5, "uniform"));
  const PointStatistics many = simulated(reduced(plain, kNoVarianceReduction, 99), {0, 200000}, 230);
  const double tau = many.makespan_s.mean(), sigma = many.makespan_s.sd(),
               late = static_cast<double>(many.late) / 200000;
  REQUIRE(late > 0.1);
  for (const auto* how : {&kAntithetic, &kControls, &kBoth}) {
    const Scenario s = reduced(plain, *how);
    int tau_covered = 0, sigma_covered = 0, late_covered = 0;
    for (std::uint64_t e = 0; e < kExperiments; ++e) {
      const PointStatistics one = simulated(s, {e * kSize, kSize}, 230);
      const auto covers = [&](const char* metric, double truth) {
        const Estimate estimate = find_metric(metric)->estimate({&s, 230, 0.95, nullptr}, one).front();
        return estimate.low <= truth && truth <= estimate.high ? 1 : 0;
      };
      tau_covered += covers("tau", tau);
      sigma_covered += covers("sigma_T", sigma);
      late_covered += covers("RF", late);
    }
    INFO(how->name);
    CHECK(tau_covered >= 925);
    CHECK(tau_covered <= 972);
    CHECK(sigma_covered >= 900);
    CHECK(sigma_covered <= 972);
    CHECK(late_covered >= 930);  // conservative
  }
}

TEST_CASE("With control variates tau is unbiased and its intervals cover, of one to three machines",
          "[variance_reduction][statistics][slow]") {
  // 3000 experiments: a coverage of 95 % give or take 0.4 %, a bias give or take 0.018 standard deviations. With one
  // regression for all replications it is 0.16 to 0.25 of them at N = 2, and 100 replications cover 90 % (pairs) or
  // 93 %, 20 replications 90 %.
  constexpr std::uint64_t kExperiments = 3000;
  for (const std::size_t n : {1U, 2U, 3U}) {
    const Scenario plain = base_task(n, intervals("uniform", 0.5, "uniform"));
    const double tau =
        mean_estimate(simulated(reduced(plain, kBoth, 99), {0, 400000}).makespan_s, 0.95).value;
    for (const auto& [how, size, least] :
         {std::tuple{&kControls, 100U, 0.935}, std::tuple{&kBoth, 100U, 0.92}, std::tuple{&kControls, 20U, 0.93}}) {
      const Scenario s = reduced(plain, *how);
      Moments values;
      double covered = 0;
      for (std::uint64_t e = 0; e < kExperiments; ++e) {
        const Estimate estimate = mean_estimate(simulated(s, {e * size, size}).makespan_s, 0.95);
        values.add(estimate.value);
        covered += estimate.low <= tau && tau <= estimate.high ? 1.0 / kExperiments : 0;
      }
      INFO(n << " machines, " << size << " replications, " << how->name << ": " << covered << ", "
             << (values.mean() - tau) / values.sd());
      CHECK(covered >= least);
      CHECK(covered <= 0.985);
      CHECK(std::abs(values.mean() - tau) < 0.08 * values.sd());
    }
  }
}

TEST_CASE("Pairs and control variates narrow tau's interval on the base task", "[variance_reduction][statistics]") {
  // Normal theory at N = 8: 1.08, 3.1 and 4.5; these limits leave a third.
  const auto gain = [](std::size_t n, const VarianceReduction& how) {
    const auto width = [&](const VarianceReduction& way) {
      return mean_estimate(
                 simulated(reduced(base_task(n, intervals("uniform", 0.3, "uniform")), way), {0, 10000}).makespan_s,
                 0.95)
          .half_width();
    };
    return std::pow(width(kNoVarianceReduction) / width(how), 2);
  };
  CHECK(gain(8, kAntithetic) > 1);
  CHECK(gain(8, kControls) > 2);
  CHECK(gain(8, kBoth) > 3);
  CHECK(gain(1, kAntithetic) > 10);
  CHECK(gain(1, kControls) > 10);
}

TEST_CASE("Where lengths have no fourth moment the control variate that needs it is left out", "[variance_reduction]") {
  CHECK(ControlVariates(base_task(2, intervals("uniform", 0.4, "pareto", 10, 3))).count() == 1);
  CHECK(ControlVariates(base_task(2, intervals("uniform", 0.4, "pareto", 10, 4.5))).count() == 3);
}

TEST_CASE("Dedicated machines and constant availability are no obstacle", "[variance_reduction]") {
  for (const auto& owner : {dedicated_owner(), intervals("constant", 0, "uniform")}) {
    const Scenario s = reduced(base_task(3, owner), kBoth);
    const Estimate tau = mean_estimate(simulated(s, {0, 20}).makespan_s, 0.95);
    CHECK(tau.value == Approx(100 / owner->mean()));
    CHECK(tau.half_width() == Approx(0).margin(1e-9));
  }
}

TEST_CASE("Owners that a variance reduction cannot serve are named", "[variance_reduction][error]") {
  const auto jobs = jobs_owner(exponential(20), exponential(3), Discipline::processor_sharing, 1, "jobs of a kind");
  const auto trace =
      trace_owner(std::make_shared<const LoadSeries>(LoadSeries{{5, 5}, {0.2, 0.9}, {0, 5}, 10}), TraceStart::random, "a trace");
  for (const OwnerPtr& owner :
       {jobs, trace, duty_cycle_owner(10, 0.3, true), profile_of("PERIODICITY 4\n0 1\n1 0.25\n")})
    for (const auto* how : {&kAntithetic, &kControls, &kBoth}) {
      Scenario s = base_task(3, intervals("uniform", 0.4, "uniform"));
      s.owners[1] = owner;
      CHECK_THROWS_WITH(reduce_variance(s, *how),
                        Contains("ws2") && Contains(owner->describe()) && Contains(how->name) && Contains("intervals"));
      CHECK_NOTHROW(reduce_variance(s, kNoVarianceReduction));
    }
}
