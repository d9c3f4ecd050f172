// Scalability between two points, by hand.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/sim/metrics/metrics_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

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

TEST_CASE("At equal efficiency scalability is the ratio of work per power, dedicated by all three forms",
          "[computes][zhang-yan][scaling]") {
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
