// Contributions of replications, sums and ratios of estimates, and the parts of a variance that measured parameters have.
#include "sim/statistics/influence.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/input_uncertainty.hpp"
#include "sim/statistics/parameter_steps.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;

namespace {

/// Two columns that have half their variance in common, skewed.
struct Pair {
  std::vector<double> a, b;
};
Pair correlated(std::size_t n, std::uint64_t seed) {
  Stream stream({seed, 0, 0, Purpose::owner});
  Pair out;
  for (std::size_t k = 0; k < n; ++k) {
    const double common = -std::log(1 - stream.uniform());
    out.a.push_back(10 + common - std::log(1 - stream.uniform()));
    out.b.push_back(12 + common + stream.uniform());
  }
  return out;
}

Sample sample_of(const std::vector<double>& values, std::uint64_t span = 1, std::size_t unit = 1) {
  Sample sample(Sampling{unit, 0, span});
  constexpr std::size_t kBatch = 50;
  for (std::size_t first = 0; first < values.size(); first += kBatch)
    sample.add_batch(std::span(values).subspan(first, std::min(kBatch, values.size() - first)), {});
  return sample;
}

using OfSample = Estimate (*)(const Sample&, const Confidence&);
const OfSample kEstimates[] = {mean_estimate, sd_estimate, cv_estimate};

double variance_of(const Estimate& e) { return joint_contributions(std::array{&e}).covariance(0, 0); }

Estimate ratio(const std::vector<double>& top, const std::vector<double>& bottom, std::size_t unit = 1) {
  return ratio_estimate(sample_of(top, unit, unit), sample_of(bottom, unit, unit), 0.95);
}

constexpr std::uint64_t kPerDraw = 4;

double normal(Stream& stream) { return -std::sqrt(2.0) * portable::erfc_inv(2 * stream.uniform() + 1e-16); }

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

TEST_CASE("A mean's contributions give its own standard error", "[computes][influence]") {
  const Estimate e = mean_estimate(sample_of(correlated(200, 1).a, 1), 0.95);
  const Estimate same = linear_combination(std::array{LinearTerm{1, &e}}, 0, 0.95);
  CHECK(same.value == e.value);
  CHECK(student_quantile(200, 0.95) * std::sqrt(variance_of(same)) == Approx(e.half_width()).epsilon(1e-12));
  CHECK(same.half_width() == Approx(e.half_width()).epsilon(0.1));
}

TEST_CASE("The variance by contributions of a spread is the delta method's", "[influence]") {
  const Sample s = sample_of(correlated(500, 2).a, 1);
  const Estimate sd = sd_estimate(s, 0.95), cv = cv_estimate(s, 0.95);
  const double variance = s.variance(), of_log_sd = (s.central(4) / (variance * variance) - 497.0 / 499) / (4 * 500);
  const double of_log_mean = variance / (500 * s.mean() * s.mean());
  const double both = s.central(3) / (variance * s.mean()) / 500;
  CHECK(variance_of(sd) / (sd.value * sd.value) == Approx(of_log_sd).epsilon(0.02));
  CHECK(variance_of(cv) / (cv.value * cv.value) == Approx(of_log_sd + of_log_mean - both).epsilon(0.02));
}

TEST_CASE("Contributions add up to what an estimate loses with its replications", "[influence]") {
  // Leaving replication k out changes an estimate by nearly its contribution: the jackknife.
  const std::vector<double> values = correlated(400, 3).a;
  const Sample all = sample_of(values, 1);
  const auto check = [&](auto estimate) {
    const Estimate whole = estimate(all);
    const std::vector<double> d = whole.influence->contributions(1);
    for (const std::size_t k : {0, 57, 399}) {
      std::vector<double> rest = values;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
      CHECK(whole.value - estimate(sample_of(rest, 1)).value == Approx(d[k]).epsilon(0.02).margin(2e-5));
    }
  };
  for (const OfSample estimate : kEstimates) check([&](const Sample& s) { return estimate(s, 0.95); });
  check([](const Sample& s) { return over_mean(30, mean_estimate(s, 0.95)); });
}

TEST_CASE("A difference counts the correlation, a difference with itself is exactly 0", "[influence]") {
  const auto [a, b] = correlated(300, 4);
  const Estimate ea = mean_estimate(sample_of(a, 1), 0.95), eb = mean_estimate(sample_of(b, 1), 0.95);
  std::vector<double> differences;
  for (std::size_t k = 0; k < a.size(); ++k) differences.push_back(a[k] - b[k]);
  const Estimate by_hand = mean_estimate(sample_of(differences, 1), 0.95), e = paired_difference(ea, eb, 0.95);
  CHECK(e.value == Approx(by_hand.value));
  CHECK(student_quantile(300, 0.95) * std::sqrt(variance_of(e)) == Approx(by_hand.half_width()));
  CHECK(e.half_width() == Approx(by_hand.half_width()).epsilon(0.1));
  CHECK(paired_difference(ea, ea, 0.95).half_width() == 0);
}

TEST_CASE("Entries of several replications and pairs meet on what they have in common", "[influence]") {
  const auto [a, b] = correlated(40000, 5);
  const Estimate one = mean_estimate(sample_of(a, 1), 0.95);
  const Estimate fours = mean_estimate(sample_of(b, 4), 0.95), pairs = mean_estimate(sample_of(b, 2, 2), 0.95),
                 ones = mean_estimate(sample_of(b, 1), 0.95);
  const double with_ones = paired_difference(one, ones, 0.95).half_width();
  for (const Estimate* e : {&fours, &pairs}) CHECK(paired_difference(one, *e, 0.95).half_width() == Approx(with_ones).epsilon(0.15));
}

TEST_CASE("Of unequal numbers of replications the common ones pair, and the rest counts", "[influence]") {
  const auto [a, b] = correlated(400, 6);
  const std::vector<double> few(b.begin(), b.begin() + 100), few_of_a(a.begin(), a.begin() + 100);
  const auto mean = [](const std::vector<double>& values) { return mean_estimate(sample_of(values, 1), 0.95); };
  const double common = variance_of(paired_difference(mean(few_of_a), mean(few), 0.95)),
               weighted = variance_of(paired_difference(mean(a), mean(few), 0.95));
  double all = 0;  // of sum over a/400 - sum over b/100, by the sample's own moments
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double d = (a[k] - mean(a).value) / 400 - (k < few.size() ? (few[k] - mean(few).value) / 100 : 0);
    all += d * d;
  }
  CHECK(weighted < 1.02 * all);
  CHECK(weighted < 1.02 * common);
  CHECK(weighted < 0.97 * std::max(all, common));
}

TEST_CASE("A difference's value is that of its parts, where the last entry is a part of one too", "[influence]") {
  const auto [a, b] = correlated(250, 9);
  const Estimate ea = mean_estimate(sample_of(a, 8), 0.95), eb = mean_estimate(sample_of(b, 8), 0.95);
  CHECK(paired_difference(ea, eb, 0.95).value == ea.value - eb.value);
  CHECK(linear_combination(std::array{LinearTerm{1, &ea}}, 0, 0.95).value == ea.value);
}

TEST_CASE("A few replications more of one do not spoil what hardly differs", "[influence]") {
  std::vector<double> a = correlated(320, 8).a, b = a;
  for (std::size_t k = 0; k < b.size(); ++k) b[k] += 1 + 0.01 * static_cast<double>(k % 5);
  const auto difference = [&](std::size_t of_a, std::size_t of_b) {
    const Estimate first = mean_estimate(sample_of({a.begin(), a.begin() + static_cast<std::ptrdiff_t>(of_a)}, 1), 0.95),
                   second = mean_estimate(sample_of({b.begin(), b.begin() + static_cast<std::ptrdiff_t>(of_b)}, 1), 0.95);
    return paired_difference(second, first, 0.95);
  };
  const Estimate equal = difference(300, 300), more = difference(300, 320), fewer = difference(320, 300);
  for (const Estimate* e : {&more, &fewer}) {
    CHECK(e->half_width() < 1.2 * equal.half_width());
    CHECK(e->value == Approx(equal.value).margin(2 * equal.half_width()));
  }
}

TEST_CASE("Spreads of entries of several replications are as those of single ones", "[influence]") {
  const std::vector<double> values = correlated(40000, 7).a;
  const Estimate of_all = sd_estimate(sample_of(values, 4), 0.95);
  CHECK(of_all.influence->span == 4);
  const double t = student_quantile(40000, 0.95);
  CHECK(t * std::sqrt(variance_of(of_all)) == Approx(of_all.half_width()).epsilon(0.1));
}

TEST_CASE("Entries double when there are too many, and hold what single ones held", "[influence]") {
  Observations kept(1, 1);
  double sum = 0;
  const std::uint64_t n = 2 * kMostEntries + 3;
  for (std::uint64_t k = 0; k < n; ++k) {
    kept.add(std::array{static_cast<double>(k)});
    sum += static_cast<double>(k);
  }
  CHECK(kept.span() == 4);
  CHECK(kept.column(0)->size() == (n + 3) / 4);
  CHECK(kept.column(0)->front() == 1.5);
  CHECK(kept.column(0)->back() == static_cast<double>(n - 2));
  const Influence influence{kept.column(0), kept.span(), n, sum / static_cast<double>(n)};
  double together = 0;
  for (const double d : influence.contributions(8)) together += d;
  CHECK(together == Approx(0).margin(1e-6));
}

TEST_CASE("A column that is held elsewhere stays as it was when more is added", "[influence]") {
  Observations kept(1, 2);
  for (const double x : {1.0, 3.0, 5.0}) kept.add(std::array{x});
  const Observations::Column before = kept.column(0);
  kept.add(std::array{9.0});
  CHECK(*before == std::vector<double>{2, 5});
  CHECK(*kept.column(0) == std::vector<double>{2, 7});
}

TEST_CASE("Means over whole batches make entries as long as it takes", "[influence]") {
  Observations kept(1, 16);
  for (const double mean : {1.0, 2.0, 6.0}) kept.add(std::array{mean}, 50);
  CHECK(kept.span() == 50);
  CHECK(kept.replications() == 150);
  CHECK(*kept.column(0) == std::vector<double>{1, 2, 6});
  Observations shorter(1, 128);  // blocks that do not fill an entry
  for (int k = 0; k < 5; ++k) shorter.add(std::array{1.0 * k}, 100);
  CHECK(shorter.span() == 200);
  CHECK(*shorter.column(0) == std::vector<double>{0.5, 2.5, 4});
}

TEST_CASE("Where the correlation is 0 paired and unpaired intervals agree", "[influence]") {
  const std::vector<double> a = correlated(4000, 11).a, b = correlated(4000, 12).b;
  for (const OfSample estimate : kEstimates) {
    const Estimate of_a = estimate(sample_of(a, 1), 0.95), of_b = estimate(sample_of(b, 1), 0.95);
    const double apart = student_quantile(4000, 0.95) * std::sqrt(variance_of(of_a) + variance_of(of_b));
    CHECK(paired_difference(of_a, of_b, 0.95).half_width() == Approx(apart).epsilon(0.06));
    const double relative = std::hypot(std::sqrt(variance_of(of_a)) / of_a.value, std::sqrt(variance_of(of_b)) / of_b.value);
    const Estimate ratio = paired_ratio(of_a, of_b, 0.95);
    CHECK(ratio.half_width() / ratio.value == Approx(student_quantile(4000, 0.95) * relative).epsilon(0.06));
  }
}

TEST_CASE("A ratio of means is counted replication by replication where they are kept", "[paired_ratio]") {
  // {r: |9 - 12 r| <= t·sd(top - r·bottom)/sqrt 3}, t = 4.302653; sums of products 13.5, 18, 32.
  const Estimate e = ratio({6, 10.5, 10.5}, {8, 12, 16});
  CHECK(e.value == Approx(0.75));
  for (const double r : {e.low, e.high})
    CHECK(std::abs(9 - 12 * r) == Approx(4.302653 * std::sqrt((13.5 - 2 * r * 18 + r * r * 32) / 2 / 3)).epsilon(1e-6));
}

TEST_CASE("Where replications are not kept a ratio holds for any correlation, and is wider", "[paired_ratio]") {
  const std::vector<double> top{6, 10.5, 10.5, 9, 9.5}, bottom{8, 12, 16, 12, 12.5};
  const Estimate paired = ratio(top, bottom), apart = ratio_estimate(sample_of(top, 0), sample_of(bottom, 0), 0.95);
  CHECK(apart.value == Approx(paired.value));
  CHECK(apart.half_width() > 2 * paired.half_width());
}

TEST_CASE("Proportional replications have an exact ratio, however much they vary", "[paired_ratio]") {
  const Estimate e = ratio({10, 20, 13}, {20, 40, 26});
  CHECK(e.value == 0.5);
  CHECK(e.half_width() == Approx(0).margin(1e-7));
}

TEST_CASE("Replications in pairs count by their means", "[paired_ratio]") {
  const Estimate pairs = ratio({5, 7, 10, 11, 4, 17}, {9, 7, 12, 12, 16, 16}, 2),
                 plain = ratio({6, 10.5, 10.5}, {8, 12, 16});
  CHECK(pairs.value == plain.value);
  CHECK(pairs.low == Approx(plain.low));
}

TEST_CASE("A ratio to a mean that is not told from 0 has no end", "[paired_ratio]") {
  const Estimate e = ratio({3, 4, 5}, {-1, 2, 0.5});
  CHECK(e.low == -kInfinity);
  CHECK(e.high == kInfinity);
}

TEST_CASE("Without replications there is no ratio, with one no interval", "[paired_ratio]") {
  CHECK(std::isnan(ratio({}, {1}).value));
  CHECK(ratio({3}, {4}).value == 0.75);
  CHECK(std::isnan(ratio({3}, {4}).low));
}

TEST_CASE("The variance between draws and within is told apart", "[fit-uncertainty]") {
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
