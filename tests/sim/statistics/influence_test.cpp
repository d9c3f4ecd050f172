// Contributions of replications: every estimate's own variance, and sums of estimates; ratios of two samples, by what is
// known of their replications.
#include "sim/statistics/influence.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/base/infinity.hpp"
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

Sample sample_of(const std::vector<double>& values, std::uint64_t span, std::size_t unit = 1) {
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
