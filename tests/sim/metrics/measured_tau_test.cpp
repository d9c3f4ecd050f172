// What statistics of a point need of a batch's record, for how many replications of one series count, and that tau's
// interval with fitted owners is as wide as it should be.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "sim/engines/engine.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/metrics/point_statistics.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/input_uncertainty.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/owners/monitored_trace.hpp"
#include "tests/sim/run_fixture.hpp"
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

bool is_same(const Moments& a, const Moments& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

Scenario varied(std::size_t n, const VarianceReduction& how) {
  Scenario s = computing(machines(n, NetworkKind::none), 100,
                         intervals_owner(make_value_law("uniform", 0.5, 0.3), make_length_law("uniform", 10, 3), "u"));
  s.workload = std::make_shared<const LambdaWorkload>(compute_share, 100 * static_cast<double>(n));
  reduce_variance(s, how);
  return s;
}

OwnerPtr uniform_intervals() {
  return intervals_owner(make_value_law("uniform", 0.5, 0.5), make_length_law("exponential", 10, 3), "uniform");
}

OwnerPtr replayed(TraceStart start, std::size_t steps, std::uint64_t number = 0) {
  return trace_owner(std::make_shared<const LoadSeries>(monitored(*uniform_intervals(), steps, 1, number, 7)), start,
                     "trace", 0);
}

struct Estimated {
  Estimate tau, late, t90;
};
Estimated estimated(const Scenario& s, std::uint64_t replications, double deadline_s, bool is_of_series = false) {
  const PointStatistics statistics = simulated(s, {0, replications}, deadline_s);
  MetricContext context{.scenario = &s, .deadline_s = deadline_s};
  context.is_of_series = is_of_series;
  const auto of = [&](const std::string& name) {
    return metric_estimates(*find_metric(name), context, statistics).front();
  };
  return {of("tau"), of("RF"), of("T_90")};
}

Scenario job_under(const OwnerPtr& owner) { return computing(machines({1.0}, NetworkKind::none), 50, owner); }

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

TEST_CASE("Statistics of a record with the columns that they need are those of a whole record",
          "[point_statistics]") {
  for (const std::size_t n : {1, 3, 40})
    for (const VarianceReduction* how : {&kNoVarianceReduction, &kVarianceReductions[1], &kVarianceReductions[3]}) {
      const Scenario s = varied(n, *how);
      for (int which = 0; which < 16; ++which) {
        const Gathering gathering{(which & 1) != 0, (which & 2) != 0, (which & 4) != 0, (which & 8) != 0};
        CAPTURE(n, how->name, which);
        PointStatistics whole(s, 210, gathering), needed(s, 210, gathering);
        for (const Batch& batch : {Batch{0, 20}, Batch{20, 20}}) {
          whole.add(statistics_of(BatchRunner().run(Engine::direct, s, batch), s, 210, gathering));
          needed.add(statistics_of(BatchRunner().run(Engine::direct, s, batch, gathering), s, 210, gathering));
        }
        CHECK(is_same(whole.makespan_s, needed.makespan_s));
        for (const Share share : {kDedication, kOwnerShare, kOverheadShare}) {
          CHECK(is_same(whole.shares[share], needed.shares[share]));
          CHECK(whole.shares[share].count() == (gathering.shares ? 40 : 0));
        }
        CHECK(whole.late == needed.late);
        CHECK(whole.makespans_s == needed.makespans_s);
        REQUIRE(whole.finish_s.size() == needed.finish_s.size());
        for (std::size_t i = 0; i < whole.finish_s.size(); ++i) CHECK(is_same(whole.finish_s[i], needed.finish_s[i]));
        CHECK(whole.times.sums().count() == needed.times.sums().count());
        if (gathering.times)
          for (std::size_t k = 0; k < TimeBreakdown::kSums; ++k) {
            const double a = whole.times.sums().mean(k), b = needed.times.sums().mean(k);
            CHECK(std::memcmp(&a, &b, sizeof a) == 0);
          }
      }
    }
}

TEST_CASE("A record without what statistics do not need is small", "[point_statistics]") {
  const Scenario s = varied(3, kNoVarianceReduction);
  BatchRunner batches;
  const BatchRecord& record = batches.run(Engine::direct, s, {0, 5}, Gathering{});
  CHECK(record.makespan_s.size() == 5);
  CHECK(record.effective_s.empty());
  for (const Quantity q : kAllQuantities) {
    CHECK(record.totals[q].empty());
    CHECK(record.of(q).values.empty());
    CHECK(record.of(q).moments.empty());
  }
}

TEST_CASE("A trace that is replayed from its beginning is one replication", "[trace][stretches]") {
  const Estimated e = estimated(job_under(replayed(TraceStart::beginning, 1000)), 1000, 1e4);
  CHECK(std::isnan(e.tau.high));
  CHECK(std::isnan(e.t90.high));
  CHECK(e.late.value == 0);
  CHECK(e.late.high == Approx(0.975));  // of one
}

TEST_CASE("What is not replayed and does not vary is known", "[stretches]") {
  const Estimated e = estimated(job_under(dedicated_owner()), 100, 60);
  CHECK(e.tau.high == e.tau.low);
  CHECK(e.late.high < 0.05);
}

TEST_CASE("Of random starts in a trace count the stretches that do not overlap", "[stretches]") {
  const Scenario s = job_under(replayed(TraceStart::random, 1000));
  Moments makespan_s;
  for (const double t : {90.0, 110.0}) makespan_s.add(t);
  CHECK(independent_stretches(s, makespan_s) == Approx(10));
  CHECK(independent_stretches(job_under(uniform_intervals()), makespan_s) > 1e300);
  const Estimated few = estimated(s, 1000, 100), plain = estimated(job_under(uniform_intervals()), 10, 100);
  CHECK(few.tau.half_width() > 0.5 * plain.tau.half_width());
  CHECK(few.tau.low > 0);
  CHECK(few.late.high - few.late.low > 0.4);
  CHECK(few.t90.high - few.t90.low > few.tau.half_width());
  const Estimated as_is = estimated(s, 5, 100);  // fewer replications than stretches
  const Estimated of_series = estimated(s, 5, 100, true);
  CHECK((as_is.tau.low == of_series.tau.low && as_is.tau.high == of_series.tau.high));
  CHECK((as_is.late.low == of_series.late.low && as_is.t90.high == of_series.t90.high));
  CHECK(estimated(s, 1000, 100, true).tau.half_width() < 0.3 * few.tau.half_width());
}

TEST_CASE("Intervals of random starts hold for new traces of the same machine", "[stretches][statistical]") {
  const double tau_s = estimated(job_under(uniform_intervals()), 20000, 0).tau.value;
  int holds = 0;
  constexpr int kTraces = 300;
  for (int trace = 0; trace < kTraces; ++trace) {
    const Estimated e =
        estimated(job_under(replayed(TraceStart::random, 2000, static_cast<std::uint64_t>(trace))), 300, 0);
    holds += e.tau.low <= tau_s && tau_s <= e.tau.high;
  }
  INFO(holds << " of " << kTraces);
  CHECK(holds > 0.91 * kTraces);
}
