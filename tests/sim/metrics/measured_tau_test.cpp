// Tests that tau's interval with fitted owners is as wide as it should be, whatever the random numbers.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/engines/engine.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/input_uncertainty.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

OwnerPtr fitted_owner(const std::string& value, const FittedParameters& at, const FitErrors& errors) {
  const auto make = [value](const FittedParameters& p) {
    const auto law = std::ranges::find(value_laws(), value, &ValueLaw::name);
    return intervals_owner(make_value_law(value, p.mean, std::min(p.th, 0.999 * law->th_limit(p.mean))),
                           make_length_law("exponential", p.interval_s, 3), value);
  };
  return measured_owner(make(at), at, errors, make, "one");
}

/// A trace of two days.
OwnerPtr of_two_days() { return fitted_owner("beta", {0.6, 0.59, 300}, {144, 0.0304, 0.073, 0.256}); }

PointStatistics statistics_of(const Scenario& s, std::uint64_t replications, std::uint64_t at_a_time = 100) {
  Gathering gathering;
  gathering.span = 1;
  PointStatistics out(s, 0, gathering);
  BatchRunner runner;
  for (std::uint64_t first = 0; first < replications; first += at_a_time) {
    const Batch batch{first, std::min(at_a_time, replications - first)};
    out.add(statistics_of(runner.run(Engine::direct, s, batch), s, 0, gathering));
  }
  return out;
}

Estimate tau_of(const Scenario& s, std::uint64_t replications, std::uint64_t at_a_time = 100) {
  return metric_estimates(*find_metric("tau"), {.scenario = &s}, statistics_of(s, replications, at_a_time)).front();
}

}  // namespace

TEST_CASE("The interval of tau is as wide with one seed as with another", "[computes][measured][fit-steps][slow]") {
  std::vector<double> half_widths;
  Scenario s = computing(machines({1.0}, NetworkKind::none), 2160, of_two_days());
  for (s.seed = 40; s.seed < 52; ++s.seed) {
    const Estimate tau = tau_of(s, 1000);
    CHECK(tau.low < tau.value);
    CHECK(tau.value < tau.high);
    half_widths.push_back(tau.half_width() / tau.value);
  }
  std::ranges::sort(half_widths);
  const double median = half_widths[half_widths.size() / 2];
  CHECK(median == Approx(0.1).epsilon(0.1));  // 1.98·0.0304/0.6, nearly
  CHECK(half_widths.front() > 0.9 * median);
  CHECK(half_widths.back() < 1.1 * median);
}

TEST_CASE("Steps count by the replications' numbers, however they came in batches", "[measured][fit-steps]") {
  const Scenario s = computing(machines({1.0}, NetworkKind::none), 2160, of_two_days());
  const Estimate one = tau_of(s, 200, 200), many = tau_of(s, 200, 36);
  CHECK(one.low == Approx(many.low).epsilon(1e-12));
  CHECK(one.high == Approx(many.high).epsilon(1e-12));
}

TEST_CASE("Of two jobs under the same owners what is not known of these moves both", "[measured][fit-steps]") {
  Scenario a = computing(machines({1.0}, NetworkKind::none), 2160, of_two_days()), b = a;
  b.share_flop.assign(1, 2000);
  const Estimate less = combined_with_fits(paired_difference(tau_of(a, 1000), tau_of(b, 1000), 0.95), 0.95);
  CHECK(less.value == Approx(160 / 0.6).epsilon(0.1));
  CHECK(less.half_width() == Approx(0.1 * 160 / 0.6).epsilon(0.35));  // a tenth of it, not of tau
  const auto variance = fit_variance(less);
  REQUIRE(variance);
  CHECK(variance->of_fit > 0);
}

TEST_CASE("Machines that were fitted each for itself make tau too high, which its interval allows for",
          "[measured][fit-steps][slow]") {
  // Errors raise it once, and draws of them once more. Steps that are as long as these see a part of that.
  Scenario s = computing(machines(4, NetworkKind::none), 60, dedicated_owner());
  constexpr std::array kMeans{0.5, 0.5001, 0.4999, 0.5002};  // four measurements
  Moments lean, raised;
  for (s.seed = 1; s.seed <= 12; ++s.seed) {
    for (std::size_t i = 0; i < kMeans.size(); ++i)
      s.owners[i] = fitted_owner("uniform", {kMeans[i], 0.2, 2}, {50, 0.03, 0, 0});
    const Estimate tau = tau_of(s, 2000);
    const auto variance = fit_variance(tau);
    REQUIRE(variance);
    lean.add(variance->lean);
    CHECK((tau.low + tau.high) / 2 < tau.value);
    for (std::size_t i = 0; i < kMeans.size(); ++i)
      s.owners[i] = fitted_owner("uniform", {kMeans[i], 0.2, 2}, {50, 0, 0, 0});
    raised.add(tau.value - tau_of(s, 2000).value);
  }
  CHECK(raised.mean() > 0.01 * 120);
  CHECK(lean.mean() > 0.5 * raised.mean());
  CHECK(lean.mean() < 2 * raised.mean());
}
