// Intervals of sums and differences of estimates.
#include "experiments/driver/running/linear_combination.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/statistics/influence.hpp"
#include "sim/statistics/sample.hpp"
#include "sim/statistics/series_estimates.hpp"
#include "sim/statistics/statistics.hpp"
#include "tests/experiments/driver/claim_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

MeasuredPoint point(const ResultRow& r) { return {0, "0", "x = 0", r.estimates[0][0], &r}; }

}  // namespace

TEST_CASE("A symmetric interval is scaled by Student's quantiles", "[computes][contrast]") {
  const Estimate e = at_confidence(around(10, 1), 1000, 0.95, 0.99);
  const double factor = student_quantile(1000, 0.99) / student_quantile(1000, 0.95);
  CHECK(e.low == Approx(10 - factor));
  CHECK(e.high == Approx(10 + factor));
  CHECK(factor == Approx(1.315).epsilon(1e-3));
}

TEST_CASE("A lopsided interval is scaled on the scale on which it is symmetric", "[contrast]") {
  const Estimate e = at_confidence({10, 10 / 1.2, 12}, 1000, 0.95, 0.99);
  const double factor = student_quantile(1000, 0.99) / student_quantile(1000, 0.95);
  CHECK(e.low == Approx(10 * std::pow(1.2, -factor)));
  CHECK(e.high == Approx(10 * std::pow(1.2, factor)));
  const Estimate zero = at_confidence({0, 0, 0.02}, 1000, 0.95, 0.99);
  CHECK(zero.low == 0);
  CHECK(zero.high == Approx(0.02 * factor));
}

TEST_CASE("One replication has no interval, whatever the estimate says", "[contrast]") {
  CHECK(std::isnan(at_confidence(around(10, 1), 1, 0.95, 0.95).low));
  CHECK(at_confidence(around(10, 1), 2, 0.95, 0.95).low == 9);
}

TEST_CASE("A difference's half-width is the root of the sum of squares", "[contrast]") {
  const ResultRow a = row({"0"}, around(10, 3)), b = row({"0"}, around(4, 4));
  const MeasuredPoint p = point(a), q = point(b);
  const Estimate e = difference(p, q).interval(0.95);
  CHECK(e.value == 6);
  CHECK(e.low == Approx(1));
  CHECK(e.high == Approx(11));
}

TEST_CASE("A difference takes from each lopsided interval the side that matters", "[contrast]") {
  const ResultRow a = row({"0"}, {10, 7, 14}), b = row({"0"}, {4, 2, 8});
  const MeasuredPoint p = point(a), q = point(b);
  const Estimate e = difference(p, q).interval(0.95);
  CHECK(e.low == Approx(6 - std::hypot(3, 4)));   // p's lower, q's upper end
  CHECK(e.high == Approx(6 + std::hypot(4, 2)));  // p's upper, q's lower end
}

TEST_CASE("The difference of two risks is Tango's, of the replications in which one alone is late", "[contrast]") {
  std::vector<double> late_a, late_b;
  for (int k = 0; k < 100; ++k) {
    late_a.push_back(k % 4 == 0 ? 1 : 0);
    late_b.push_back(k % 8 == 0 ? 1 : 0);
  }
  const auto risk = [](const std::vector<double>& late, double value) {
    Observations kept(1, 1);
    for (const double x : late) kept.add(std::array{x});
    return with_influence(around(value, 0.1), Influence{kept.column(0), 1, late.size(), value, 1, Influence::Of::proportion});
  };
  const ResultRow a = row({"0"}, risk(late_a, 0.25)), b = row({"0"}, risk(late_b, 0.13));
  const MeasuredPoint p = point(a), q = point(b);
  const Estimate expected = paired_late_difference(late_a, late_b, 0.5, 0.95);
  const Estimate e = LinearCombination().add(100, p).add(-100, q).interval(0.95);
  CHECK(e.low == Approx(100 * expected.low));
  CHECK(e.high == Approx(100 * expected.high));
  CHECK(difference(p, q).pairing().by == Pairing::By::replications);
}

TEST_CASE("Risks of pairs that were late in the same replications are not known to be alike", "[contrast]") {
  Sample late(Sampling{2, 0, 2});
  std::vector<double> runs(200, 0.0);
  runs[10] = runs[77] = 1;
  late.add_batch(runs, {});
  const ResultRow a = row({"0"}, proportion_estimate(late, 0.95)), b = row({"0"}, proportion_estimate(late, 0.95));
  const MeasuredPoint p = point(a), q = point(b);
  const Estimate e = difference(p, q).interval(0.95);
  CHECK(e.low < -0.01);
  CHECK(e.high > 0.01);
}

TEST_CASE("A risk that was never seen keeps its own interval in a difference", "[contrast]") {
  const auto never = [](std::uint64_t span) {
    Observations kept(1, span);
    for (int k = 0; k < 100; ++k) kept.add(std::array{0.0});
    return with_influence({0, 0, 0.04}, Influence{kept.column(0), span, 100, 0, 1, Influence::Of::proportion});
  };
  for (const std::uint64_t span : {1, 2}) {
    const ResultRow a = row({"0"}, never(span)), b = row({"0"}, never(span));
    const MeasuredPoint p = point(a), q = point(b);
    CHECK(difference(p, q).interval(0.95).high > 0.02);
  }
}

TEST_CASE("The same point added twice is one quantity, and rounding is nothing", "[contrast]") {
  const ResultRow a = row({"0"}, around(10, 3)), b = row({"0"}, exactly(10 * (1 + 1e-15)));
  const MeasuredPoint p = point(a), q = point(b);
  const Estimate nothing = difference(p, p).interval(0.95);
  CHECK(nothing.low == 0);
  CHECK(nothing.high == 0);
  const ResultRow c = row({"0"}, exactly(10));
  const MeasuredPoint r = point(c);
  CHECK(difference(q, r).interval(0.95).high == 0);
  CHECK(LinearCombination().add(2, r).add(1.0).times(3).interval(0.95).value == 63);
}

TEST_CASE("The interval of a difference covers the truth as often as it says", "[contrast][statistical]") {
  // Means of 20 uniform values with means 0.5 and 1: 95 % of 2000 intervals of the difference hold -0.5.
  std::uint64_t state = 1;
  const auto uniform = [&] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  int covered = 0;
  constexpr int kRuns = 2000;
  for (int run = 0; run < kRuns; ++run) {
    Moments m1, m2;
    for (int k = 0; k < 20; ++k) m1.add(uniform()), m2.add(2 * uniform());
    ResultRow a = row({"0"}, mean_estimate(m1, 0.9), 0.9), b = row({"0"}, mean_estimate(m2, 0.9), 0.9);
    a.replications = b.replications = 20;
    const MeasuredPoint p = point(a), q = point(b);
    const Estimate e = difference(p, q).interval(0.95);
    covered += e.low <= -0.5 && -0.5 <= e.high ? 1 : 0;
  }
  CHECK(covered > 0.94 * kRuns);  // a little conservative: two samples have more degrees of freedom than one
  CHECK(covered < 0.975 * kRuns);
}
