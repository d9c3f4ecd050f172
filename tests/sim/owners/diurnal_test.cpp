// Patterns by hour and correlation: what owners keep with them, what they are asked for, exact means, and refusals.
#include "sim/owners/diurnal.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "sim/base/error.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/sample.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// 24 hours of this mean, but for those given.
std::vector<double> day(double usual, const std::vector<std::pair<std::size_t, double>>& others = {}) {
  std::vector<double> hours(24, usual);
  for (const auto& [hour, mean] : others) hours[hour] = mean;
  return hours;
}

constexpr double at(double hours, double minutes = 0) { return 3600 * hours + 60 * minutes; }

OwnerPtr busy_and_idle(double mean = 0.5, double th = 0.5) {
  return intervals_owner(make_value_law("uniform", mean, th), make_length_law("exponential", 200, 3), "test");
}

/// Machines of 1 flop/s under this owner, each with this work: T on both engines.
double makespan(const OwnerPtr& owner, double work) {
  const auto results = run(computing(machines(2, NetworkKind::none), work, owner));
  return results.front().makespan_s;
}

/// The time averages of A in each of 24 hours, over many days, and its extremes.
struct Measured {
  std::vector<double> mean = std::vector<double>(24);
  double least = 1, most = 0, squares = 0;
};
Measured measured(const Owner& owner, int days) {
  Measured m;
  const auto path = owner.path({3, 0, 0});
  for (double t = 0; t < 86400.0 * days;) {
    const Step step = path->next();
    const auto hour = static_cast<std::size_t>((t + step.duration_s / 2) / 3600) % 24;
    m.mean[hour] += step.duration_s * step.value / (3600.0 * days);
    m.squares += step.duration_s * step.value * step.value / (86400.0 * days);
    m.least = std::min(m.least, step.value);
    m.most = std::max(m.most, step.value);
    t += step.duration_s;
  }
  return m;
}

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

TEST_CASE("A dedicated machine has the pattern itself, hour by hour, and over midnight", "[reads][diurnal]") {
  const OwnerPtr owner = diurnal_owner(dedicated_owner(), {day(0.5, {{22, 0.25}, {23, 0.75}, {0, 1}}), at(22, 15)});
  const auto path = owner->path({1, 0, 0});
  const Step expected[] = {{2700, 0.25}, {3600, 0.75}, {3600, 1}, {3600, 0.5}};
  for (const Step& step : expected) {
    const Step found = path->next();
    CHECK(found.duration_s == Approx(step.duration_s));
    CHECK(found.value == step.value);
  }
  CHECK(owner->mean() == Approx((21 * 0.5 + 2) / 24));
  std::vector<double> week(168, 0.5);  // it goes on from Sunday to Monday
  week[167] = 0.2;
  week[0] = 0.9;
  const auto by_week = diurnal_owner(dedicated_owner(), {week, at(167, 30)})->path({1, 0, 0});
  for (const double value : {0.2, 0.9, 0.5}) CHECK(by_week->next().value == value);
}

TEST_CASE("A job crosses the border between two hours", "[diurnal][engine]") {
  // From 17:30 on 1800 s at 0.5 give 900 of 1000 flop, and the last 100 take 400 s at 0.25.
  CHECK(makespan(diurnal_owner(dedicated_owner(), {day(1, {{17, 0.5}, {18, 0.25}}), at(17, 30)}), 1000) ==
        Approx(2200));
  // Below the model's mean a pattern scales what is left, above it what the owner takes. 600 s free, 400 s busy, mean
  // 0.6. At 0.3 A is 0.5 or 0, at 0.8 it is 1 or 0.5. From 17:50 on: 600 s at 0.5, then 400 s (from 18:00) at 0.5, then
  // the last 200 of 700 flop at 1.
  const OwnerPtr cycle = duty_cycle_owner(1000, 0.4, false);
  CHECK(makespan(diurnal_owner(cycle, {day(1, {{17, 0.3}, {18, 0.8}}), at(17, 50)}), 700) == Approx(1200));
}

TEST_CASE("Every hour has its mean, over any model, and the moments are those of the whole day",
          "[diurnal][statistics]") {
  // 2000 days: an hour's mean has a variance of at most Var A·2·200 s/(3600 s·2000), a standard error of 0.0022.
  constexpr int kDays = 2000;
  const auto hours = day(0.4, {{3, 0.9}, {4, 0.5}, {5, 0.05}, {6, 0}, {7, 1}});
  const OwnerPtr correlated =
      correlated_owner(make_value_law("beta", 0.6, 0.5), make_length_law("uniform", 150, 3), 0.5, "c");
  for (const auto& base : {busy_and_idle(), correlated, duty_cycle_owner(777, 0.3, true)}) {
    const OwnerPtr owner = diurnal_owner(base, {hours, 0});
    const Measured m = measured(*owner, kDays);
    INFO(owner->describe());
    double mean = 0;
    for (std::size_t h = 0; h < 24; ++h) {
      CHECK(m.mean[h] == Approx(hours[h]).margin(4.5 * 0.0022));
      mean += m.mean[h] / 24;
    }
    CHECK(owner->mean() == Approx(mean).margin(0.002));
    CHECK(owner->sd() == Approx(std::sqrt(m.squares - mean * mean)).margin(0.005));
    CHECK(m.least >= kLeastAvailability);
    CHECK(m.most <= 1);
  }
}

TEST_CASE("A random start is common to all machines, new in each replication, and the same by day and by week",
          "[diurnal]") {
  const auto first = [](const OwnerPtr& owner, std::uint64_t replication, std::uint64_t workstation) {
    return owner->path({1, replication, workstation})->next();
  };
  std::vector<double> hours(24), week(168);
  for (std::size_t h = 0; h < 168; ++h) hours[h % 24] = week[h] = static_cast<double>(h % 24) / 24;
  const OwnerPtr by_day = diurnal_owner(dedicated_owner(), {hours, {}}),
                 by_week = diurnal_owner(dedicated_owner(), {week, {}});
  double sum = 0;
  for (std::uint64_t k = 0; k < 4000; ++k) {
    const Step step = first(by_day, k, 0);
    if (k < 20) {
      CHECK(first(by_day, k, 9).value == step.value);
      CHECK(first(by_day, k, 9).duration_s == step.duration_s);
      CHECK(first(by_week, k, 4).value == step.value);
      CHECK(first(by_week, k, 4).duration_s == Approx(step.duration_s));
      CHECK(first(by_day, k + 1, 0).duration_s != step.duration_s);
    }
    sum += step.value;
  }
  CHECK(sum / 4000 == Approx(11.5 / 24).margin(4.5 * 0.2885 / std::sqrt(4000)));  // all hours alike
}

TEST_CASE("Both engines run patterns over other models alike", "[diurnal][engine]") {
  const auto hours = day(0.4, {{3, 0.9}, {4, 0.5}, {5, 0.05}, {6, 1}});
  Scenario s = computing(machines(3, NetworkKind::none), 4000, diurnal_owner(busy_and_idle(), {hours, {}}));
  s.owners[1] = diurnal_owner(duty_cycle_owner(777, 0.3, true), {hours, at(4, 59)});
  for (const auto& r : run(s, 20))
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(r[Quantity::finish_s][i] ==
            Approx(naive_finish(*s.owners[i], s.seed, r.replication, i, 4000, 1)).epsilon(1e-9));
}

TEST_CASE("A pattern is part of a model's identity, and makes it no renewal process", "[diurnal]") {
  const auto with = [](std::vector<double> hours, std::optional<double> start) {
    return diurnal_owner(busy_and_idle(), {std::move(hours), start});
  };
  const OwnerPtr one = with(day(0.5), 0.0);
  CHECK(one->identity() == with(day(0.5), 0.0)->identity());
  CHECK(one->identity() != with(day(0.5), 1.0)->identity());
  CHECK(one->identity() != with(day(0.5), std::nullopt)->identity());
  CHECK(one->identity() != with(day(0.5, {{7, 0.4}}), 0.0)->identity());
  CHECK_FALSE(one->renewal());
  CHECK_FALSE(std::holds_alternative<RenewalDraws>(lane_form(*one, {})));
  CHECK(one->dependence().kind == Dependence::Kind::clock);
  CHECK(mirrored(*one)->mean() == one->mean());
  CHECK(mirrored(*diurnal_owner(dedicated_owner(), {day(0.5), 0.0}))->mean() == 0.5);
  CHECK(mirrored(*diurnal_owner(duty_cycle_owner(10, 0.5, true), {day(0.5), 0.0})) == nullptr);
  CHECK_FALSE(diurnal_owner(dedicated_owner(), {day(1), 0.0})->is_dedicated());
}

TEST_CASE("A pattern of nothing says in one step that it is for ever", "[diurnal]") {
  const Step step = diurnal_owner(busy_and_idle(), {day(0), {}})->path({1, 0, 0})->next();
  CHECK(std::isinf(step.duration_s));
  CHECK(step.value == kLeastAvailability);
}

TEST_CASE("Patterns that cannot be are refused", "[diurnal][error]") {
  const auto made = [](std::vector<double> hours, std::optional<double> start = {}) {
    return diurnal_owner(dedicated_owner(), {std::move(hours), start});
  };
  for (const std::size_t n : {0, 23, 25, 167}) CHECK_THROWS_AS(made(std::vector<double>(n, 0.5)), InputError);
  for (const double mean : {-0.1, 1.1, std::nan("")}) CHECK_THROWS_AS(made(day(0.5, {{4, mean}})), InputError);
  for (const double start : {-1.0, 86400.0, std::nan("")}) CHECK_THROWS_AS(made(day(0.5), start), InputError);
  CHECK_THROWS_AS(diurnal_owner(poisson_jobs(0.3, exponential(2), Discipline::processor_sharing), {day(0), {}}),
                  InputError);
}

TEST_CASE("Without weight the owner is the uncorrelated one, to the bit", "[correlated_owner]") {
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
