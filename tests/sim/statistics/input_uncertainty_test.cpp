// Tests of the two parts of an estimate's variance, and that intervals hold for what was measured.
#include "sim/statistics/input_uncertainty.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/statistics/influence.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/random.hpp"
#include "sim/statistics/sample.hpp"

using namespace nowsim;

namespace {

constexpr std::uint64_t kPerDraw = 4;

double normal(Stream& stream) { return -std::sqrt(2.0) * portable::erfc_inv(2 * stream.uniform() + 1e-16); }

/// A mean of draws about `centre`, each seen by some replications.
Estimate mean_of(Stream& stream, double centre, double between, double within, std::size_t replications) {
  std::vector<double> values;
  double of_draw = 0;
  for (std::size_t k = 0; k < replications; ++k) {
    if (k % kPerDraw == 0) of_draw = centre + between * normal(stream);
    values.push_back(of_draw + within * normal(stream));
  }
  Sample sample(Sampling{1, 0, 1});
  sample.add_batch(values, {});
  return mean_estimate(sample, 0.95);
}

Estimate seen(Estimate e) { return with_influence(e, e.influence->seeing(kPerDraw, FitPart::in_interval)); }

}  // namespace

TEST_CASE("The variance between draws and within is told apart", "[computes][fit-uncertainty]") {
  Stream stream({1, 0, 0, Purpose::resampling});
  double of_fit = 0, of_replications = 0;
  constexpr int kTimes = 200;
  for (int k = 0; k < kTimes; ++k) {
    const auto v = fit_variance(seen(mean_of(stream, 100, 2, 5, 1600)));
    REQUIRE(v);
    of_fit += v->of_fit / kTimes;
    of_replications += v->of_replications / kTimes;
  }
  CHECK(of_fit == Approx(4).epsilon(0.05));
  CHECK(of_replications == Approx(4.0 / 400 + 25.0 / 1600).epsilon(0.05));
}

TEST_CASE("Without any spread of the fit an interval hardly changes", "[fit-uncertainty]") {
  Stream stream({2, 0, 0, Purpose::resampling});
  double longer = 0;
  constexpr int kTimes = 200;
  for (int k = 0; k < kTimes; ++k) {
    const Estimate e = mean_of(stream, 100, 0, 5, 1600);
    longer += with_fits(e, kPerDraw, FitPart::in_interval, true, e, 0.95).half_width() / e.half_width() / kTimes;
  }
  CHECK(longer >= 1);
  CHECK(longer < 3.5);  // what little variance between draws chance shows counts in full
}

TEST_CASE("Intervals hold for the true value of what was measured", "[fit-uncertainty][statistical]") {
  Stream stream({3, 0, 0, Purpose::resampling});
  constexpr double kTrue = 100, kError = 3;
  constexpr int kTimes = 1000;
  int mean_holds = 0, plain_holds = 0;
  for (int k = 0; k < kTimes; ++k) {
    const double measured = kTrue + kError * normal(stream);
    const Estimate e = mean_of(stream, measured, kError, 5, 1008);
    const Estimate with = with_fits(e, kPerDraw, FitPart::in_interval, true, e, 0.95);
    mean_holds += with.low <= kTrue && kTrue <= with.high;
    plain_holds += e.low <= kTrue && kTrue <= e.high;
    CHECK(with.value == e.value);
  }
  CHECK(mean_holds >= 930);
  CHECK(mean_holds <= 972);
  CHECK(plain_holds < 300);
}

TEST_CASE("A proportion that draws share tells as little as there are draws", "[fit-uncertainty]") {
  std::vector<double> makespans, late;
  for (std::size_t k = 0; k < 40 * kPerDraw; ++k) {
    const bool is_slow = k / kPerDraw % 4 == 0;  // ten of forty draws are late throughout
    makespans.push_back((is_slow ? 200 : 100) + static_cast<double>(k % kPerDraw));
    late.push_back(is_slow ? 1 : 0);
  }
  Sample sample(Sampling{1, 0, 1});
  sample.add_batch(makespans, {});
  const Estimate tau = seen(mean_estimate(sample, 0.95));
  const auto share = [](const std::vector<double>& ones) {
    double sum = 0;
    for (const double x : ones) sum += x;
    const double p = sum / static_cast<double>(ones.size());
    return with_influence(proportion_estimate(static_cast<std::uint64_t>(sum), ones.size(), 0.95),
                          Influence(std::make_shared<std::vector<double>>(ones), 1, ones.size(), p, 1,
                                    Influence::Of::proportion));
  };
  const Estimate some = with_fits(share(late), kPerDraw, FitPart::in_value, true, tau, 0.95);
  CHECK(some.value == Approx(0.25));
  const Estimate as_draws = proportion_estimate(10, 40, 0.95);
  CHECK(some.low == Approx(as_draws.low).epsilon(0.05));
  CHECK(some.high == Approx(as_draws.high).epsilon(0.05));
  const Estimate none = with_fits(share(std::vector<double>(40 * kPerDraw, 0.0)), kPerDraw, FitPart::in_value, true, tau, 0.95);
  CHECK(none.high == Approx(proportion_estimate(0, 40, 0.95).high).epsilon(0.05));
}

TEST_CASE("However many replications there are, the fit's part stays", "[fit-uncertainty]") {
  Stream stream({5, 0, 0, Purpose::resampling});
  for (const std::size_t n : {400, 16000, 17000, 40000, 140000}) {
    INFO(n);
    std::vector<double> values;
    double of_draw = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (k % kPerDraw == 0) of_draw = 100 + 3 * normal(stream);
      values.push_back(of_draw + 2 * normal(stream));
    }
    Sample sample(Sampling{1, 0, span_of(n, 1)});
    for (std::size_t first = 0; first < n; first += 100)
      sample.add_batch(std::span(values).subspan(first, std::min<std::size_t>(100, n - first)), {});
    const Estimate e = mean_estimate(sample, 0.95), with = with_fits(e, kPerDraw, FitPart::in_interval, true, e, 0.95);
    CHECK(with.half_width() == Approx(1.96 * 3).epsilon(n < 1000 ? 0.3 : 0.06));
  }
}

TEST_CASE("A single draw tells nothing of the fit, and few draws much less", "[fit-uncertainty]") {
  Stream stream({6, 0, 0, Purpose::resampling});
  const Estimate one = mean_of(stream, 100, 3, 1, kPerDraw);
  CHECK(std::isnan(with_fits(one, kPerDraw, FitPart::in_interval, true, one, 0.95).high));
  int holds = 0;
  constexpr int kTimes = 500;
  for (int k = 0; k < kTimes; ++k) {
    const Estimate e = mean_of(stream, 100 + 3 * normal(stream), 3, 1, 4 * kPerDraw);
    const Estimate with = with_fits(e, kPerDraw, FitPart::in_interval, true, e, 0.95);
    holds += with.low <= 100 && 100 <= with.high;
  }
  CHECK(holds > 0.92 * kTimes);
}

TEST_CASE("A difference that fits move may have either sign", "[fit-uncertainty]") {
  Stream stream({4, 0, 0, Purpose::resampling});
  const Estimate a = seen(mean_of(stream, 101, 5, 1, 1600)), b = seen(mean_of(stream, 100, 0, 1, 1600));
  const Estimate plain = paired_difference(a, b, 0.95), with = combined_with_fits(plain, 0.95);
  CHECK(plain.influence->per_fit() == kPerDraw);
  CHECK(with.low < 0);
  CHECK(with.high > 2);
  CHECK(with.half_width() == Approx(1.96 * 5).epsilon(0.3));
  CHECK(combined_with_fits(exactly(3), 0.95).low == 3);
}
