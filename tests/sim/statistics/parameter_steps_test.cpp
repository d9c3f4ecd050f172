// Tests of what is made of replications that were run again a step of measured parameters away.
#include "sim/statistics/parameter_steps.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/statistics/portable.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;

namespace {

double normal(Stream& stream) { return -std::sqrt(2.0) * portable::erfc_inv(2 * stream.uniform() + 1e-16); }

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

TEST_CASE("Half of the replications are run again, a step up and a step down", "[computes][fit-steps]") {
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
