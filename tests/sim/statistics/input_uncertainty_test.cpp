// Tests of the two parts of an estimate's variance, that intervals hold for what was measured, and of what is made of
// replications that were run again a step of measured parameters away.
#include "sim/statistics/input_uncertainty.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/statistics/influence.hpp"
#include "sim/statistics/parameter_steps.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;

namespace {

constexpr std::uint64_t kPerDraw = 4;

double normal(Stream& stream) { return -std::sqrt(2.0) * portable::erfc_inv(2 * stream.uniform() + 1e-16); }

Sample sample_of(const std::vector<double>& values, std::uint64_t span = 1) {
  Sample sample(Sampling{1, 0, span});
  for (std::size_t first = 0; first < values.size(); first += 100)
    sample.add_batch(std::span(values).subspan(first, std::min<std::size_t>(100, values.size() - first)), {});
  return sample;
}

/// A mean of draws about `centre`, each seen by some replications.
Estimate mean_of(Stream& stream, double centre, double between, double within, std::size_t replications,
                 std::uint64_t span = 1) {
  std::vector<double> values;
  double of_draw = 0;
  for (std::size_t k = 0; k < replications; ++k) {
    if (k % kPerDraw == 0) of_draw = centre + between * normal(stream);
    values.push_back(of_draw + within * normal(stream));
  }
  return mean_estimate(sample_of(values, span), 0.95);
}

Estimate seen(Estimate e) { return with_influence(e, e.influence->seeing(kPerDraw, FitPart::in_interval)); }

using Measurements = std::vector<Measurement>;

/// Replications with an effect per measurement and one of all squares, and noise of their own, also of the steps.
FitSteps steps_of(const Measurements& measurements, const std::vector<double>& effects, double bend, double noise,
                  std::size_t replications, Stream& stream) {
  std::vector<double> values, stepped;
  for (std::size_t k = 0; k < replications; ++k) values.push_back(100 + 10 * normal(stream));
  for (std::size_t k = 0; k < replications; ++k) {
    const SteppedRun run = stepped_run(k);
    double x = values[run.replication] + noise * normal(stream);
    for (std::size_t i = 0; i < measurements.size(); ++i) {
      const double step = (run.is_up ? 1 : -1) * direction(measurements[i], run.block) * measurements[i].step;
      x += effects[i] * step + (measurements[i].kind == MeasuredKind::mean ? bend * step * step : 0);
    }
    stepped.push_back(x);
  }
  auto shared = std::make_shared<const Measurements>(measurements);
  return {std::move(shared), values, stepped, 1};
}

Measurements means(std::size_t n, double freedom = 100, double step = 1) {
  Measurements out;
  for (std::size_t i = 0; i < n; ++i) out.push_back({1000 + i, MeasuredKind::mean, freedom, step});
  return out;
}

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
  const Estimate tau = seen(mean_estimate(sample_of(makespans), 0.95));
  const auto share = [&](const std::vector<double>& ones) {
    return with_fits(proportion_estimate(sample_of(ones), 0.95), kPerDraw, FitPart::in_value, true, tau, 0.95);
  };
  const Estimate some = share(late);
  CHECK(some.value == Approx(0.25));
  const Estimate as_draws = proportion_estimate(10, 40, 0.95);
  CHECK(some.low == Approx(as_draws.low).epsilon(0.05));
  CHECK(some.high == Approx(as_draws.high).epsilon(0.05));
  const Estimate none = share(std::vector<double>(40 * kPerDraw, 0.0));
  CHECK(none.high == Approx(proportion_estimate(0, 40, 0.95).high).epsilon(0.05));
}

TEST_CASE("However many replications there are, the fit's part stays", "[fit-uncertainty]") {
  Stream stream({5, 0, 0, Purpose::resampling});
  for (const std::size_t n : {400, 16000, 17000, 40000, 140000}) {
    INFO(n);
    const Estimate e = mean_of(stream, 100, 3, 2, n, span_of(n, 1));
    const Estimate with = with_fits(e, kPerDraw, FitPart::in_interval, true, e, 0.95);
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
  CHECK(plain.influence->per_fit == kPerDraw);
  CHECK(with.low < 0);
  CHECK(with.high > 2);
  CHECK(with.half_width() == Approx(1.96 * 5).epsilon(0.3));
  CHECK(combined_with_fits(exactly(3), 0.95).low == 3);
}

TEST_CASE("Half of the replications are run again, a step up and a step down", "[fit-steps]") {
  for (const std::uint64_t place : {0, 3, 4, 7, 8, 13, 4096 + 5}) {
    const SteppedRun run = stepped_run(place);
    CHECK(run.block == place / 8);
    CHECK(run.replication == place / 8 * 8 + place % 4);
    CHECK(run.is_up == (place % 8 < 4));
  }
  const Measurement mean{1, MeasuredKind::mean, 10, 1}, th{1, MeasuredKind::th, 10, 1};
  int moves_mean = 0, moves_th = 0, up = 0;
  for (std::uint64_t block = 0; block < 400; ++block) {
    CHECK((direction(mean, block) == 0 || direction(th, block) == 0));
    moves_mean += direction(mean, block) != 0;
    moves_th += direction(th, block) != 0;
    up += direction(mean, block) > 0;
  }
  CHECK(moves_mean == 200);
  CHECK(moves_th == 50);
  CHECK((up > 130 && up < 170));
}

TEST_CASE("The variance by measurements is the sum of squares of their effects", "[fit-steps]") {
  Stream stream({1, 0, 0, Purpose::resampling});
  Measurements measurements{
      {7, MeasuredKind::mean, 50, 2}, {8, MeasuredKind::th, 50, 1}, {9, MeasuredKind::interval, 50, 4}};
  const auto pull = steps_of(measurements, {3, -2, 0.5}, 0, 0.01, 1000, stream).pull();
  REQUIRE(pull);
  CHECK(pull->variance == Approx(9 + 4 + 0.25).epsilon(0.01));
  CHECK(pull->freedom == Approx(13.25 * 13.25 / (81 + 16 + 0.0625) * 50).epsilon(0.02));
  CHECK_FALSE(steps_of(measurements, {3, -2, 0.5}, 0, 0, 40, stream).pull());
}

TEST_CASE("What chance adds to squares is taken away, of few measurements and of many", "[fit-steps]") {
  for (const std::size_t n : {1, 4, 60}) {
    INFO(n);
    Stream stream({2, n, 0, Purpose::resampling});
    const double effect = 3 / std::sqrt(static_cast<double>(n));
    constexpr int kTimes = 60;
    double variance = 0;
    for (int k = 0; k < kTimes; ++k)
      variance += steps_of(means(n), std::vector<double>(n, effect), 0, 4, 1000, stream).pull()->variance / kTimes;
    CHECK(variance == Approx(9).epsilon(n > 10 ? 0.25 : 0.05));
  }
}

TEST_CASE("An estimate leans by what squares of errors do to it, those of the fit and of draws", "[fit-steps]") {
  Stream stream({3, 0, 0, Purpose::resampling});
  for (const std::size_t n : {1, 4})
    for (const double step : {1.0, 3.0}) {
      const FitSteps steps = steps_of(means(n, 102, step), std::vector<double>(n, 1), 0.5, 0.01, 4000, stream);
      CHECK(steps.pull()->lean == Approx(0.5 * static_cast<double>(n) * (1 + 102.0 / 100)).epsilon(0.05));
    }
}

TEST_CASE("Steps add up, whatever their measurements have in common", "[fit-steps]") {
  Stream stream({4, 0, 0, Purpose::resampling});
  const Measurements all = means(3), first{all[0], all[1]}, last{all[1], all[2]};
  const FitSteps a = steps_of(first, {3, 1}, 0, 0, 1000, stream), b = steps_of(last, {1, 2}, 0, 0, 480, stream);
  CHECK(a.plus(b.times(-1)).pull()->variance == Approx(9 + 0 + 4));
  CHECK(a.plus(b).pull()->variance == Approx(9 + 4 + 4));
  CHECK(a.plus(a.times(-1)).pull()->variance == Approx(0).margin(1e-12));
}

TEST_CASE("Few blocks rather tell too much than too little", "[fit-steps]") {
  for (const std::size_t n : {1, 4})
    for (const std::size_t replications : {64, 128, 256}) {
      INFO(n << " of " << replications);
      Stream stream({5, n, replications, Purpose::resampling});
      double variance = 0;
      constexpr int kTimes = 100;
      for (int k = 0; k < kTimes; ++k)
        variance += steps_of(means(n), std::vector<double>(n, 3), 0, 2, replications, stream).pull()->variance / kTimes;
      CHECK(variance > 0.9 * 9 * static_cast<double>(n));
    }
}
