// Zhang & Yan's metrics and scalability: by hand, by identities between them, and how often intervals hold the truth.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "sim/metrics/paper_models.hpp"
#include "sim/platform/platform.hpp"
#include "tests/sim/metrics/metrics_fixture.hpp"
#include "tests/sim/run_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// A replication that did all the work, with these times.
RunResult replication(const Scenario& s, std::uint64_t k, double makespan_s, const Values& owner_s) {
  return made_up_run(k, makespan_s,
                     {{Quantity::work_flop, s.share_flop}, {Quantity::owner_s, owner_s},
                      {Quantity::finish_s, Values(s.size(), makespan_s)}});
}

std::vector<Estimate> all_of(const std::string& metric, const Scenario& s, const PointStatistics& statistics,
                             std::optional<ReferencePoint> reference = {}, const SolvedSize* solved = nullptr) {
  MetricContext context{&s};
  context.reference = reference;
  context.solved = solved;
  return find_metric(metric)->estimate(context, statistics);
}

Estimate one(const std::string& metric, const Scenario& s, const PointStatistics& statistics,
             std::optional<ReferencePoint> reference = {}, const SolvedSize* solved = nullptr) {
  return all_of(metric, s, statistics, reference, solved).front();
}

double value(const std::string& metric, const Scenario& s, const PointStatistics& statistics) {
  return one(metric, s, statistics).value;
}

/// Machines of 4 and 2 flop/s with 18 and 6 flop of 24: T_eff = 4.5 and 3 s, W = 1 and 1/2.
struct TwoMachines {
  Scenario s = job({4, 2}, {18, 6});
  PointStatistics dedicated = gathered(s, {replication(s, 0, 5, {0, 0}), replication(s, 1, 5, {0, 0})});
  PointStatistics owned = gathered(s, {replication(s, 0, 5, {0, 1}), replication(s, 1, 7, {2, 1})});
};

/// Some machines, shares and owners.
struct RandomJob {
  std::mt19937_64 numbers;
  explicit RandomJob(std::uint64_t seed) : numbers(seed) {}
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(numbers); }
  Values amounts(std::size_t n, double least, double most) {
    Values out(n);
    for (double& x : out) x = between(least, most);
    return out;
  }
  Scenario make(std::size_t m, bool is_dedicated) {
    Scenario s = job(amounts(m, 1, 5), amounts(m, 20, 60));
    if (is_dedicated) return s;
    for (auto& owner : s.owners)
      owner = intervals_owner(make_value_law("uniform", 0.5, between(0.05, 0.3)),
                              make_length_law("uniform", between(2, 9), 3), "test");
    return s;
  }
};

struct MadePoint {
  Scenario s;
  PointStatistics statistics;

  /// One replication per makespan; the owners' times are the same in all.
  MadePoint(const Values& speed_flops, const Values& share_flop, const Values& makespans_s, const Values& owner_s)
      : s(job(speed_flops, share_flop)), statistics(s, 0) {
    std::vector<RunResult> runs;
    for (const double t : makespans_s)
      runs.push_back(made_up_run(runs.size(), t,
                                 {{Quantity::work_flop, share_flop}, {Quantity::owner_s, owner_s},
                                  {Quantity::finish_s, Values(s.size(), t)}}));
    statistics.add(make_record(s, {0, runs.size()}, runs));
  }
  [[nodiscard]] ReferencePoint as_reference(const SolvedSize* solved = nullptr) const {
    return {&s, &statistics, solved};
  }
  [[nodiscard]] Estimate get(const std::string& metric, const std::optional<ReferencePoint>& reference,
                             const SolvedSize* solved = nullptr) const {
    MetricContext context{&s};
    context.reference = reference;
    context.solved = solved;
    return find_metric(metric)->estimate(context, statistics).front();
  }
};

// E = 0.8 of both: |A|/max S = 6 s of 7.5, and 12 s of 15. L = 1 and 1.5 s.
MadePoint small_point() { return {{4, 2}, {18, 6}, {5, 5}, {0, 0}}; }
MadePoint large_point() { return {{8, 4, 4}, {40, 28, 28}, {7.5, 7.5}, {0, 0, 0}}; }
SolvedEfficiency at_e(double value) { return {Efficiency::E, value}; }
const char* const kScales[] = {"scale_e", "scale_work", "scale_P3"};

}  // namespace

TEST_CASE("Zhang and Yan's metrics of a dedicated run of two machines are those by hand", "[computes][zhang-yan]") {
  const TwoMachines two;
  const auto is = [&](const std::string& metric) { return value(metric, two.s, two.dedicated); };
  CHECK(all_of("W_i", two.s, two.dedicated)[1].value == 0.5);
  CHECK(is("H") == 0.25);
  CHECK(is("power") == 1.5);
  CHECK(is("E") == Approx(6 / 7.5));  // (4.5 + 3/2)/(5·1.5)
  CHECK(is("E_P2") == Approx(0.8));
  CHECK(is("speedup_dedicated") == Approx(24 / 4. / 5));
  CHECK(is("SP_Delta") == Approx(1.2));
  CHECK(is("P_deg(1-H)") == Approx(0.75 * 7.5 / 5));
  CHECK(is("covariance") == Approx(2 * 0.25 * 0.75 / 5));  // W and T_eff are 1/4 and 3/4 s off their means
  CHECK(all_of("T_eff_i", two.s, two.dedicated)[0].value == 4.5);
  CHECK(all_of("overhead_i", two.s, two.dedicated)[0].value == Approx(0.5));
  CHECK(all_of("overhead_i", two.s, two.dedicated)[1].value == Approx(2));
  CHECK(all_of("U_i", two.s, two.dedicated)[1].value == 0);
  CHECK(is("L_ave") == Approx(1.5));
  CHECK(is("L") == Approx(1));
  CHECK(one("E", two.s, two.dedicated).half_width() == Approx(0).margin(1e-15));
  Sample baseline;
  for (const double t : {7.0, 9.0}) baseline.add(t);
  MetricContext context{&two.s};
  context.baseline_s = &baseline;
  const Estimate delta = find_metric("Delta_A")->estimate(context, two.dedicated).front();
  CHECK(delta.value == Approx(0.75));
  CHECK(delta.low == Approx(6 / (8 + 12.7062)).epsilon(1e-5));  // Student's t for one degree of freedom
  CHECK(std::isnan(is("Delta_A")));
}

TEST_CASE("Waiting for a message is overhead of both ends of it", "[zhang-yan]") {
  Scenario s = scenario(machines({4, 2}, NetworkKind::bus), [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.receive(1);
    co_await self.compute(self.share());
    if (self.index() == 1) co_await self.send(0, 2000);
  });
  s.share_flop = {16, 6};
  const PointStatistics statistics = gathered(s, run(s));  // 3 s, 1 ms + 2 s for the message, 4 s
  const auto overhead = all_of("overhead_i", s, statistics);
  CHECK(overhead[0].value == Approx(5.001));
  CHECK(overhead[1].value == Approx(6.001));
  CHECK(value("E", s, statistics) == Approx(5.5 / (9.001 * 1.5)));
  CHECK(value("L", s, statistics) == Approx((5.001 + 6.001 / 2) / 1.5));
  CHECK(std::isnan(one("E", s, statistics).half_width()));  // of one replication
}

TEST_CASE("Zhang and Yan's metrics of owned machines are those by hand, with intervals", "[zhang-yan]") {
  const TwoMachines two;  // sums of W (T - T_owner): 5 + 4/2 and 5 + 6/2
  const Estimate e = one("E", two.s, two.owned), p2 = one("E_P2", two.s, two.owned);
  CHECK(e.value == Approx(6 / 7.5));
  CHECK(e.half_width() == Approx(0.8 * 12.7062 * 0.5 / 7.5).epsilon(1e-5));
  CHECK(p2.value == Approx(e.value));
  CHECK(p2.low == Approx(6 / (7.5 + 12.7062 * 0.5)).epsilon(1e-5));
  CHECK(value("SP_Delta", two.s, two.owned) == Approx(1));
  CHECK(value("P_deg(1-H)", two.s, two.owned) == Approx(0.75 * 7.5 / 6));
  CHECK(all_of("T_owner_i", two.s, two.owned)[0].half_width() == Approx(12.7062).epsilon(1e-5));
  CHECK(all_of("overhead_i", two.s, two.owned)[0].half_width() == Approx(0).margin(1e-7));  // T - T_owner is 5 s
  CHECK(all_of("U_i", two.s, two.owned)[1].value == Approx(1 / 6.));
  CHECK(value("L", two.s, two.owned) == Approx(1));
}

TEST_CASE("Zhang and Yan's 100 machines have H 0.495, and 0.7425 when the fastest doubles", "[zhang-yan]") {
  Values speed(100, 0.5);
  for (const auto& [fastest, h] : {std::pair{1.0, 0.495}, std::pair{2.0, 0.7425}}) {
    speed[0] = fastest;
    const Scenario s = job(speed, Values(100, 1));
    CHECK(value("H", s, PointStatistics(s, 0)) == Approx(h));
    CHECK(1 - value("H", s, PointStatistics(s, 0)) == Approx(value("power", s, PointStatistics(s, 0)) / 100));
    // One weight of 1 and 99 of w: their deviations are (1 - w) times 0.01·0.99's root, and twice 0.01·0.99.
    const double w = 0.5 / fastest;
    CHECK(value("V_stand", s, PointStatistics(s, 0)) == Approx((1 - w) * std::sqrt(0.0099)));
    CHECK(value("V_mean", s, PointStatistics(s, 0)) == Approx((1 - w) * 0.0198));
  }
}

TEST_CASE("Efficiency, Property 1 and the sum of times hold exactly for any machines, shares and owners",
          "[zhang-yan]") {
  RandomJob random(7);
  for (std::size_t m = 1; m <= 12; ++m) {
    const Scenario s = random.make(m, false);
    const PointStatistics statistics = simulated(s, {0, 20});
    const auto is = [&](const std::string& metric) { return value(metric, s, statistics); };
    CHECK(is("E") == Approx(is("E_P2")).epsilon(1e-12));
    CHECK(is("E") < 1 + 1e-9);
    CHECK(is("SP_Delta") - is("P_deg(1-H)") == Approx(is("covariance")).margin(1e-12));
    CHECK(is("L_ave") == Approx(is("L") * is("power")));
    for (std::size_t i = 0; i < m; ++i) {
      const auto of = [&](const std::string& metric) { return all_of(metric, s, statistics)[i].value; };
      CHECK(of("T_eff_i") + of("T_owner_i") + of("overhead_i") == Approx(is("tau")).epsilon(1e-12));
      CHECK(of("U_i") == Approx(of("T_owner_i") / is("tau")));
      CHECK(of("overhead_i") > -1e-9);
    }
  }
}

TEST_CASE("Of dedicated machines efficiency is the speedup per unit of power", "[zhang-yan]") {
  RandomJob random(11);
  for (std::size_t m = 1; m <= 8; ++m) {
    const Scenario s = random.make(m, true);
    const PointStatistics statistics = simulated(s, {0, 2});
    const double speedup = value("speedup_dedicated", s, statistics);
    CHECK(value("E", s, statistics) == Approx(speedup / value("power", s, statistics)).epsilon(1e-12));
    CHECK(value("SP_Delta", s, statistics) == Approx(speedup));
  }
}

TEST_CASE("Property 1 needs no covariance where work is in proportion to speed", "[zhang-yan]") {
  Scenario s = job({4, 2, 1}, {40, 20, 10});
  s.owners.assign(3, intervals_owner(make_value_law("uniform", 0.5, 0.2), make_length_law("constant", 4, 3), "test"));
  const PointStatistics statistics = simulated(s, {0, 10});
  CHECK(one("covariance", s, statistics).value == 0);
  CHECK(value("SP_Delta", s, statistics) == Approx(value("P_deg(1-H)", s, statistics)));
}

TEST_CASE("The interval of the efficiency holds the true value about as often as it says, of pairs too",
          "[zhang-yan][statistics]") {
  for (const auto* reduction : {&kVarianceReductions[0], &kVarianceReductions[1]}) {
    Scenario s = job({4, 2}, {18, 6});
    s.variance_reduction = reduction;
    std::mt19937_64 numbers(5);
    std::uniform_real_distribution<double> uniform;
    int holds = 0, tries = 1000;
    for (int t = 0; t < tries; ++t) {
      std::vector<RunResult> runs;
      double u = 0, v = 0;
      for (std::uint64_t k = 0; k < 60; ++k) {
        const bool is_mirrored = reduction->antithetic && k % 2 == 1;
        u = is_mirrored ? 1 - u : uniform(numbers);
        v = is_mirrored ? 1 - v : uniform(numbers);
        const double makespan = 5 - 2 * std::log(0.2 * u * u + 0.1);  // neither normal nor mirrored exactly
        runs.push_back(replication(s, k, makespan, {makespan * v * 0.5, makespan * u * 0.3}));
      }
      const Estimate e = one("E", s, gathered(s, runs));
      // E T = 5 - 2 E ln(0.2 u² + 0.1), E uT = 5/2 - 2 E u ln(0.2 u² + 0.1); both in closed form.
      const double et = 5 - 2 * (std::log(0.3) - 2 + 2 * std::sqrt(0.5) * std::atan(std::sqrt(2.0)));
      const double eut = 2.5 - 2 * ((0.3 * std::log(0.3) - 0.1 * std::log(0.1)) / 0.4 - 0.5);
      const double truth = 6 / (0.75 * et + 0.5 * (et - 0.3 * eut));
      holds += e.low <= truth && truth <= e.high;
    }
    INFO(reduction->name);
    CHECK(holds > 0.93 * tries);
    CHECK(holds < 0.97 * tries);
  }
}

TEST_CASE("Antithetic pairs are one observation each", "[zhang-yan]") {
  Scenario s = job({4, 2}, {18, 6});
  s.variance_reduction = &kVarianceReductions[1];
  const PointStatistics statistics =
      gathered(s, {replication(s, 0, 5, {0, 0}), replication(s, 1, 7, {0, 0}), replication(s, 2, 6, {0, 0}),
                   replication(s, 3, 10, {0, 0})});
  CHECK(statistics.times.sums().count() == 2);
  const Estimate e = one("L_ave", s, statistics);  // of the pairs: 1.5·6 - 6 and 1.5·8 - 6
  CHECK(e.value == Approx(4.5));
  CHECK(e.half_width() == Approx(12.7062 * 1.5).epsilon(1e-5));
}

TEST_CASE("On more than 32 machines means are known and intervals are not, on more than 4096 nothing", "[zhang-yan]") {
  RandomJob random(3);
  const Scenario s = random.make(40, false);
  std::vector<RunResult> runs;
  for (std::uint64_t k = 0; k < 4; ++k)
    runs.push_back(replication(s, k, 100 + 10 * static_cast<double>(k), random.amounts(40, 1, 9)));
  const PointStatistics statistics = gathered(s, runs);
  const Values weight = power_weights(*s.platform);
  double left = 0;
  for (const auto& run : runs)
    for (std::size_t i = 0; i < 40; ++i) left += weight[i] * (run.makespan_s - run[Quantity::owner_s][i]) / 4;
  const Estimate e = one("E", s, statistics);
  CHECK(e.value == Approx(zhang_yan::fastest_dedicated_s(s) / left));
  for (const char* metric : {"E", "E_P2", "L", "T_owner_i", "U_i"}) {
    INFO(metric);
    CHECK(std::isfinite(one(metric, s, statistics).value));
    CHECK(std::isnan(one(metric, s, statistics).half_width()));
  }
  const Scenario large = job(Values(5000, 1), Values(5000, 1));
  const PointStatistics nothing = gathered(large, {replication(large, 0, 2, Values(5000, 0))});
  CHECK(std::isnan(value("E", large, nothing)));
  CHECK(all_of("T_eff_i", large, nothing).size() == 5000);
  CHECK(std::isnan(value("T_eff_i", large, nothing)));
}

TEST_CASE("Batches of values and of means merge in any sizes", "[zhang-yan]") {
  RandomJob random(9);
  for (const std::size_t m : {3, 40}) {
    const Scenario s = random.make(m, false);
    PointStatistics parts(s, 0);
    for (const Batch& batch : {Batch{0, 4}, Batch{4, 6}, Batch{10, 1}})
      parts.add(BatchRunner().run(Engine::direct, s, batch));
    CHECK(parts.times.sums().count() == 11);
    CHECK(value("E", s, parts) == Approx(value("E", s, simulated(s, {0, 11}))).epsilon(1e-12));
  }
}

TEST_CASE("At equal efficiency scalability is the ratio of work per power, dedicated by all three forms",
          "[zhang-yan][scaling]") {
  const MadePoint small = small_point(), large = large_point();
  for (const char* metric : kScales) {
    INFO(metric);
    CHECK(large.get(metric, small.as_reference()).value == Approx(24 * 2 * 8 / (96 * 1.5 * 4)));
  }
  CHECK(large.get("ratio", small.as_reference()).value == Approx(5 / 7.5));
}

TEST_CASE("A point that is its own reference has scalability 1, and one without a reference none",
          "[zhang-yan][scaling]") {
  const MadePoint large = large_point();
  for (const char* metric : {"scale_e", "scale_work", "scale_P3", "ratio"}) {
    INFO(metric);
    const Estimate own = large.get(metric, large.as_reference());
    CHECK(own.value == 1);
    CHECK(own.half_width() == 0);
    CHECK(std::isnan(large.get(metric, {}).value));
  }
}

TEST_CASE("Property 3 as printed counts the owners' operations among the overhead", "[zhang-yan][scaling]") {
  const MadePoint owned({8, 4, 4}, {40, 28, 28}, {8.5, 8.5}, {1, 1, 1});   // the same 7.5 s are left: E = 0.8
  const MadePoint before({4, 2}, {18, 6}, {5.5, 5.5}, {0.5, 0.5});         // 5 s
  const Estimate by_work = owned.get("scale_work", before.as_reference());
  CHECK(owned.get("scale_e", before.as_reference()).value == Approx(by_work.value));
  // O_2 = 8·(1 + 1/2 + 1/2) = 16, O_1 = 4·0.5·1.5 = 3, |A_2|/|A_1| = 4, L_ave,2·S_2 = 3·8.
  const Estimate printed = owned.get("scale_P3", before.as_reference());
  CHECK(printed.value == Approx(by_work.value * (1 + (16 - 3 * 4) / 24.)));
  CHECK(printed.half_width() == Approx(0).margin(1e-9));
}

TEST_CASE("Scalability has the interval of the latency that varies", "[zhang-yan][scaling]") {
  const MadePoint large = large_point();
  const MadePoint varied({4, 2}, {18, 6}, {5, 5.02, 4.98, 5.01, 4.99}, {0, 0});
  const Estimate e = large.get("scale_e", varied.as_reference());
  // L = T - 4: sd sqrt(0.00025); t for 4 degrees is 2.776445.
  CHECK(e.half_width() == Approx(2.776445 * std::sqrt(0.00025 / 5) / 1.5).epsilon(0.15));
  CHECK(large.get("scale_work", varied.as_reference()).half_width() == 0);
}

TEST_CASE("Where both sizes were solved for, scalability has the sizes' intervals", "[zhang-yan][scaling]") {
  const MadePoint small = small_point(), large = large_point();
  const MadePoint varied({4, 2}, {18, 6}, {5, 5.02, 4.98, 5.01, 4.99}, {0, 0});
  const double up_1 = std::exp(0.03), up_2 = std::exp(0.04);
  // |A|/(max S·sum W) = 24/(4·1.5) and 96/(8·2).
  const SolvedSize first{{3, 2, 4}, {4, 4 / up_1, 4 * up_1}, at_e(0.8)};
  const SolvedSize second{{6, 5, 7}, {6, 6 / up_2, 6 * up_2}, at_e(0.8)};
  for (const char* metric : {"scale_e", "scale_work"}) {
    INFO(metric);
    const Estimate e = large.get(metric, varied.as_reference(&first), &second);
    CHECK(e.value == Approx(2 / 3.));
    CHECK(e.high == Approx(2 / 3. * std::exp(0.05)));  // 3-4-5
    CHECK(e.low == Approx(2 / 3. / std::exp(0.05)));
  }
  CHECK(large.get("scale_P3", small.as_reference(&first), &second).high == Approx(2 / 3. * std::exp(0.05)));
  CHECK(large.get("scale_work", varied.as_reference(&first)).half_width() == 0);  // one size was given
  CHECK(large.get("solved", {}, &second).value == 6);
  CHECK(large.get("solved", {}, &second).high == 7);
  CHECK(std::isnan(large.get("solved", {}).value));
}

TEST_CASE("Where sizes were solved for by something else, scalability has the interval of both latencies",
          "[zhang-yan][scaling]") {
  const MadePoint varied({4, 2}, {18, 6}, {5, 5.02, 4.98, 5.01, 4.99}, {0, 0});
  const Estimate plain = large_point().get("scale_e", varied.as_reference());
  for (const auto& goal : {std::optional<SolvedEfficiency>{}, {{Efficiency::eps, 0.8}}}) {
    const SolvedSize first{{3, 2, 4}, {4, 3.9, 4.1}, goal}, second{{6, 5, 7}, {6, 5.8, 6.2}, goal};
    const Estimate solved = large_point().get("scale_e", varied.as_reference(&first), &second);
    CHECK(solved.low == plain.low);
    CHECK(solved.high == plain.high);
    CHECK(large_point().get("scale_work", varied.as_reference(&first), &second).half_width() > 0);
  }
}

TEST_CASE("An efficiency that was missed by the tolerance is in the interval", "[zhang-yan][scaling]") {
  // E = 0.8 was measured of both; 0.79 and 0.8 were asked for: L would be 4·(1/0.79 - 1) of the first.
  const SolvedSize first{{3, 3, 3}, {4, 4, 4}, at_e(0.79)}, second{{6, 6, 6}, {6, 6, 6}, at_e(0.8)};
  const Estimate e = large_point().get("scale_e", small_point().as_reference(&first), &second);
  CHECK(e.value == Approx(2 / 3.));
  CHECK(e.low == e.value);
  CHECK(e.high == Approx(4 * (1 / 0.79 - 1) / 1.5));
}

TEST_CASE("Without any latency there is no scalability", "[zhang-yan][scaling]") {
  const MadePoint ideal({4, 2}, {16, 8}, {4, 4 + 1e-14}, {0, 0}), twice({4, 2}, {32, 16}, {8, 8}, {0, 0});
  CHECK(ideal.get("L", {}).value == 0);
  CHECK(std::isnan(twice.get("scale_e", ideal.as_reference()).value));
}
