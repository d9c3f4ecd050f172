// Correlated owners: laws, moments and autocorrelation as without, and the correlation that was asked for.
#include "sim/owners/owner_models.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "sim/base/error.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/sample.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

OwnerPtr owner_of(double weight, double th = 0.4, const char* value = "uniform", const char* length = "exponential") {
  return correlated_owner(make_value_law(value, 0.5, th), make_length_law(length, 10, 3), weight,
                          std::string(value) + " " + length + " " + std::to_string(th) + " " + std::to_string(weight));
}

OwnerPtr plain_owner(const char* value, const char* length) {
  return intervals_owner(make_value_law(value, 0.5, 0.4), make_length_law(length, 10, 3), "plain");
}

double value_at(const Owner& owner, std::uint64_t replication, std::uint64_t workstation, double time_s) {
  const auto path = owner.path({3, replication, workstation});
  for (double t = 0;;) {
    const Step step = path->next();
    if ((t += step.duration_s) > time_s) return step.value;
  }
}

double work_by(const Owner& owner, std::uint64_t replication, std::uint64_t workstation, double time_s) {
  return time_s - naive_owner_time(owner, 3, replication, workstation, time_s);
}

double correlation(const JointMoments& m) {
  return m.covariance(0, 1) / std::sqrt(m.covariance(0, 0) * m.covariance(1, 1));
}

/// Of uniforms whose normals have the correlation w.
double uniform_correlation(double w) { return 6 / std::numbers::pi * std::asin(w / 2); }

constexpr std::uint64_t kRuns = 20000;

/// Of A_0 and A_1 at this time.
JointMoments joint_values(const Owner& first, const Owner& second, double time_s) {
  JointMoments m(2);
  for (std::uint64_t k = 0; k < kRuns; ++k)
    m.add(std::vector{value_at(first, k, 0, time_s), value_at(second, k, 1, time_s)});
  return m;
}

bool same_steps(Path& a, Path& b, int count) {
  for (int k = 0; k < count; ++k) {
    const Step x = a.next(), y = b.next();
    if (x.duration_s != y.duration_s || x.value != y.value) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("Without weight the owner is the uncorrelated one, to the bit", "[reads][correlated_owner]") {
  const OwnerPtr none = owner_of(0);
  CHECK(std::holds_alternative<RenewalDraws>(lane_form(*none, {})));
  CHECK(none->renewal());
  CHECK(none->dependence() == Dependence{});
  CHECK(same_steps(*none->path({1, 2, 3}), *plain_owner("uniform", "exponential")->path({1, 2, 3}), 100));
}

TEST_CASE("With all the weight the paths of all workstations are the same, whatever their TH the same steps",
          "[correlated_owner]") {
  const OwnerPtr all = owner_of(1), calm = owner_of(1, 0.1);
  CHECK(same_steps(*all->path({1, 2, 0}), *all->path({1, 2, 7}), 100));
  CHECK_FALSE(same_steps(*all->path({1, 2, 0}), *all->path({1, 3, 0}), 1));
  const auto a = all->path({1, 2, 0}), b = calm->path({1, 2, 1});
  for (int k = 0; k < 100; ++k) {
    const Step x = a->next(), y = b->next();
    CHECK(x.duration_s == y.duration_s);
    CHECK((x.value - 0.5) / 0.4 == Approx((y.value - 0.5) / 0.1).margin(1e-12));
  }
}

TEST_CASE("Availabilities have the correlation that the weights stand for, at any time",
          "[correlated_owner][statistics]") {
  // The standard error of a correlation is (1 - r²)/sqrt(n) at most 0.0071 (of normals; of uniforms less); 4.5 of them.
  for (const double w : {0.2, 0.6, 0.95})
    for (const double time : {0.0, 47.0}) {
      INFO(w << " at " << time);
      CHECK(correlation(joint_values(*owner_of(w), *owner_of(w), time)) ==
            Approx(uniform_correlation(w)).margin(4.5 * (1 - w * w + 0.05) / std::sqrt(kRuns)));
    }
  const double between = std::sqrt(0.9 * 0.4);
  CHECK(correlation(joint_values(*owner_of(0.9), *owner_of(0.4, 0.2), 47)) ==
        Approx(uniform_correlation(between)).margin(4.5 * (1 - between * between) / std::sqrt(kRuns)));
  CHECK(std::abs(correlation(joint_values(*owner_of(0.9), *owner_of(0), 47))) < 4.5 / std::sqrt(kRuns));
}

TEST_CASE("Links correlate with links, and not with owners", "[correlated_owner][statistics]") {
  const OwnerPtr owner = owner_of(0.6), cycle = duty_cycle_owner(10, 0.5, true, 1);
  JointMoments links(2), both(2);
  for (std::uint64_t k = 0; k < kRuns; ++k) {
    const auto first = [&](std::uint64_t i, Purpose purpose) { return owner->path({3, k, i, purpose})->next().value; };
    const double link = first(0, Purpose::bandwidth);
    links.add(std::vector{link, first(1, Purpose::bandwidth)});
    both.add(std::vector{link, first(0, Purpose::owner)});
  }
  CHECK(correlation(links) == Approx(uniform_correlation(0.6)).margin(4.5 * 0.66 / std::sqrt(kRuns)));
  CHECK(std::abs(correlation(both)) < 4.5 / std::sqrt(kRuns));
  const auto link = [&](std::uint64_t i) { return cycle->path({1, 2, i, Purpose::bandwidth}); };
  CHECK(same_steps(*link(0), *link(4), 9));
  CHECK_FALSE(same_steps(*link(0), *cycle->path({1, 2, 0}), 1));
}

TEST_CASE("Each availability keeps its law", "[correlated_owner][statistics]") {
  // A distance beyond 1.95/sqrt(n) has a probability of 0.001 (Kolmogorov and Smirnov).
  for (const char* value : {"uniform", "beta", "truncated-normal"}) {
    const auto law = make_value_law(value, 0.5, 0.4);
    const OwnerPtr correlated = owner_of(0.5, 0.4, value);
    std::vector<double> seen;
    for (std::uint64_t k = 0; k < kRuns; ++k) seen.push_back(value_at(*correlated, k, 1, 33));
    std::sort(seen.begin(), seen.end());
    double distance = 0;
    for (const double u : {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}) {
      const auto below = std::lower_bound(seen.begin(), seen.end(), law->quantile(u)) - seen.begin();
      distance = std::max(distance, std::abs(static_cast<double>(below) / kRuns - u));
    }
    INFO(value);
    CHECK(distance < 1.95 / std::sqrt(kRuns));
    CHECK(correlated->mean() == law->mean());
    CHECK(correlated->sd() == Approx(std::sqrt(law->variance())));
  }
}

TEST_CASE("Sums over time vary, and vary together, as the autocorrelation says", "[correlated_owner][statistics]") {
  // Exponential intervals of mean m are stationary from the start on, with r(s) = exp(-s/m), so that
  // Var of the integral = Var A·(I(m/2) + (p(w) + p(1-w))·(I(m) - I(m/2))), covariance = Var A·p(w)·I(m),
  // where I(m) is the integral of 2(T - s)·exp(-s/m). Relative standard errors: sqrt(2/n) and some 1.1/(p·sqrt(n)).
  constexpr double kTime = 150, w = 0.6;
  const auto integral = [](double m) { return 2 * (m * kTime - m * m * (1 - std::exp(-kTime / m))); };
  const double p = uniform_correlation(w), q = uniform_correlation(1 - w), variance = 0.04;
  JointMoments m(2);
  const OwnerPtr owner = owner_of(w);
  for (std::uint64_t k = 0; k < kRuns; ++k)
    m.add(std::vector{work_by(*owner, k, 0, kTime), work_by(*owner, k, 1, kTime)});
  const double within = variance * (integral(5) + (p + q) * (integral(10) - integral(5)));
  CHECK(m.covariance(0, 0) == Approx(within).epsilon(4.5 * std::sqrt(2.0 / kRuns)));
  CHECK(m.covariance(1, 1) == Approx(within).epsilon(4.5 * std::sqrt(2.0 / kRuns)));
  CHECK(m.covariance(0, 1) == Approx(variance * p * integral(10)).epsilon(4.5 * 1.1 / p / std::sqrt(kRuns)));
}

TEST_CASE("Both engines run correlated owners of several kinds alike", "[correlated_owner][engine]") {
  Scenario s = computing(machines(3, NetworkKind::none), 200, owner_of(0.5));
  s.owners[1] = owner_of(0.9, 0.2);
  s.owners[2] = duty_cycle_owner(7, 0.3, true, 0.5);
  for (const auto& r : run(s, 20))
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(r[Quantity::finish_s][i] ==
            Approx(naive_finish(*s.owners[i], s.seed, r.replication, i, 200, 1)).epsilon(1e-9));
}

TEST_CASE("Random starts of duty cycles follow a common factor", "[correlated_owner][statistics]") {
  const auto begins_free = [](const Owner& owner, std::uint64_t k, std::uint64_t i) {
    return owner.path({1, k, i})->next().value > 0.5;
  };
  const OwnerPtr half = duty_cycle_owner(10, 0.5, true, 0.5), same = duty_cycle_owner(10, 0.5, true, 1);
  int both = 0, one = 0;
  for (std::uint64_t k = 0; k < kRuns; ++k) {
    one += begins_free(*half, k, 0);
    both += begins_free(*half, k, 0) && begins_free(*half, k, 1);
  }
  // Two normals of correlation 1/2 are both below their median with the chance 1/4 + asin(1/2)/(2 pi) = 1/3.
  const auto error = [](double p) { return 4.5 * std::sqrt(p * (1 - p) / kRuns); };
  CHECK(one / double(kRuns) == Approx(0.5).margin(error(0.5)));
  CHECK(both / double(kRuns) == Approx(1. / 3).margin(error(1. / 3)));
  CHECK(same_steps(*same->path({1, 2, 0}), *same->path({1, 2, 5}), 20));
  CHECK_FALSE(same_steps(*same->path({1, 2, 0}), *same->path({1, 3, 0}), 1));
  CHECK(same_steps(*duty_cycle_owner(10, 0.5, true, 0)->path({1, 2, 0}), *duty_cycle_owner(10, 0.5, true)->path({1, 2, 0}),
                   9));
}

TEST_CASE("Random starts of a trace follow a common factor", "[correlated_owner]") {
  auto trace = std::make_shared<LoadSeries>();
  for (int i = 0; i < 10; ++i) {
    trace->duration_s.push_back(10);
    trace->availability.push_back(0.1 * i);
    trace->start_s.push_back(10.0 * i);
  }
  trace->total_s = 100;
  const OwnerPtr same = trace_owner(trace, TraceStart::random, "t", 1),
                 plain = trace_owner(trace, TraceStart::random, "t");
  CHECK(same_steps(*same->path({1, 2, 0}), *same->path({1, 2, 5}), 30));
  CHECK_FALSE(same_steps(*plain->path({1, 2, 0}), *plain->path({1, 2, 5}), 1));
  CHECK(same->identity() != plain->identity());
  CHECK(plain->dependence() == Dependence{});
  CHECK(same->dependence() != Dependence{});
  double sum = 0;
  for (std::uint64_t k = 0; k < 4000; ++k)
    sum += trace_owner(trace, TraceStart::random, "t", 0.5)->path({1, k, 0})->next().value;
  CHECK(sum / 4000 == Approx(0.45).margin(4.5 * 0.2872 / std::sqrt(4000)));
}

TEST_CASE("Mirrored replications of correlated owners add up to twice the mean on every machine, at any time",
          "[correlated_owner][variance_reduction]") {
  const OwnerPtr owner = owner_of(0.6), mirror = mirrored(*owner);
  REQUIRE(mirror);
  for (std::uint64_t k = 0; k < 20; ++k)
    for (const double time : {0.0, 13.0, 200.0})
      CHECK(value_at(*owner, k, k % 3, time) + value_at(*mirror, k, k % 3, time) == Approx(1));
}

TEST_CASE("Correlated owners are no renewal process, and control variates are refused", "[correlated_owner][error]") {
  const OwnerPtr owner = owner_of(0.5);
  CHECK_FALSE(owner->renewal());
  CHECK_FALSE(std::holds_alternative<RenewalDraws>(lane_form(*owner, {})));
  CHECK(owner->dependence() != Dependence{});
  CHECK(owner->dependence() == owner_of(0.2, 0.1)->dependence());
  CHECK(owner->dependence() != owner_of(0.5, 0.4, "uniform", "uniform")->dependence());
  Scenario s = computing(machines(2, NetworkKind::none), 100, owner);
  CHECK_THROWS_WITH(reduce_variance(s, kVarianceReductions[2]), Contains("without correlation"));
}

TEST_CASE("A correlation is a weight, and one of random starts", "[correlated_owner][error]") {
  for (const double w : {-0.1, 1.1, std::nan("")}) {
    CHECK_THROWS_AS(owner_of(w), InputError);
    CHECK_THROWS_AS(duty_cycle_owner(10, 0.5, true, w), InputError);
  }
  CHECK_THROWS_AS(duty_cycle_owner(10, 0.5, false, 0.5), InputError);
}
